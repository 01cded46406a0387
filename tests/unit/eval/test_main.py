"""`python -m eval`: how it ends."""

from __future__ import annotations

import argparse

import pytest

from eval import __main__ as entry
from eval.compare import command
from prism.errors import SearchError, UsageError


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (UsageError("no such set"), 2, "eval: no such set"),
        (SearchError("no leg"), 1, "eval: no leg"),
        (KeyboardInterrupt(), 130, "eval: stopped. The same command goes on where it was."),
    ],
)
def test_an_error_is_one_line_and_an_exit_code(
    error: BaseException,
    code: int,
    words: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def main(given: argparse.Namespace) -> int:
        raise error

    monkeypatch.setattr(command, "main", main)
    assert entry.main(["compare", "a", "b"]) == code
    assert capsys.readouterr().err == f"{words}\n"


def test_every_subcommand_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    for name, _, help_text in entry.SUBCOMMANDS:
        assert help_text
        with pytest.raises(SystemExit) as ended:
            entry.main([name, "--help"])
        assert ended.value.code == 0
        assert name in capsys.readouterr().out
