"""Token vectors to measure with: rows of real sentences, put together anew by token.

A model would read 100,000 leaves for half an hour and more, and what it made of them would be 0.8 GB. So some
of the sentences the corpus is made of are read once, and each token of a leaf gets a row that the model gave
the same token there, in turns where it has several: as many rows, of the same numbers, as a user's leaf has.
A token that none of these sentences holds always gets the same row of another token.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from prism.models.protocols import Embedder, TokenEmbedder, TokenVectors

SPECIAL_TOKENS: Final = 2
"""BERT's [CLS] and [SEP]: read within the model's limit, without a row."""

Places = NDArray[np.int32]
"""Rows of a pool by their number, shape (tokens,)."""


class TokenPool:
    """Token vectors by token: half a megabyte for 400 sentences."""

    def __init__(self, tokens: Sequence[str], rows: TokenVectors) -> None:
        """
        Args:
            tokens: the token of each row.
            rows: int8 (rows, d).
        """
        self.rows = rows
        self.tokens = tuple(tokens)
        self._places: defaultdict[str, list[int]] = defaultdict(list)
        for place, token in enumerate(tokens):
            self._places[token].append(place)

    @classmethod
    def of(cls, sentences: Sequence[str], embedder: TokenEmbedder) -> TokenPool:
        """Read sentences with the model; none of them may be longer than it reads."""
        _, rows = embedder.embed_with_tokens(sentences)
        tokens: list[str] = []
        for sentence, own in zip(sentences, rows, strict=True):
            tokens += (token for token, _ in zip(embedder.tokenize(sentence), own, strict=True))
        return cls(tokens, np.concatenate(rows))

    @classmethod
    def load(cls, folder: Path) -> TokenPool:
        """What `save` has written."""
        tokens = np.load(folder / "pool_tokens.npy")
        return cls(tokens.tolist(), np.load(folder / "pool_rows.npy"))

    def save(self, folder: Path) -> None:
        """Write it to a folder."""
        np.save(folder / "pool_tokens.npy", np.array(self.tokens))
        np.save(folder / "pool_rows.npy", self.rows)

    def places(self, tokens: Sequence[str], turn: int = 0) -> Places:
        """A row for each token.

        Args:
            turn: which of the rows of a token comes first, as the number of the leaf.
        """
        return np.array([self._place(token, turn + at) for at, token in enumerate(tokens)], dtype=np.int32)

    def _place(self, token: str, turn: int) -> int:
        own = self._places.get(token)
        return own[turn % len(own)] if own else zlib.crc32(token.encode()) % len(self.rows)


def read_tokens(text: str, embedder: Embedder) -> list[str]:
    """The tokens of a text that get a row: those the model reads."""
    return embedder.tokenize(text)[: embedder.max_tokens - SPECIAL_TOKENS]


def read_spans(text: str, embedder: Embedder) -> list[tuple[int, int]]:
    """Where they stand, as characters [start, end)."""
    return embedder.token_offsets(text)[: embedder.max_tokens - SPECIAL_TOKENS]
