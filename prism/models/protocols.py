"""What the pipelines ask of an embedder and a reranker; tests answer with arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from prism.types import Notice

Vectors = NDArray[np.float32]
"""Shape (n, d), each row of length 1."""

OnBatch = Callable[[int], None]
"""Told after each batch how many texts are done so far."""


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
        """Whether the model was trained on the script the text is written in."""
        ...


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
