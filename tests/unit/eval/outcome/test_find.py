"""A result is found by path, by file name, and by its own name; among several the newest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from eval.outcome.find import find_result
from prism.errors import UsageError


def kept(folder: Path, file_name: str, name: str, date: str) -> Path:
    file = folder / file_name
    file.write_text(json.dumps({"name": name, "date": date, "rows": []}), encoding="utf-8")
    return file


def test_path_is_taken_as_it_is(tmp_path: Path) -> None:
    file = kept(tmp_path, "mine.txt", "sample", "2026-01-01")
    assert find_result(str(file), tmp_path / "results") == file


@pytest.mark.parametrize("given", ["sample-aaa", "sample-aaa.json"])
def test_file_name_is_found_with_and_without_its_ending(tmp_path: Path, given: str) -> None:
    file = kept(tmp_path, "sample-aaa.json", "sample", "2026-01-01")
    assert find_result(given, tmp_path) == file


def test_newest_of_a_name_counts_by_the_date_within(tmp_path: Path) -> None:
    kept(tmp_path, "sample-bbb.json", "sample", "2026-01-01T00:00:00+00:00")
    newest = kept(tmp_path, "sample-aaa.json", "sample", "2026-03-01T00:00:00+00:00")
    # Younger, but of another name that merely begins the same.
    kept(tmp_path, "sample-two-ccc.json", "sample-two", "2026-09-01T00:00:00+00:00")
    assert find_result("sample", tmp_path) == newest


def test_of_equal_dates_the_later_file_name_counts(tmp_path: Path) -> None:
    kept(tmp_path, "sample-a.json", "sample", "2026-01-01")
    later = kept(tmp_path, "sample-b.json", "sample", "2026-01-01")
    assert find_result("sample", tmp_path) == later


def test_files_of_another_form_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    (tmp_path / "list.json").write_text("[]", encoding="utf-8")
    (tmp_path / "bench.json").write_text('{"name": "sample", "date": "2027"}', encoding="utf-8")
    file = kept(tmp_path, "z.json", "नमूना", "2026-01-01")
    assert find_result("नमूना", tmp_path) == file
    with pytest.raises(UsageError, match="sample: no such file"):
        find_result("sample", tmp_path)


def test_unknown_name_is_refused_and_told_what_there_is(tmp_path: Path) -> None:
    kept(tmp_path, "sample-aaa.json", "sample", "2026-01-01")
    with pytest.raises(UsageError, match="which holds: sample-aaa"):
        find_result("nothing-like-it", tmp_path)
    with pytest.raises(UsageError, match="which holds: nothing"):
        find_result("sample", tmp_path / "not-there")
