"""Vectors that were prepared are found by text, and a question's embedding can be paid for besides."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from llama_index.core.base.embeddings.base import BaseEmbedding

from eval.bench.lookup import LookupEmbedder, LookupEmbedding
from prism.models.protocols import Vectors
from tests.fakes import LetterEmbedder

PREPARED = {"leaf one": [1.0, 0.0], "leaf two": [0.0, 1.0]}


class Prepared:
    """Stands for `Material`."""

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


class Watched(LetterEmbedder):
    """The same for Prism. It would remember a question; what it is as a LlamaIndex embedding would not."""

    def __init__(self) -> None:
        self.llama_index = WatchedEmbedding()
        self.asked: list[str] = []

    def embed_query(self, text: str) -> Vectors:
        self.asked.append(text)
        return super().embed_query(text)


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


def test_no_question_is_embedded_unless_it_is_asked_for(prepared: Any) -> None:
    real = Watched()
    LookupEmbedder(prepared, real).embed_query("any")  # type: ignore[arg-type]
    assert (real.asked, real.llama_index.asked) == ([], [])


def test_prism_embeds_each_question_and_searches_with_what_was_prepared(prepared: Any) -> None:
    real = Watched()
    embedder = LookupEmbedder(prepared, real)  # type: ignore[arg-type]
    embedder.embed_questions()
    for _ in range(2):
        assert embedder.embed_query("why").tolist() == pytest.approx([0.6, 0.8])
    # A round that asks again spends the work again.
    assert (real.asked, real.llama_index.asked) == (["warm up"], ["why", "why"])


def test_the_plain_build_embeds_each_question_and_searches_with_what_was_prepared(prepared: Any) -> None:
    real = WatchedEmbedding()
    embedding = LookupEmbedding(prepared)
    embedding.embed_questions(real)
    assert embedding.get_query_embedding("why") == pytest.approx([0.6, 0.8])
    assert real.asked == ["warm up", "why"]
