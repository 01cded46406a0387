"""JSON lines, judgements, fingerprints: what is read, and what is refused by file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from eval.datasets.files import (
    fingerprint,
    read_jsonl,
    read_judgements,
    read_text,
    required,
    texts,
    yes_or_no,
)
from prism.errors import UsageError
from prism.types import Source


def written(folder: Path, text: str, name: str = "file") -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def test_objects_are_read_line_by_line_past_a_mark_and_empty_lines(tmp_path: Path) -> None:
    file = written(tmp_path, '\ufeff{"a": 1}\r\n\n  \n{"a": "शुल्क"}')
    assert read_jsonl(file) == [{"a": 1}, {"a": "शुल्क"}]


def test_an_empty_file_has_no_objects(tmp_path: Path) -> None:
    assert read_jsonl(written(tmp_path, "")) == []


@pytest.mark.parametrize(("line", "said"), [("{", "not JSON"), ("[1]", "not a list"), ("3", "not a int")])
def test_a_line_that_is_no_object_is_refused_by_its_number(tmp_path: Path, line: str, said: str) -> None:
    with pytest.raises(UsageError, match=rf"file, line 3: .*{said}"):
        read_jsonl(written(tmp_path, f'{{"a": 1}}\n\n{line}\n'))


def test_a_file_that_is_not_there_or_not_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="none: cannot be read"):
        read_text(tmp_path / "none")
    with pytest.raises(UsageError, match=f"{tmp_path.name}: cannot be read"):
        read_text(tmp_path)
    (tmp_path / "latin").write_bytes("Gebühr".encode("latin-1"))
    with pytest.raises(UsageError, match=r"latin: not UTF-8 \(byte 3\)\. Save it as UTF-8"):
        read_text(tmp_path / "latin")


def test_judgements_are_grades_by_question_and_unit(tmp_path: Path) -> None:
    file = written(tmp_path, "query-id\tcorpus-id\tscore\r\nq1\td1\t1\r\nq1\td 2\t0\r\n\r\nq2\td1\t2.0\r\n")
    assert read_judgements(file) == {"q1": {"d1": 1, "d 2": 0}, "q2": {"d1": 2}}


def test_the_first_judgement_of_a_file_without_header_counts(tmp_path: Path) -> None:
    assert read_judgements(written(tmp_path, "q1\td1\t1\n")) == {"q1": {"d1": 1}}


def test_judgements_may_be_none(tmp_path: Path) -> None:
    assert read_judgements(written(tmp_path, "")) == {}
    assert read_judgements(written(tmp_path, "query-id\tcorpus-id\tscore")) == {}


@pytest.mark.parametrize(
    "line", ["q1 d1 1", "q1\td1", "q1\t0\td1\t1", "q1\td1\tyes", "q1\td1\t0.5", "q1\td1\tinf", "q1\td1\tnan"]
)
def test_a_judgement_of_another_form_is_refused_by_its_line(tmp_path: Path, line: str) -> None:
    with pytest.raises(UsageError, match="file, line 3: wanted question id, unit id and a whole number"):
        read_judgements(written(tmp_path, f"q\tc\tscore\nq1\td1\t1\n{line}\n"))


def test_a_fingerprint_tells_bytes_names_and_places_apart(tmp_path: Path) -> None:
    file = written(tmp_path, "one")
    same = fingerprint([file], [Source(file, "a/one.txt")])
    assert fingerprint([file], [Source(file, "a/one.txt")]) == same
    assert fingerprint([file], [Source(file, "b/one.txt")]) != same, "a document's folder is part of its name"
    assert fingerprint([file]) != same
    written(tmp_path, "two")
    assert fingerprint([file], [Source(file, "a/one.txt")]) != same


def test_a_fingerprint_of_what_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="gone: cannot be read"):
        fingerprint([], [Source(tmp_path / "gone", "gone")])


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, ()),
        ("", ()),
        ([], ()),
        ("a; b", ("a; b",)),
        (["a", "", None, " ", 3], ("a", "3")),
    ],
)
def test_texts_are_a_tuple_without_empty_ones(value: object, expected: tuple[str, ...]) -> None:
    assert texts(value) == expected


@pytest.mark.parametrize("line", ["q0\td1\t", "q0\td1\t0.5", "q0\td1\tyes"])
def test_a_slip_in_the_first_judgement_is_an_error_and_no_header(tmp_path: Path, line: str) -> None:
    (tmp_path / "qrels.tsv").write_text(f"{line}\nq1\td1\t1\n")
    with pytest.raises(UsageError, match="line 1"):
        read_judgements(tmp_path / "qrels.tsv")


@pytest.mark.parametrize(("written", "meant"), [(True, True), ("false", False), ("No", False), (1, True)])
def test_truth_is_read_however_it_was_written(written: object, meant: bool) -> None:
    assert yes_or_no(written) is meant


@pytest.mark.parametrize("written", [None, "", "perhaps", 2])
def test_what_is_no_truth_is_not_taken_for_one(written: object) -> None:
    with pytest.raises(KeyError):
        yes_or_no(written)


@pytest.mark.parametrize("row", [{}, {"text": None}, {"text": ["a"]}])
def test_null_is_no_text(row: dict) -> None:
    with pytest.raises(KeyError):
        required(row, "text")
