"""What has been measured survives a stop."""

from __future__ import annotations

from pathlib import Path

import pytest

from eval.bench.log import Record, append, read, repair
from prism.errors import UsageError

FIRST = Record(1000, 1, "prism", "add", 12.5, {"all": [12.0, 12.5, 14.0]})
SECOND = Record(1000, 1, "plain", "add", 250.0)


def test_records_come_back_as_they_were_given(tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    append(file, FIRST)
    append(file, SECOND)
    assert read(file) == (FIRST, SECOND)


def test_a_log_that_is_not_there_is_empty(tmp_path: Path) -> None:
    repair(tmp_path / "log.jsonl")
    assert read(tmp_path / "log.jsonl") == ()


def test_the_last_record_of_a_key_counts(tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    again = Record(1000, 1, "prism", "add", 11.0)
    for record in (FIRST, SECOND, again):
        append(file, record)
    assert sorted(read(file), key=lambda record: record.value) == [again, SECOND]


def test_repetition_build_and_size_tell_records_apart(tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    given = (FIRST, Record(1000, 2, "prism", "add", 1.0), Record(10000, 1, "prism", "add", 2.0), SECOND)
    for record in given:
        append(file, record)
    assert read(file) == given


def test_a_line_cut_short_is_passed_over_and_then_cut_off(tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    append(file, FIRST)
    with file.open("a") as stream:
        stream.write('{"leaves": 1000, "rep')
    assert read(file) == (FIRST,)
    repair(file)
    append(file, SECOND)
    assert read(file) == (FIRST, SECOND)


def test_a_broken_line_before_the_last_is_refused_by_its_number(tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    file.write_text("nonsense\n")
    append(file, FIRST)
    with pytest.raises(UsageError, match="line 1"):
        read(file)
