"""Token weights: what each token of a question is worth when it looks for its match.

Words weigh by how rare they are among the visible leaves (IDF; Spärck Jones 1972), as the keyword search
counts them. A word no leaf holds has no IDF to speak of: it may be the asker's own name for something, so it
weighs as a fairly rare one. Function words keep a floor: beside them a network says what a question is about.
What is a function word, the whole question tells: a word alone may be of any language of its script.
"""

from __future__ import annotations

import math
from collections.abc import Sequence, Set
from typing import Final, Protocol

import numpy as np
import regex
from numpy.typing import NDArray

from prism.text.question_language import question_language
from prism.text.tokens import query_tokens, question_languages
from prism.text.words import is_function_word

FLOOR: Final = 0.25
"""Weight of a function word, where the rarest word weighs 1."""

UNSEEN: Final = 0.6
"""Weight of a word that no visible leaf holds."""

MIN_LEAVES: Final = 100
"""Among fewer, how often a word occurs says nothing of how telling it is."""

_QUANTIFIERS: Final = frozenset({"many", "much"})
"""Of `how many`: they ask and name nothing, though passages are found by them; elsewhere one word asks."""

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
    language = question_language(question)
    languages = question_languages(question, words.languages)
    for word in _WORD.finditer(question):
        written = word.group().casefold() if question.isupper() else word.group()
        weight = FLOOR if _only_asks(written, language) else _rarity(written, languages, words)
        for place, (start, end) in enumerate(spans):
            # Some tokenizers count the blank before a word as part of its first token.
            start += len(question[start:end]) - len(question[start:end].lstrip())
            if word.start() <= start < end <= word.end() and _says_something(question[start:end]):
                weights[place] = weight
    return weights


def _only_asks(word: str, language: str) -> bool:
    """Capitals make a name of a function word: `IT`, `US`."""
    if word.casefold() in _QUANTIFIERS:
        return True
    return is_function_word(word, language) and not (len(word) > 1 and word.isupper())


def _rarity(word: str, languages: Set[str], words: Words) -> float:
    tokens = query_tokens(word, languages)
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
