"""Highlight: which words of a passage best meet words of the question, to show a reader why it was found.

The question's words of weight come first; a function word meets another anywhere and shows nothing.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

import numpy as np
import regex

from prism.query.align import Alignment
from prism.query.token_weights import FLOOR
from prism.types import Passage

MAX_MATCHES: Final = 8
MIN_COSINE: Final = 0.5
"""Below it, words have less to do with each other than any two words of one subject."""

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class WordMatch:
    """A word of the question, characters [start, end) of it, and the word of the document that meets it best,
    in document offsets."""

    question: Span
    document: Span
    cosine: float


def highlight(question: str, passage: Passage, alignment: Alignment) -> tuple[WordMatch, ...]:
    """At most 8 matches, what counts most first; a word of the question once.

    Args:
        question: as it was searched, which the alignment is of.
    """
    meeting = alignment.meetings.get(passage.rank)
    if meeting is None or not len(meeting.spans):
        return ()
    best = meeting.cosines.argmax(axis=0)
    cosines = meeting.cosines[best, np.arange(len(best))]
    worth = np.where((alignment.weights > FLOOR) & (cosines >= MIN_COSINE), alignment.weights * cosines, 0.0)
    asked, written = _words(question), _words(passage.text)
    matches: dict[Span, WordMatch] = {}
    for token in np.argsort(-worth, kind="stable")[: int(np.count_nonzero(worth))]:
        start, end = meeting.spans[best[token]] - passage.start
        word = _around(alignment.question.spans[token], asked)
        place = _around((int(start), int(end)), written)
        match = WordMatch(
            word, (passage.start + place[0], passage.start + place[1]), round(float(cosines[token]), 3)
        )
        matches.setdefault(word, match)
        if len(matches) == MAX_MATCHES:
            break
    return tuple(matches.values())


def _words(text: str) -> list[Span]:
    return [match.span() for match in _WORD.finditer(text)]


def _around(token: Span, words: list[Span]) -> Span:
    """The word that a token begins in, wholly; the token itself where it is of no word."""
    place = bisect_right(words, token[0], key=lambda word: word[0]) - 1
    if place < 0 or words[place][1] <= token[0]:
        return token
    return (words[place][0], max(words[place][1], token[1]))
