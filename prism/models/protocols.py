"""What the pipelines ask of an embedder and a reranker; tests answer with arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from prism.types import Notice

Vectors = NDArray[np.float32]
"""Shape (n, d), each row of length 1."""

TokenVectors = NDArray[np.int8]
"""Shape (tokens, d): a row per token of a text, those the model adds left out. A row is a direction; its
length means nothing."""

OnBatch = Callable[[int], None]
"""Told after each batch how many texts are done so far."""


@dataclass(frozen=True, slots=True)
class QueryTokens:
    """The tokens of a question: float32 (tokens, d) with rows of length 1, and where each stands in it, as
    characters [start, end)."""

    vectors: Vectors
    spans: tuple[tuple[int, int], ...]


class Embedder(Protocol):
    """A bi-encoder: texts and questions to vectors whose dot product is their cosine."""

    @property
    def name(self) -> str:
        """Identity of the vectors: equal names mean interchangeable vectors."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    @property
    def max_tokens(self) -> int:
        """Tokens read of a text, special tokens included; the rest is cut off."""
        ...

    def embed(self, texts: Sequence[str], on_batch: OnBatch | None = None) -> Vectors:
        """Vectors of passages, float32 (n, d), in the order given."""
        ...

    def embed_query(self, text: str) -> Vectors:
        """Vector of a question, float32 (d,)."""
        ...

    def token_count(self, text: str) -> int:
        """Number of tokens, without the special ones."""
        ...

    def token_offsets(self, text: str) -> list[tuple[int, int]]:
        """Character span [start, end) of each token."""
        ...

    def tokenize(self, text: str) -> list[str]:
        """Tokens as strings: what a LlamaIndex splitter counts with."""
        ...

    def can_read(self, text: str) -> bool:
        """Whether the model was trained on the script the text is written in, and knows most of its
        tokens."""
        ...


class TokenEmbedder(Embedder, Protocol):
    """An embedder that also gives a vector for each token, out of the same pass, for late interaction. Tokens
    that the model adds ([CLS], [SEP], padding) and those of its own prompt have no row.
    """

    @property
    def token_recipe(self) -> str:
        """Identity of the token vectors: equal recipes mean that they may be compared. Loads no model."""
        ...

    def embed_with_tokens(
        self, texts: Sequence[str], on_batch: OnBatch | None = None
    ) -> tuple[Vectors, tuple[TokenVectors, ...]]:
        """What `embed` gives, and each text's token vectors."""
        ...

    def query_tokens(self, text: str) -> QueryTokens:
        """Token vectors of a question."""
        ...

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        """Character span [start, end) in a passage of each row of its token vectors, in their order."""
        ...


def token_embedder(embedder: Embedder) -> TokenEmbedder | None:
    """The same embedder where it gives token vectors, else None."""
    # Methods alone are looked for: asking for a property may load the model.
    needed = ("embed_with_tokens", "query_tokens", "token_spans")
    can = all(callable(getattr(embedder, name, None)) for name in needed)
    return cast(TokenEmbedder, embedder) if can else None


class Reranker(Protocol):
    """Scores passages against a question; higher is more relevant."""

    @property
    def name(self) -> str:
        """Identity of the scores: thresholds belong to one name."""
        ...

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What its self-test found doubtful; known once it has scored."""
        ...

    def score(self, question: str, texts: Sequence[str]) -> tuple[float, ...]:
        """One score per text, in the order given."""
        ...
