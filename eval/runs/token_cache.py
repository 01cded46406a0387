"""The embedders of `cache.py` for those that give token vectors, and which of the two an embedder gets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from eval.runs.cache import CachedEmbedder, Kept, RepeatingEmbedder, content_key, vector_bytes
from prism.models.protocols import (
    Embedder,
    OnBatch,
    QueryTokens,
    TokenEmbedder,
    TokenVectors,
    Vectors,
    token_embedder,
)

_WIDTH_BYTES = 4
"""Before the rows of a text: how many numbers each has."""


def cached(embedder: Embedder, cache: Kept) -> CachedEmbedder:
    """An embedder for indexing that reads from the cache what it can."""
    with_tokens = token_embedder(embedder)
    return CachedEmbedder(embedder, cache) if with_tokens is None else CachedTokenEmbedder(with_tokens, cache)


def repeating(embedder: Embedder) -> RepeatingEmbedder:
    """An embedder for asking that repeats what it gave for the same question."""
    with_tokens = token_embedder(embedder)
    return RepeatingEmbedder(embedder) if with_tokens is None else RepeatingTokenEmbedder(with_tokens)


class CachedTokenEmbedder(CachedEmbedder):
    """A `CachedEmbedder` that keeps token vectors as well, by content and recipe."""

    def __init__(self, embedder: TokenEmbedder, cache: Kept) -> None:
        super().__init__(embedder, cache)
        self._tokens = embedder

    @property
    def token_recipe(self) -> str:
        """The embedder's."""
        return self._tokens.token_recipe

    def embed_with_tokens(
        self, texts: Sequence[str], on_batch: OnBatch | None = None
    ) -> tuple[Vectors, tuple[TokenVectors, ...]]:
        """Vectors of passages, float32 (n, d), and each one's token vectors, in the order given."""
        keys = {text: (self._vector_key(text), self._token_key(text)) for text in texts}
        known = self._cache.get([key for pair in keys.values() for key in pair])
        missing = [text for text, pair in keys.items() if not known.keys() >= set(pair)]
        if missing:
            before = len(texts) - len(missing)
            made = self._tokens.embed_with_tokens(
                missing, on_batch and (lambda done: on_batch(before + done))
            )
            fresh: dict[bytes, bytes] = {}
            for text, vector, rows in zip(missing, *made, strict=True):
                fresh |= zip(keys[text], (vector_bytes(vector), _token_bytes(rows)), strict=True)
            self._cache.put(fresh)
            known |= fresh
            self.computed += len(missing)
        elif on_batch is not None:
            on_batch(len(texts))
        vectors = [np.frombuffer(known[keys[text][0]], dtype=np.float32) for text in texts]
        return self._stacked(vectors), tuple(_token_rows(known[keys[text][1]]) for text in texts)

    def query_tokens(self, text: str) -> QueryTokens:
        """Token vectors of a question, computed each time."""
        return self._tokens.query_tokens(text)

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        """The embedder's."""
        return self._tokens.token_spans(text)

    def _token_key(self, text: str) -> bytes:
        return content_key("tokens", self.token_recipe, self.name, str(self.max_tokens), text)


class RepeatingTokenEmbedder(RepeatingEmbedder):
    """A `RepeatingEmbedder` that gives a question's token vectors again as well."""

    def __init__(self, embedder: TokenEmbedder) -> None:
        super().__init__(embedder)
        self._tokens = embedder
        self._question_tokens: dict[str, QueryTokens] = {}

    @property
    def token_recipe(self) -> str:
        """The embedder's."""
        return self._tokens.token_recipe

    def forget(self) -> None:
        """The next search is of another question."""
        super().forget()
        self._question_tokens.clear()

    def embed_with_tokens(
        self, texts: Sequence[str], on_batch: OnBatch | None = None
    ) -> tuple[Vectors, tuple[TokenVectors, ...]]:
        """The embedder's."""
        return self._tokens.embed_with_tokens(texts, on_batch)

    def query_tokens(self, text: str) -> QueryTokens:
        """Token vectors of a question."""
        if text not in self._question_tokens:
            self._question_tokens[text] = self._tokens.query_tokens(text)
        return self._question_tokens[text]

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        """The embedder's."""
        return self._tokens.token_spans(text)


def _token_bytes(rows: TokenVectors) -> bytes:
    return rows.shape[1].to_bytes(_WIDTH_BYTES, "big") + np.ascontiguousarray(rows, dtype=np.int8).tobytes()


def _token_rows(data: bytes) -> TokenVectors:
    width = int.from_bytes(data[:_WIDTH_BYTES], "big")
    return np.frombuffer(data, dtype=np.int8, offset=_WIDTH_BYTES).reshape(-1, width)
