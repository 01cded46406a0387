"""Embedders that look vectors up instead of computing them, for all that is measured but embedding itself."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import PrivateAttr

from eval.bench.material import Material
from eval.bench.token_pool import read_spans, read_tokens
from prism.models.embedder import FolderEmbedder
from prism.models.protocols import OnBatch, QueryTokens, TokenVectors, Vectors
from prism.models.token_projection import unit_rows

BATCH = 2048
"""The most LlamaIndex allows a batch of texts."""


class LookupEmbedder:
    """Prism's embedder, token vectors included: counts and cuts with the real model's files, never loads its
    weights unless questions are to be embedded."""

    def __init__(self, material: Material, real: FolderEmbedder, dimension: int = 384) -> None:
        """`real` must remember one question only, or asking again would not spend the work again."""
        self._material = material
        self._real = real
        self._dimension = dimension
        self._embeds_questions = False
        # Made before anything is measured: in truth they come out of the pass that makes the vector.
        self._asked = {question.text: self._tokens_of(question.text) for question in material.questions}
        self.query_ms = 0.0
        """Milliseconds that `embed_query` has taken so far, all calls together."""

    def embed_questions(self) -> None:
        """From now on spend the work of embedding each question too; what is searched with stays the prepared
        vector, so that the same is found. Loads and warms the model."""
        self._real.query_tokens("warm up")
        self._embeds_questions = True

    @property
    def name(self) -> str:
        """The real model's."""
        return self._real.name

    @property
    def token_recipe(self) -> str:
        """The real model's."""
        return self._real.token_recipe

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._dimension

    @property
    def max_tokens(self) -> int:
        """The real model's."""
        return self._real.max_tokens

    def embed(self, texts: Sequence[str], on_batch: OnBatch | None = None) -> Vectors:
        """Raises `ModelCallError` for a text that is no leaf of the corpus."""
        found = self._material.vectors_of(texts)
        if on_batch is not None:
            on_batch(len(texts))
        return found

    def embed_with_tokens(
        self, texts: Sequence[str], on_batch: OnBatch | None = None
    ) -> tuple[Vectors, tuple[TokenVectors, ...]]:
        """Raises as `embed`."""
        tokens = self._material.token_vectors_of(texts)
        return self.embed(texts, on_batch), tokens

    def embed_query(self, text: str) -> Vectors:
        """Raises `ModelCallError` for what is none of the questions."""
        began = time.perf_counter()
        if self._embeds_questions:
            self._real.embed_query(text)
        found = self._material.question_vector(text)
        self.query_ms += (time.perf_counter() - began) * 1000
        return found

    def query_tokens(self, text: str) -> QueryTokens:
        """Rows of the pool for the question's tokens, so that they meet those of leaves."""
        if self._embeds_questions:
            self._real.query_tokens(text)
        return self._asked.get(text) or self._tokens_of(text)

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        """As the real model cuts, cut anew each time as it does."""
        return read_spans(text, self._real)

    def token_count(self, text: str) -> int:
        """As the real model counts."""
        return self._real.token_count(text)

    def token_offsets(self, text: str) -> list[tuple[int, int]]:
        """As the real model cuts."""
        return self._real.token_offsets(text)

    def tokenize(self, text: str) -> list[str]:
        """As the real model cuts."""
        return self._real.tokenize(text)

    def can_read(self, text: str) -> bool:
        """As the real model."""
        return self._real.can_read(text)

    def _tokens_of(self, text: str) -> QueryTokens:
        pool = self._material.pool
        rows = pool.rows[pool.places(read_tokens(text, self._real))]
        return QueryTokens(unit_rows(rows.astype(np.float32)), tuple(read_spans(text, self._real)))


class LookupEmbedding(BaseEmbedding):
    """The plain build's embedder."""

    _material: Material = PrivateAttr()
    _real: BaseEmbedding | None = PrivateAttr(default=None)

    def __init__(self, material: Material) -> None:
        super().__init__(model_name="lookup", embed_batch_size=BATCH)
        self._material = material

    def embed_questions(self, real: BaseEmbedding) -> None:
        """As `LookupEmbedder.embed_questions`, with `real`."""
        real.get_query_embedding("warm up")
        self._real = real

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return self._material.vectors_of(texts).tolist()  # type: ignore[no-any-return]

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._get_text_embeddings([text])[0]

    def _get_query_embedding(self, query: str) -> list[float]:
        if self._real is not None:
            self._real.get_query_embedding(query)
        return self._material.question_vector(query).tolist()  # type: ignore[no-any-return]

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_query_embedding(query)
