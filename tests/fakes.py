"""Stand-ins that do arithmetic: what they return can be worked out by hand."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from prism.models.protocols import OnBatch, Vectors

LETTERS = "abcdefghijklmnopqrstuvwxyz"
_WORD = re.compile(r"\S+")


class LetterEmbedder:
    """A text's vector counts its letters a to z (case ignored), scaled to length 1; a token is a word.

    A text without such letters gets the first axis. Reads ASCII only.
    """

    name = "letters@1"
    dimension = len(LETTERS)
    max_tokens = 256

    def embed(self, texts: Sequence[str], on_batch: OnBatch | None = None) -> Vectors:
        rows = [self.embed_query(text) for text in texts]
        if on_batch is not None and rows:
            on_batch(len(rows))
        return np.array(rows, dtype=np.float32).reshape(len(rows), self.dimension)

    def embed_query(self, text: str) -> Vectors:
        counts = np.array([text.lower().count(letter) for letter in LETTERS], dtype=np.float32)
        if not counts.any():
            counts[0] = 1.0
        return counts / np.float32(np.linalg.norm(counts))

    def token_count(self, text: str) -> int:
        return len(self.tokenize(text))

    def token_offsets(self, text: str) -> list[tuple[int, int]]:
        return [word.span() for word in _WORD.finditer(text)]

    def tokenize(self, text: str) -> list[str]:
        return _WORD.findall(text)

    def can_read(self, text: str) -> bool:
        return text.isascii()


class SharedWordsReranker:
    """A passage's score is the number of different words it shares with the question."""

    name = "shared-words@1"

    def score(self, question: str, texts: Sequence[str]) -> tuple[float, ...]:
        asked = set(question.lower().split())
        return tuple(float(len(asked & set(text.lower().split()))) for text in texts)
