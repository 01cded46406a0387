"""Token vectors are computed once, and given by wrappers of those embedders alone that have them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from eval.runs.cache import Kept, kept
from eval.runs.token_cache import cached, repeating
from prism.models.protocols import token_embedder
from tests.fakes import LetterEmbedder, LetterTokenEmbedder

TEXTS = ["ab c", "", "abb", "ab c"]


class Counting(LetterTokenEmbedder):
    """Keeps what it was asked for."""

    def __init__(self) -> None:
        self.passages: list[str] = []
        self.questions: list[str] = []

    def embed_with_tokens(self, texts, on_batch=None):
        self.passages += texts
        return super().embed_with_tokens(texts, on_batch)

    def query_tokens(self, text):
        self.questions.append(text)
        return super().query_tokens(text)


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[Kept]:
    with kept(tmp_path / "vectors.sqlite") as values:
        yield values


def test_what_is_wrapped_decides_whether_there_are_token_vectors(cache: Kept) -> None:
    for wrap in (lambda embedder: cached(embedder, cache), repeating):
        assert token_embedder(wrap(LetterEmbedder())) is None
        able = wrap(LetterTokenEmbedder())
        assert token_embedder(able) is able
        assert able.token_recipe == LetterTokenEmbedder.token_recipe
        assert able.token_spans("a b") == [(0, 1), (2, 3)]


def test_a_passage_is_embedded_once_and_read_to_the_bit(cache: Kept) -> None:
    inner, expected = Counting(), LetterTokenEmbedder().embed_with_tokens(TEXTS)
    for _ in range(2):
        embedder = cached(inner, cache)
        vectors, tokens = embedder.embed_with_tokens(TEXTS)
        np.testing.assert_array_equal(vectors, expected[0])
        for found, rows in zip(tokens, expected[1], strict=True):
            assert found.dtype == np.int8
            np.testing.assert_array_equal(found, rows)
    assert inner.passages == ["ab c", "", "abb"]
    assert embedder.computed == 0


def test_vectors_kept_without_token_vectors_are_computed_again_and_the_other_way_round_are_not(
    cache: Kept,
) -> None:
    inner = Counting()
    cached(LetterEmbedder(), cache).embed(["ab"])
    cached(inner, cache).embed_with_tokens(["ab", "c"])
    assert inner.passages == ["ab", "c"]
    plain = cached(LetterEmbedder(), cache)
    plain.embed(["c", "ab"])
    assert plain.computed == 0


def test_another_recipe_is_computed_anew(cache: Kept) -> None:
    cached(Counting(), cache).embed_with_tokens(TEXTS)
    other = Counting()
    other.token_recipe = "letters-26-int8-2"  # noqa: S105
    cached(other, cache).embed_with_tokens(TEXTS[:1])
    assert other.passages == TEXTS[:1]


def test_progress_counts_what_was_read_as_done(cache: Kept) -> None:
    embedder = cached(LetterTokenEmbedder(), cache)
    told: list[int] = []
    embedder.embed_with_tokens(["a", "b"])
    embedder.embed_with_tokens(["a", "b", "c"], told.append)
    embedder.embed_with_tokens(["a", "b", "c"], told.append)
    assert told == [3, 3]


def test_no_texts_give_no_vectors(cache: Kept) -> None:
    vectors, tokens = cached(LetterTokenEmbedder(), cache).embed_with_tokens([])
    assert (vectors.shape, tokens) == ((0, 26), ())


def test_a_questions_tokens_are_computed_once_until_the_next_question(cache: Kept) -> None:
    inner = Counting()
    embedder = repeating(inner)
    for _ in range(2):
        for _ in range(2):
            np.testing.assert_array_equal(
                embedder.query_tokens("ab c").vectors, LetterTokenEmbedder().query_tokens("ab c").vectors
            )
        embedder.forget()
    assert inner.questions == ["ab c", "ab c"]
    assert len(embedder.embed_with_tokens(["a"])[1]) == 1
    indexing = cached(inner, cache)
    for _ in range(2):
        indexing.query_tokens("ab c")
    assert inner.questions == ["ab c"] * 4, "a question costs its pass each time: its time is measured"
