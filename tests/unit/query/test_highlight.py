"""Which words are shown to meet, by letters: "cap" meets "caps" by √¾, "cat" by 2/3, "dog" by 0."""

from __future__ import annotations

import numpy as np
import pytest

from prism.models.protocols import QueryTokens
from prism.query.align import Alignment
from prism.query.highlight import MAX_MATCHES, highlight
from prism.query.meet import Meeting
from prism.query.token_weights import FLOOR
from prism.types import Passage
from tests.fakes import LETTERS, LetterTokenEmbedder

EMBEDDER = LetterTokenEmbedder()


def shown(
    question: str, text: str, *, weights: list[float] | None = None, start: int = 100
) -> list[tuple[str, str, float]]:
    """The pairs of words, and their cosine; the passage begins at `start` of its document."""
    asked, written = EMBEDDER.query_tokens(question), EMBEDDER.query_tokens(text)
    spans = np.array(written.spans, dtype=np.intp).reshape(-1, 2) + start
    worth = np.array([1.0] * len(asked.spans) if weights is None else weights)
    meeting = Meeting(spans, written.vectors @ asked.vectors.T)
    found = highlight(question, passage(text, start), Alignment(asked, worth, {1: meeting}))
    return [
        (
            question[slice(*match.question)],
            text[match.document[0] - start : match.document[1] - start],
            match.cosine,
        )
        for match in found
    ]


def passage(text: str, start: int, rank: int = 1) -> Passage:
    return Passage(rank, "n", (), "d", "doc", 1, (), start, start + len(text), text, 1.0, {})


def test_each_word_is_paired_with_the_one_that_meets_it_best() -> None:
    assert shown("cap dog", "cat caps hog") == [("cap", "caps", 0.866), ("dog", "hog", 0.667)]


def test_what_counts_most_comes_first() -> None:
    assert [word for word, *_ in shown("cap dog", "caps dog")] == ["dog", "cap"]
    assert [word for word, *_ in shown("cap dog", "caps dog", weights=[1.0, 0.5])] == ["cap", "dog"]


def test_function_words_and_punctuation_show_nothing() -> None:
    assert shown("the cap ?", "the cap ?", weights=[FLOOR, 0.6, 0.0]) == [("cap", "cap", 1.0)]


def test_words_that_have_little_to_do_with_each_other_are_not_shown() -> None:
    # One letter of two and three: √⅙. Two of three and three: ⅔.
    assert shown("ab", "acd") == []
    assert shown("abc", "abd") == [("abc", "abd", 0.667)]


def test_no_more_than_eight_are_shown() -> None:
    many = " ".join(LETTERS)
    assert MAX_MATCHES == 8
    assert len(shown(many, many)) == 8
    assert len(shown("a b c", many)) == 3


def by_rows(question: str, spans: tuple[tuple[int, int], ...], text: str, *places: tuple[int, int]):
    """Tokens as a tokenizer of subwords cuts them; the n-th of the question meets the n-th of the text."""
    rows = np.eye(len(spans), dtype=np.float32)
    aligned = Alignment(
        QueryTokens(rows, spans), np.ones(len(spans)), {1: Meeting(np.array(places, dtype=np.intp), rows)}
    )
    return [(match.question, match.document) for match in highlight(question, passage(text, 0), aligned)]


def test_a_word_in_pieces_is_shown_once_and_whole() -> None:
    assert by_rows("transfers", ((0, 5), (5, 9)), "a transfer.", (2, 7), (7, 10)) == [((0, 9), (2, 10))]


def test_of_the_pieces_of_a_word_the_one_that_counts_most_is_shown() -> None:
    rows = np.array([[0.6, 0.0], [0.0, 0.9]], dtype=np.float32)
    asked = QueryTokens(np.eye(2, dtype=np.float32), ((0, 5), (5, 9)))
    meeting = Meeting(np.array([(0, 5), (6, 11)], dtype=np.intp), rows)
    aligned = Alignment(asked, np.ones(2), {1: meeting})
    (match,) = highlight("transfers", passage("trans deals", 0), aligned)
    assert (match.document, match.cosine) == ((6, 11), 0.9)


def test_a_sign_that_is_of_no_word_stands_for_itself() -> None:
    assert by_rows("by %", ((3, 4),), "5 % up", (2, 3)) == [((3, 4), (2, 3))]


def test_a_passage_without_rows_or_meeting_shows_nothing() -> None:
    assert shown("cap", "") == []
    asked = EMBEDDER.query_tokens("cap")
    assert highlight("cap", passage("cap", 0, rank=2), Alignment(asked, np.ones(1), {})) == ()


def test_the_cosine_is_rounded_and_finite() -> None:
    (_, _, cosine), *_ = shown("cap", "caps")
    assert cosine == pytest.approx(0.866, abs=1e-9)
