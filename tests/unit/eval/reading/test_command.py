from __future__ import annotations

import json
from pathlib import Path

import pytest

from eval.__main__ import main


@pytest.fixture
def files(tmp_path: Path) -> Path:
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "a.txt").write_text("one two three")
    (folder / "a.md").write_text("# One\n\ntwo *four*")
    (folder / "manifest.jsonl").write_text(
        json.dumps({"file": "a.txt", "flags": "", "groundtruth_md": "a.md"})
    )
    return folder


def test_the_table_is_printed_and_the_result_kept(
    files: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["reading", "--files", str(files), "--missing", "--results", str(tmp_path / "results")]) == 0
    out = capsys.readouterr().out
    assert "| a.txt | 3 | 0.667 | 0.667 | 0.667 |" in out
    assert "| a.txt | four |" in out
    (result,) = (tmp_path / "results").iterdir()
    (file,) = json.loads(result.read_text())["files"]
    assert (file["file"], file["recall"], file["missing"]) == ("a.txt", 2 / 3, [["four", 1]])


def test_some_files_alone_leave_no_result(files: Path, tmp_path: Path) -> None:
    results = tmp_path / "results"
    assert main(["reading", "--files", str(files), "--only", "a.t", "--results", str(results)]) == 0
    assert main(["reading", "--files", str(files), "--only", "b", "--results", str(results)]) == 2
    assert not results.exists()


def test_without_files_it_says_how_to_name_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("PRISM_DATA", raising=False)
    assert main(["reading"]) == 2
    assert "PRISM_DATA" in capsys.readouterr().err
