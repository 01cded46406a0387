"""Rows written one by one are read again, up to where a crash cut or spoiled them."""

from __future__ import annotations

from pathlib import Path

import pytest

from eval.runs import journal
from tests.unit.eval.rows import make_passages, make_row

FIRST = make_row("a", ranking=("x", "a"), stages={"dense": {"a": None}}, passages=make_passages("", "a"))
SECOND = make_row(
    "ख", question="कितना\nहै?", timings_ms={"total": 1.5}, gold={"x": 2}, error="", abstained=True
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "journals" / "set.jsonl"
    journal.append(file, FIRST)
    journal.append(file, SECOND)
    return file


def test_rows_come_back_as_they_were(file: Path) -> None:
    assert journal.read(file) == {"a": FIRST, "ख": SECOND}


def test_no_file_has_no_rows(tmp_path: Path) -> None:
    assert journal.read(tmp_path / "none") == {}


@pytest.mark.parametrize("left", [1, 20, 100])
def test_a_line_cut_short_is_cut_away_and_the_next_row_stands_on_its_own(file: Path, left: int) -> None:
    whole = file.read_bytes()
    end_of_first = whole.index(b"\n") + 1
    file.write_bytes(whole[: end_of_first + left])
    assert journal.read(file) == {"a": FIRST}
    assert file.read_bytes() == whole[:end_of_first]
    journal.append(file, SECOND)
    assert journal.read(file) == {"a": FIRST, "ख": SECOND}


def test_a_line_without_its_end_is_asked_again(file: Path) -> None:
    file.write_bytes(file.read_bytes().removesuffix(b"\n"))
    assert journal.read(file) == {"a": FIRST}


@pytest.mark.parametrize(
    "spoiled", [b"{}", b"[1]", b"null", b"\xff\xfe", b'{"passages": [], "more": 1}', b"12"]
)
def test_from_a_spoiled_line_on_questions_are_asked_again(file: Path, spoiled: bytes) -> None:
    first, second = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(first + spoiled + b"\n" + second)
    assert journal.read(file) == {"a": FIRST}
    assert file.read_bytes() == first
