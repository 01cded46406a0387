"""`python -m eval`: each subcommand is there, and a failure is a sentence with an exit code."""

from __future__ import annotations

import argparse

import pytest

from eval import __main__ as module
from eval.__main__ import SUBCOMMANDS, main
from prism.errors import SearchError, UsageError


class Invented:
    """A subcommand that ends as it is told."""

    def __init__(self, ends: int | BaseException) -> None:
        self.ends = ends

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--number", type=int)

    def main(self, given: argparse.Namespace) -> int:
        if isinstance(self.ends, BaseException):
            raise self.ends
        return self.ends + given.number


@pytest.mark.parametrize("name", [name for name, _, _ in SUBCOMMANDS])
def test_every_subcommand_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main([name, "--help"])
    assert exit_.value.code == 0
    assert f"usage: python -m eval {name}" in capsys.readouterr().out


def test_help_lists_every_subcommand_with_what_it_is_for(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    shown = " ".join(capsys.readouterr().out.split())
    for name, _, says in SUBCOMMANDS:
        assert f"{name} {says}" in shown


@pytest.mark.parametrize(
    ("ends", "code", "said"),
    [
        (3, 7, ""),
        (UsageError("Name a file."), 2, "eval: Name a file.\n"),
        (SearchError("Both legs failed."), 1, "eval: Both legs failed.\n"),
        (KeyboardInterrupt(), 130, "eval: stopped.\n"),
    ],
)
def test_the_exit_code_is_the_subcommands_or_tells_wrong_use_from_failure(
    ends: int | BaseException,
    code: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(module, "SUBCOMMANDS", (("invented", Invented(ends), "for the test"),))
    assert main(["invented", "--number", "4"]) == code
    assert capsys.readouterr().err == said


@pytest.mark.parametrize("arguments", [[], ["nothing"], ["invented", "--number", "four"]])
def test_wrong_use_exits_with_2(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SUBCOMMANDS", (("invented", Invented(0), "for the test"),))
    with pytest.raises(SystemExit) as exit_:
        main(arguments)
    assert exit_.value.code == 2
