"""Where recognized words stand in the text that was made of them.

The text is not the words one after another: hyphens at line ends were joined, running lines taken out. So
they are matched in order, and words that a line end split are put together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import regex

from prism.types import Box

_WORD = regex.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class PlacedWord:
    """A recognized word and its left, top, right and bottom, in fractions of the page's width and height."""

    text: str
    place: tuple[float, float, float, float]


def boxes_of(text: str, start: int, end: int, words: Sequence[PlacedWord]) -> Iterator[Box]:
    """Boxes for the words of `text[start:end]`, a page, in text order. A word that a line end split has one
    for each part."""
    stored = list(_WORD.finditer(text, start, end))
    matcher = SequenceMatcher(
        a=[found[0] for found in stored], b=[word.text for word in words], autojunk=False
    )
    for kind, a, a_end, b, b_end in matcher.get_opcodes():
        if kind == "equal":
            for found, word in zip(stored[a:a_end], words[b:b_end], strict=True):
                yield Box(found.start(), found.end(), *word.place)
        elif kind == "replace":
            yield from _split(stored[a:a_end], words[b:b_end])


def _split(stored: Sequence[regex.Match[str]], words: Sequence[PlacedWord]) -> Iterator[Box]:
    at = 0
    for found in stored:
        for first in range(at, len(words) - 1):
            left, right = words[first], words[first + 1]
            stem = left.text.removesuffix("-")
            if found[0] in (stem + right.text, left.text + right.text):
                middle = found.start() + len(found[0]) - len(right.text)
                yield Box(found.start(), middle, *left.place)
                yield Box(middle, found.end(), *right.place)
                at = first + 2
                break
