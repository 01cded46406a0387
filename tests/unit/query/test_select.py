"""How near a sentence is to the question, by letters: "cap" meets "cap" by 1, "cat" by 2/3, "dog" by 0."""

from __future__ import annotations

import numpy as np
import pytest

from prism.query.align import Alignment
from prism.query.condense import Standalone
from prism.query.meet import Meeting
from prism.query.parts import QueryParts
from prism.query.quote import Quote
from prism.query.select import LEAST_WEIGHT, UNRELATED, by_embedding, by_tokens
from prism.settings import Settings
from tests.fakes import LetterEmbedder, LetterTokenEmbedder

EMBEDDER = LetterTokenEmbedder()


def alignment(question: str, weights: tuple[float, ...], *texts: str) -> Alignment:
    """The question beside these passages, which all begin at 0."""
    asked = EMBEDDER.query_tokens(question)
    meetings = {}
    for rank, text in enumerate(texts, start=1):
        rows = EMBEDDER.query_tokens(text)
        spans = np.array(rows.spans, dtype=np.intp).reshape(-1, 2)
        meetings[rank] = Meeting(spans, rows.vectors @ asked.vectors.T)
    return Alignment(asked, np.array(weights), meetings)


def sentence(start: int, end: int, rank: int = 1) -> Quote:
    return Quote("", start, end, (rank,), "", "", 0.0)


def alone(question: str) -> Standalone:
    return Standalone((question,), question)


def relevance(question: Standalone, aligned: Alignment, *sentences: Quote) -> list[float]:
    """Of sentences that are related; those that are not have `UNRELATED`."""
    return (by_tokens(question, aligned, weight=1.0).nearness(sentences) + UNRELATED).tolist()


def nearness(question: Standalone, aligned: Alignment, *sentences: Quote) -> list[float]:
    return by_tokens(question, aligned, weight=1.0).nearness(sentences).tolist()


def test_a_sentence_is_as_near_as_its_own_tokens_meet_the_questions_by_weight() -> None:
    aligned = alignment("cap dog", (3.0, 1.0), "cat dog. cap hog")
    # (3 · 2/3 + 1 · 1) / 4; "hog" meets "dog" by 2/3: (3 · 1 + 1 · 2/3) / 4; all of it: 1.
    assert relevance(alone("cap dog"), aligned, sentence(0, 8), sentence(9, 16), sentence(0, 16)) == [
        pytest.approx(0.75),
        pytest.approx(11 / 12),
        pytest.approx(1.0),
    ]


def test_a_word_that_hardly_weighs_counts_for_more_among_sentences_and_one_of_no_weight_for_nothing() -> None:
    # (1 · 2/3 + .6 · 1) / 1.6 and (1 · 1 + .6 · 2/3) / 1.6.
    aligned = alignment("cap dog", (1.0, 0.1), "cat dog. cap hog")
    found = relevance(alone("cap dog"), aligned, sentence(0, 8), sentence(9, 16))
    assert found == pytest.approx([(2 / 3 + LEAST_WEIGHT) / 1.6, (1 + LEAST_WEIGHT * 2 / 3) / 1.6])
    silent = alignment("cap dog", (1.0, 0.0), "cat dog. cap hog")
    assert relevance(alone("cap dog"), silent, sentence(9, 16)) == pytest.approx([1.0])


def test_each_sentence_is_looked_up_in_its_own_passage() -> None:
    aligned = alignment("cap", (1.0,), "cap", "cat")
    found = relevance(alone("cap"), aligned, sentence(0, 3, 2), sentence(0, 3, 1), sentence(0, 3, 3))
    assert found == pytest.approx([2 / 3, 1.0, UNRELATED])


def test_what_any_sentence_reaches_counts_for_nothing() -> None:
    # "capdogs" meets "cap" by 3 / √21, "dog" by 0.
    aligned = alignment("cap", (1.0,), "cap dog. dog. capdogs")
    assert nearness(alone("cap"), aligned, sentence(9, 12), sentence(14, 21)) == pytest.approx(
        [0.0, 3 / 21**0.5 - 0.3], abs=1e-6
    )


def test_no_sentences_are_no_values() -> None:
    assert nearness(alone("cap"), alignment("cap", (1.0,), "cap")) == []


def test_a_follow_up_means_what_it_asks_itself_as_much_as_all_that_was_searched() -> None:
    joined = Standalone(("cap dog", "dog"), "dog", joined=True)
    aligned = alignment("cap dog", (1.0, 1.0), "cap. dog.")
    # (1/2 + 0) / 2, less than unrelated ones reach, and (1/2 + 1) / 2.
    assert relevance(joined, aligned, sentence(0, 4), sentence(5, 9)) == pytest.approx([UNRELATED, 0.75])
    assert relevance(alone("cap dog"), aligned, sentence(0, 4), sentence(5, 9)) == pytest.approx([0.5, 0.5])


def test_a_follow_up_whose_own_words_weigh_nothing_means_what_was_searched() -> None:
    joined = Standalone(("cap ?", "?"), "?", joined=True)
    assert relevance(joined, alignment("cap ?", (1.0, 0.0), "cap."), sentence(0, 4)) == pytest.approx([1.0])


def test_without_token_vectors_a_sentence_is_embedded_whole() -> None:
    meaning = by_embedding(alone("cap"), embedding(LetterEmbedder()))
    texts = [Quote(text, 0, 0, (1,), "", "", 0.0) for text in ("cap", "cat", "dog")]
    assert meaning.nearness(texts) == pytest.approx([1, 2 / 3, 0], abs=1e-6)
    assert meaning.most == 24


def test_of_a_follow_up_both_forms_are_compared_and_those_in_another_script_are_left_out() -> None:
    joined = Standalone(("cap dog", "dog"), "dog", joined=True)
    dog = [Quote("dog", 0, 0, (1,), "", "", 0.0)]
    # √½ with the whole, 1 with its own.
    assert by_embedding(joined, embedding(LetterEmbedder())).nearness(dog) == pytest.approx(
        [(0.5**0.5 + 1) / 2], abs=1e-6
    )
    assert by_embedding(alone("सीमा"), embedding(LetterEmbedder())) is None


def embedding(embedder: LetterEmbedder) -> QueryParts:
    return QueryParts(None, None, None, None, embedder, None, Settings())
