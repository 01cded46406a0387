"""Sentences and words chosen by the real embedder's token vectors."""

from __future__ import annotations

import pytest

from prism.models.embedder import FolderEmbedder

PARAGRAPH = (
    "Wire transfers have rules of their own. A clerk may send ten thousand rupees a day. Larger sums need "
    "the signature of a director. The cap was raised in May of last year. "
)
FILLER = "The canteen opens at noon and serves rice with lentils on most days of the working week. "
FILES = {"transfers.txt": FILLER * 12 + PARAGRAPH + FILLER * 12, "leave.txt": "Annual leave is fifteen days."}
QUESTION = "Who has to sign when more money is wired?"


def test_the_right_sentence_is_quoted_without_a_pass_of_the_model_over_any_text(
    shelf, embedder: FolderEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    prism = shelf(FILES).with_settings(**{"gate.threshold": 0.0})

    def read(*_: object, **__: object) -> None:
        raise AssertionError("a text went through the model")

    monkeypatch.setattr(embedder, "embed", read)
    monkeypatch.setattr(embedder, "embed_with_tokens", read)
    answer = prism.ask("Who must sign for larger sums?")
    assert answer.citations[0].quote == "Larger sums need the signature of a director."
    assert answer.notices == ()


def test_the_words_traced_stand_in_the_document_and_mean_what_the_questions_mean(shelf) -> None:
    prism = shelf(FILES).with_settings(**{"gate.threshold": 0.0})
    answer = prism.ask(QUESTION)
    trace = prism.trace(answer.trace_id)
    citation = answer.citations[0]
    asked = trace["searches"][0]
    pairs = {
        asked[slice(*match["question"])]: FILES[citation.passage.document][slice(*match["document"])]
        for match in trace["matches"][str(citation.n)]
    }
    assert pairs["sign"] == "signature"
    assert pairs["wired"] == "Wire"
    assert 0 < len(pairs) <= 8
    assert "when" not in pairs
