"""What each token of a question weighs while the projection learns: how rare it is among the set's leaves.

By the embedder's own tokens and not by whole words, as `prism/query/token_weights.py` weighs them when
questions are asked: it was so that the packaged matrix was made.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

Pieces = Callable[[str], Sequence[str]]
"""A text's tokens as the vocabulary writes them."""


@dataclass(frozen=True, slots=True)
class Rarity:
    """In how many of `leaves` leaves each token occurs."""

    leaves: int
    holding: Mapping[str, int]

    def idf(self, piece: str) -> float:
        """As BM25 has it (Robertson & Zaragoza 2009), kept positive: `ln(1 + (n - f + ½) / (f + ½))`."""
        frequency = self.holding.get(piece, 0)
        return math.log1p((self.leaves - frequency + 0.5) / (frequency + 0.5))


def count(texts: Iterable[str], pieces_of: Pieces) -> Rarity:
    """How many of the texts hold each token."""
    holding: Counter[str] = Counter()
    leaves = 0
    for text in texts:
        holding.update(set(pieces_of(text)))
        leaves += 1
    return Rarity(leaves, holding)


def shares(pieces: Sequence[str], rarity: Rarity) -> tuple[float, ...]:
    """What each token weighs; together they weigh 1."""
    weights = [rarity.idf(piece) for piece in pieces]
    total = sum(weights)
    return tuple(weight / total for weight in weights)


def words_of(text: str, spans: Sequence[tuple[int, int]]) -> list[int]:
    """Places of the tokens that are no punctuation.

    Args:
        spans: characters [start, end) of each token of the text.
    """
    return [
        place
        for place, (start, end) in enumerate(spans)
        if any(character.isalnum() for character in text[start:end])
    ]
