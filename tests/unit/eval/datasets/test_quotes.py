"""Sets of quoted spans: what is gold, what is not there, what follows what."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from eval.datasets.dataset import Quote
from eval.datasets.quotes import is_quoted, read_quotes, sources_of
from prism.errors import UsageError

A, B = {"document": "a.txt", "quote": "ten days"}, {"document": "gone.txt", "quote": "two days"}


def written(folder: Path, *rows: dict[str, Any]) -> Path:
    (folder / "documents").mkdir(exist_ok=True)
    (folder / "documents" / "a.txt").write_text("It takes ten days.")
    (folder / "questions.jsonl").write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return folder


def test_a_set_is_known_by_its_files(tmp_path: Path) -> None:
    assert not is_quoted(tmp_path)
    assert is_quoted(written(tmp_path))


def test_every_field_is_read(tmp_path: Path) -> None:
    row = {
        "id": "s1",
        "question": "कितने दिन?",
        "kind": "plain",
        "language": "hi",
        "gold": [A],
        "answer": "दस",
        "keywords": ["ten"],
        "sources": ["a.txt", "b.txt"],
    }
    (question,) = read_quotes(written(tmp_path, row)).questions
    assert (question.question_id, question.text) == ("s1", "कितने दिन?")
    assert (question.kind, question.language, question.unit) == ("plain", "hi", "quote")
    assert question.quotes == (Quote("a.txt", "ten days"),)
    assert (question.any_quote, question.answerable) == (True, True)
    assert (question.answers, question.keywords) == (("दस",), ("ten",))
    assert question.sources == ("a.txt", "b.txt")


def test_sources_are_those_of_the_gold_where_no_others_are_named(tmp_path: Path) -> None:
    (question,) = read_quotes(written(tmp_path, {"question": "?", "gold": [A, A, B]})).questions
    assert question.sources == ("a.txt", "gone.txt")


def test_all_quotes_are_wanted_where_the_row_says_so(tmp_path: Path) -> None:
    (question,) = read_quotes(written(tmp_path, {"question": "?", "gold": [A], "needs_all": True})).questions
    assert not question.any_quote


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"gold": [B]}, "its documents are not in this collection"),
        ({"answerable": True}, "it has no gold quote"),
        ({"answerable": False}, ""),
        ({"gold": [A, B]}, ""),
    ],
)
def test_gold_that_is_not_there_makes_a_question_unscorable(
    tmp_path: Path, row: dict[str, Any], reason: str
) -> None:
    (question,) = read_quotes(written(tmp_path, {"question": "?", **row})).questions
    assert question.unscorable == reason


def test_follow_ups_are_found_by_id_or_by_number(tmp_path: Path) -> None:
    rows = [{"question": "one?"}, {"id": "x", "question": "two?", "follows": "1"}, {"question": "three?"}]
    rows[2]["follows"] = "x"
    questions = read_quotes(written(tmp_path, *rows)).questions
    assert [question.earlier for question in questions] == [(), ("one?",), ("one?", "two?")]
    assert [question.question_id for question in questions] == ["1", "x", "3"]


@pytest.mark.parametrize(
    ("row", "lacks"),
    [({"id": "a"}, "'question'"), ({"question": "?", "gold": [{"quote": "x"}]}, "'document'")],
)
def test_a_row_that_lacks_something_is_refused_by_its_number(
    tmp_path: Path, row: dict[str, Any], lacks: str
) -> None:
    with pytest.raises(UsageError, match=rf"questions\.jsonl: row 2 lacks {lacks}"):
        read_quotes(written(tmp_path, {"question": "?"}, row))


def test_two_rows_of_one_id_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="several questions have the id 'a'"):
        read_quotes(written(tmp_path, {"id": "a", "question": "?"}, {"id": "a", "question": "!"}))


def test_hidden_files_and_folders_are_no_documents(tmp_path: Path) -> None:
    for name in ("b/c.txt", "a.txt", ".x", ".git/a.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    assert [source.name for source in sources_of(tmp_path)] == ["a.txt", "b/c.txt"]


def test_a_hidden_folder_around_the_documents_does_not_matter(tmp_path: Path) -> None:
    folder = tmp_path / ".cache" / "documents"
    folder.mkdir(parents=True)
    (folder / "a.txt").write_text("x")
    assert [source.name for source in sources_of(folder)] == ["a.txt"]


def test_no_documents_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no documents there"):
        sources_of(tmp_path)
