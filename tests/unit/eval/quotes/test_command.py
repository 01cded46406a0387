"""`python -m eval quotes`: which questions it asks, and where; choosing is tested elsewhere."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from eval.__main__ import main
from eval.quotes import command
from eval.quotes.judge import Judged


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two documents, a question on each, and one without an answer."""
    documents = tmp_path / "mine" / "documents"
    documents.mkdir(parents=True)
    rows = [{"id": "none", "question": "none?", "answerable": False}]
    for name in ("cap", "leave"):
        (documents / f"{name}.txt").write_text("ten days")
        gold = [{"document": f"{name}.txt", "quote": "ten days"}]
        rows.append({"id": name, "question": f"{name}?", "gold": gold})
    (tmp_path / "mine" / "questions.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return tmp_path / "mine"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any]]:
    """Ids and scopes of the questions asked; every way finds the right sentence."""
    seen: list[tuple[str, Any]] = []

    @contextmanager
    def collection(*_: Any) -> Iterator[Any]:
        infos = [SimpleNamespace(document=f"{name}.txt", document_id=name) for name in ("cap", "leave")]
        yield SimpleNamespace(prism=SimpleNamespace(documents=lambda: infos))

    class Asker:
        def ask(self, question, ways, scope):
            seen.append((question.question_id, scope.document_ids))
            return {way.name: Judged(True, True, True, 1, 1.0) for way in ways}

    @contextmanager
    def quoter(*_: Any) -> Iterator[Asker]:
        yield Asker()

    monkeypatch.setattr(command, "collection", collection)
    monkeypatch.setattr(command, "quoter", quoter)
    return seen


def quotes(folder: Path, *options: str) -> int:
    return main(["quotes", "--dataset", str(folder), "--cache", str(folder.parent / "cache"), *options])


def test_every_question_that_can_be_judged_is_asked_of_all_documents(asked, folder, tmp_path, capsys) -> None:
    out = tmp_path / "t.md"
    assert quotes(folder, "--weight", "8", "--out", str(out)) == 0
    assert asked == [("cap", None), ("leave", None)]
    shown = capsys.readouterr().out
    assert shown == out.read_text(encoding="utf-8")
    assert shown.startswith("2 questions;")
    for name in ("embedding", "token vectors", "token vectors, weight 8"):
        assert f"| {name} | 1.000 (" in shown


def test_in_hand_only_the_documents_that_answer_are_searched(asked, folder) -> None:
    quotes(folder, "--in-hand")
    assert asked == [("cap", {"cap"}), ("leave", {"leave"})]


def test_questions_may_be_chosen_by_the_documents_that_answer_them(asked, folder) -> None:
    quotes(folder, "--about", "lea")
    quotes(folder, "--about", "lea", "--others")
    quotes(folder, "--limit", "1")
    assert [name for name, _ in asked] == ["leave", "cap", "cap"]


def test_a_set_without_such_a_question_is_refused(asked, folder, capsys) -> None:
    assert quotes(folder, "--about", "elsewhere") == 2
    assert "no such question can be judged" in capsys.readouterr().err
