"""Token weights: what each token of a question is worth when it looks for its match.

Words weigh by how rare they are among the visible leaves (IDF; Spärck Jones 1972), as the keyword search
counts them. A word no leaf holds has no IDF to speak of: it may be the asker's own name for something, so it
weighs as a fairly rare one. Function words keep a floor: beside them a network says what a question is about.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, Protocol

import numpy as np
import regex
from numpy.typing import NDArray

from prism.text.tokens import query_terms

FLOOR: Final = 0.25
"""Weight of a function word, where the rarest word weighs 1."""

UNSEEN: Final = 0.6
"""Weight of a word that no visible leaf holds."""

MIN_LEAVES: Final = 100
"""Among fewer, how often a word occurs says nothing of how telling it is."""

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:[-_/.,'’][\p{L}\p{M}\p{N}]+)*")


class Words(Protocol):
    """What is asked of the keyword view."""

    @property
    def languages(self) -> frozenset[str]:
        """The languages the visible leaves were read in."""
        ...

    @property
    def leaf_count(self) -> int:
        """How many leaves are visible."""
        ...

    def document_frequency(self, token: str) -> int:
        """In how many visible leaves a token occurs."""
        ...


def weigh_tokens(question: str, spans: Sequence[tuple[int, int]], words: Words) -> NDArray[np.float64]:
    """Weights in [0, 1], shape (tokens,); punctuation weighs nothing.

    Args:
        spans: characters [start, end) of each token of the question.
    """
    weights = np.zeros(len(spans))
    for word in _WORD.finditer(question):
        tokens = [token for term in query_terms(word.group(), words.languages) for token in term]
        weight = _weight(tokens, words)
        for place, (start, end) in enumerate(spans):
            if word.start() <= start and end <= word.end() and _says_something(question[start:end]):
                weights[place] = weight
    return weights


def _weight(tokens: Sequence[str], words: Words) -> float:
    if not tokens:
        return FLOOR
    # The stems of one word in several languages: whichever is known best.
    frequency = max(words.document_frequency(token) for token in tokens)
    if not frequency:
        return UNSEEN
    among = max(words.leaf_count, MIN_LEAVES)
    return max(FLOOR, _idf(frequency, among) / _idf(1, among))


def _idf(frequency: int, leaves: int) -> float:
    """As BM25 has it (Robertson & Zaragoza 2009), kept positive."""
    return math.log(1 + (leaves - frequency + 0.5) / (frequency + 0.5))


def _says_something(piece: str) -> bool:
    return any(character.isalnum() for character in piece)
