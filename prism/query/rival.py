"""Rival: the sentence of another document that says the same with other figures.

Two versions of one rule stand side by side in many collections. An answer from one of them shows the other,
so that the reader decides which is in force.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import regex

from prism.query.ground import facts
from prism.query.quote import Quote

SAME_WORDS_SHARE = 0.6
"""Jaccard index of the two sentences' words, figures left out."""

MIN_WORDS = 5

_WORD = regex.compile(r"[\p{L}\p{M}]+")


def find_rival(quote: Quote, others: Sequence[Quote], document_of: Callable[[Quote], str]) -> Quote | None:
    """The likest sentence of another document whose figures differ, None when there is none.

    Args:
        others: sentences of the passages found, in any order.
        document_of: document id of the passage a sentence comes from.
    """
    figures, words = facts(quote.text), _words(quote.text)
    if not figures or len(words) < MIN_WORDS:
        return None
    near = [
        (_overlap(words, _words(other.text)), -other.ranks[0], other)
        for other in others
        if document_of(other) != document_of(quote) and facts(other.text) and facts(other.text) != figures
    ]
    share, _, rival = max(near, key=lambda item: item[:2], default=(0.0, 0, None))
    return rival if share >= SAME_WORDS_SHARE else None


def _words(text: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _WORD.findall(text))


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one | other else 0.0
