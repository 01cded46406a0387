"""The committed file."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from eval.golden.file import FILE, read, write
from eval.golden.questions import QUESTIONS
from eval.golden.types import Row
from prism import UsageError
from tests.unit.eval.golden.traces import GOLDEN, GONE, A

OTHER = replace(
    GOLDEN,
    question_id="hindi",
    question="सीमा?",
    legs=GOLDEN.legs[1:],
    reranked=(Row(1, A),),
    citations=(),
    answer='A "quoted" answer,\n[ 1 ] of two lines. [1]',
)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    write(tmp_path / "golden.json", [GOLDEN, OTHER])
    assert read(tmp_path / "golden.json") == (GOLDEN, OTHER)


def test_a_row_is_a_line_and_letters_are_letters(tmp_path: Path) -> None:
    write(tmp_path / "golden.json", [GOLDEN, OTHER])
    lines = (tmp_path / "golden.json").read_text(encoding="utf-8").splitlines()
    assert '        [4, "rules.md", 0, 200, 300, 0.006451613]' in lines
    assert '        [1, "rules.md", 1, 0, 300, "0-100 100-200"],' in lines
    assert '      "question": "सीमा?",' in lines


def test_what_should_be_gone_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"old\.txt leaf 0-80 \(deleted\) cannot be recorded"):
        write(tmp_path / "golden.json", [replace(GOLDEN, fused=(Row(1, GONE),))])


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (json.dumps({"schema": 1, "form": "another"}), "is of schema 1, not 2"),
        (json.dumps({"schema": 2, "traces": [{}]}), "does not hold golden traces"),
        (json.dumps([]), "does not hold golden traces"),
        ("no json", "does not hold golden traces"),
        (None, "There is no"),
    ],
)
def test_a_file_that_cannot_be_read_names_the_next_step(
    tmp_path: Path, content: str | None, words: str
) -> None:
    file = tmp_path / "golden.json"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    with pytest.raises(UsageError, match=words) as refused:
        read(file)
    assert "python -m eval golden --record" in str(refused.value)


def test_the_committed_file_holds_the_questions_in_their_order_and_is_as_it_is_written(
    tmp_path: Path,
) -> None:
    traces = read(FILE)
    assert [(item.question_id, item.question, item.variant) for item in traces] == [
        (item.question_id, item.text, item.variant) for item in QUESTIONS
    ]
    write(tmp_path / "again.json", traces)
    assert (tmp_path / "again.json").read_bytes() == FILE.read_bytes()
