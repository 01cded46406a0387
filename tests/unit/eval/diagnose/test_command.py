"""The subcommand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from eval.__main__ import main
from eval.diagnose.command import describe
from eval.diagnose.finding import Finding
from eval.outcome.result import write_result
from tests.unit.eval.diagnose.healthy import found_row, healthy_rows
from tests.unit.eval.rows import make_result


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_result(tmp_path / "good.json", make_result(healthy_rows(), name="good"))
    write_result(tmp_path / "small.json", make_result([found_row(1, question="शुल्क?")], name="small"))
    return tmp_path


def test_a_healthy_result_gets_a_plain_sentence(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diagnose", "good", "--results", str(folder)]) == 0
    assert capsys.readouterr().out == (
        "good: 70 questions of letters, 60 scored.\nNothing stands out: no figure is beyond its limit.\n"
    )


def test_findings_are_numbered_with_what_to_try(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diagnose", str(folder / "small.json")]) == 0
    output = capsys.readouterr().out
    assert "1. Only 1 questions are scored" in output
    assert "   Try: Ask at least 50" in output


def test_json_is_one_document(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diagnose", "small", "--json", "--results", str(folder)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["result"] == "small"
    assert [finding["name"] for finding in document["findings"]] == ["small_set"]


def test_an_unknown_name_is_wrong_use(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diagnose", "nobody", "--results", str(folder)]) == 2
    assert "nobody" in capsys.readouterr().err


def test_texts_of_the_dataset_stay_on_their_line() -> None:
    text = describe(make_result([]), [Finding("failed", "1 failed: a\nb\x1b[31m")])
    assert text.splitlines()[2] == "1. 1 failed: a b\ufffd[31m"
