"""The subcommand finds results, prints words or one JSON document, and says what is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from eval.__main__ import main
from eval.outcome.result import write_result
from tests.unit.eval.rows import make_result, make_row


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    old = [make_row(f"q{number}", ranking=("x", "a")) for number in range(7)]
    new = [make_row(f"q{number}", ranking=("a", "x")) for number in range(7)]
    write_result(tmp_path / "old-1.json", make_result(old, name="old"))
    write_result(tmp_path / "new-1.json", make_result(old, name="new", date="2024-05-01T10:00:00+00:00"))
    write_result(tmp_path / "new-2.json", make_result(new, name="new", date="2024-06-01T10:00:00+00:00"))
    write_result(tmp_path / "other.json", make_result(old, name="other", fingerprint="beef"))
    return tmp_path


def test_names_stand_for_the_newest_result(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "old", "new", "--results", str(folder)]) == 0
    output = capsys.readouterr().out
    assert "B: new, 2024-06-01" in output
    assert "Better in B:" in output


def test_files_are_taken_as_they_are(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", str(folder / "old-1.json"), str(folder / "new-1.json")]) == 0
    assert capsys.readouterr().out.endswith("No ranking changed.\n")


def test_json_is_one_document(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--metric", "mrr", "--all", "--json", "--results", str(folder)]
    assert main(["compare", "old", "new", *arguments]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["changed_by"] == "mrr"
    assert len(document["better"]) == 7


def test_other_datasets_are_wrong_use(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "old", "other", "--results", str(folder)]) == 2
    assert "cannot be compared" in capsys.readouterr().err


def test_an_unknown_name_is_wrong_use(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "old", "nobody", "--results", str(folder)]) == 2
    assert "nobody" in capsys.readouterr().err
