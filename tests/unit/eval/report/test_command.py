"""`python -m eval report`: files written where they are wanted, wrong use in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from eval.__main__ import main
from eval.outcome.result import write_result
from eval.report.command import report_name
from tests.unit.eval.report.results import make_result


def test_both_files_are_written_beside_the_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_result(tmp_path / "mine.json", make_result())
    assert main(["report", str(tmp_path / "mine.json")]) == 0
    assert (tmp_path / "mine.md").read_text(encoding="utf-8").startswith("# Retrieval: handmade\n")
    assert (tmp_path / "mine.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert capsys.readouterr().out == (f"report: {tmp_path / 'mine.md'}\nreport: {tmp_path / 'mine.html'}\n")


def test_folder_is_made(tmp_path: Path) -> None:
    write_result(tmp_path / "a.json", make_result())
    write_result(tmp_path / "b.json", make_result(name="other"))
    out = tmp_path / "new" / "folder"
    assert main(["report", str(tmp_path / "a.json"), str(tmp_path / "b.json"), "--out", str(out)]) == 0
    assert sorted(file.name for file in out.iterdir()) == ["a-beside-b.html", "a-beside-b.md"]


@pytest.mark.parametrize(
    ("stems", "name"),
    [(["a"], "a"), (["a", "b"], "a-beside-b"), (["a", "b", "c", "d"], "a-beside-3-others")],
)
def test_report_is_named_after_its_results(stems: list[str], name: str) -> None:
    assert report_name([Path(f"x/{stem}.json") for stem in stems]) == name


def test_wrong_use_is_told_and_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "no-result-of-this-name"]) == 2
    assert "no-result-of-this-name: no such file" in capsys.readouterr().err
    (tmp_path / "bad.json").write_text("{}", encoding="utf-8")
    assert main(["report", str(tmp_path / "bad.json")]) == 2
    write_result(tmp_path / "a.json", make_result())
    assert main(["report", *[str(tmp_path / "a.json")] * 7]) == 2
    assert [file.name for file in sorted(tmp_path.iterdir())] == ["a.json", "bad.json"]


def test_folder_that_cannot_be_made_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_result(tmp_path / "a.json", make_result())
    assert main(["report", str(tmp_path / "a.json"), "--out", str(tmp_path / "a.json")]) == 2
    assert "cannot be written" in capsys.readouterr().err
