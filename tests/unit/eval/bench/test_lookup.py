"""Vectors that were prepared are found by text, and a question's embedding can be paid for besides."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from llama_index.core.base.embeddings.base import BaseEmbedding

from eval.bench.lookup import LookupEmbedder, LookupEmbedding
from eval.bench.material import Question
from eval.bench.token_pool import TokenPool
from prism.models.protocols import QueryTokens, TokenVectors, Vectors, token_embedder
from prism.models.recent import Recent
from tests.fakes import LetterTokenEmbedder

PREPARED = {"leaf one": [1.0, 0.0], "leaf two": [0.0, 1.0]}


class Prepared:
    """Stands for `Material`."""

    questions = (Question("why", "n", "d", frozenset()),)
    pool = TokenPool(["ab", "c"], np.array([[3, 4], [0, 5]], dtype=np.int8))

    def token_vectors_of(self, texts: list[str]) -> tuple[TokenVectors, ...]:
        return tuple(self.pool.rows[: len(text.split())] for text in texts)

    def vectors_of(self, texts: list[str]) -> Vectors:
        return np.array([PREPARED[text] for text in texts], dtype=np.float32)

    def question_vector(self, text: str) -> Vectors:
        return np.array([0.6, 0.8], dtype=np.float32)


class WatchedEmbedding(BaseEmbedding):
    """Tells what it was asked to embed."""

    asked: list[str] = []  # noqa: RUF012 - pydantic copies it per object

    def _get_query_embedding(self, query: str) -> list[float]:
        self.asked.append(query)
        return [0.0, 0.0]

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_query_embedding(query)

    def _get_text_embedding(self, text: str) -> list[float]:
        raise AssertionError("only questions are embedded")


class Watched(LetterTokenEmbedder):
    """The same for Prism, remembering one question as the real one is told to."""

    max_tokens = 5

    def __init__(self) -> None:
        self.asked: list[str] = []
        self._passes = Recent(self._read, 1)

    def embed_query(self, text: str) -> Vectors:
        self._passes.get(text)
        return super().embed_query(text)

    def query_tokens(self, text: str) -> QueryTokens:
        self._passes.get(text)
        return super().query_tokens(text)

    def _read(self, text: str) -> str:
        self.asked.append(text)
        return text


@pytest.fixture
def prepared() -> Any:
    return Prepared()


def test_prism_is_given_the_prepared_vectors(prepared: Any) -> None:
    embedder = LookupEmbedder(prepared, Watched())  # type: ignore[arg-type]
    done: list[int] = []
    assert embedder.embed(["leaf two", "leaf one"], done.append).tolist() == [[0.0, 1.0], [1.0, 0.0]]
    assert done == [2]
    assert embedder.embed_query("any").tolist() == pytest.approx([0.6, 0.8])


def test_the_plain_build_is_given_the_prepared_vectors(prepared: Any) -> None:
    embedding = LookupEmbedding(prepared)
    assert embedding.get_text_embedding_batch(["leaf two", "leaf one"]) == [[0.0, 1.0], [1.0, 0.0]]
    assert embedding.get_query_embedding("any") == pytest.approx([0.6, 0.8])


def test_tokens_are_counted_by_the_real_embedder(prepared: Any) -> None:
    embedder = LookupEmbedder(prepared, Watched())  # type: ignore[arg-type]
    assert (embedder.name, embedder.token_count("two words"), embedder.can_read("é")) == (
        "letters@1",
        2,
        False,
    )


def test_it_gives_token_vectors_under_the_real_recipe(prepared: Any) -> None:
    embedder = LookupEmbedder(prepared, Watched())  # type: ignore[arg-type]
    assert token_embedder(embedder) is embedder  # type: ignore[arg-type]
    assert embedder.token_recipe == LetterTokenEmbedder.token_recipe


def test_leaves_get_vectors_and_token_vectors_in_one_call(prepared: Any) -> None:
    embedder = LookupEmbedder(prepared, Watched())  # type: ignore[arg-type]
    done: list[int] = []
    vectors, tokens = embedder.embed_with_tokens(["leaf two"], done.append)
    assert vectors.tolist() == [[0.0, 1.0]]
    assert [rows.tolist() for rows in tokens] == [[[3, 4], [0, 5]]]
    assert done == [1]


def test_a_question_gets_unit_rows_of_its_tokens_and_where_they_stand(prepared: Any) -> None:
    asked = LookupEmbedder(prepared, Watched()).query_tokens("c ab")  # type: ignore[arg-type]
    assert asked.vectors == pytest.approx(np.array([[0.0, 1.0], [0.6, 0.8]]))
    assert (asked.vectors.dtype, asked.spans) == (np.float32, ((0, 1), (2, 4)))


def test_rows_and_spans_end_where_the_model_stops_reading(prepared: Any) -> None:
    embedder = LookupEmbedder(prepared, Watched())  # type: ignore[arg-type]
    assert embedder.token_spans("a b c d e") == [(0, 1), (2, 3), (4, 5)]
    assert len(embedder.query_tokens("a b c d e").vectors) == 3


def test_tokens_of_questions_are_ready_before_they_are_asked(prepared: Any) -> None:
    embedder = LookupEmbedder(prepared, Watched())  # type: ignore[arg-type]
    assert embedder.query_tokens("why") is embedder.query_tokens("why")


def test_the_time_of_question_vectors_adds_up(prepared: Any) -> None:
    embedder = LookupEmbedder(prepared, Watched())  # type: ignore[arg-type]
    assert embedder.query_ms == 0.0
    embedder.embed_query("any")
    once = embedder.query_ms
    embedder.embed_query("any")
    assert 0 < once < embedder.query_ms


def test_no_question_is_embedded_unless_it_is_asked_for(prepared: Any) -> None:
    real = Watched()
    embedder = LookupEmbedder(prepared, real)  # type: ignore[arg-type]
    embedder.embed_query("any")
    embedder.query_tokens("any")
    assert real.asked == []


def test_prism_embeds_each_question_and_searches_with_what_was_prepared(prepared: Any) -> None:
    real = Watched()
    embedder = LookupEmbedder(prepared, real)  # type: ignore[arg-type]
    embedder.embed_questions()
    for question in ("why", "how", "why"):
        assert embedder.embed_query(question).tolist() == pytest.approx([0.6, 0.8])
        embedder.query_tokens(question)
    # One pass a question, and a round that asks again spends the work again.
    assert real.asked == ["warm up", "why", "how", "why"]


def test_the_plain_build_embeds_each_question_and_searches_with_what_was_prepared(prepared: Any) -> None:
    real = WatchedEmbedding()
    embedding = LookupEmbedding(prepared)
    embedding.embed_questions(real)
    assert embedding.get_query_embedding("why") == pytest.approx([0.6, 0.8])
    assert real.asked == ["warm up", "why"]
