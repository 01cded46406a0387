"""Copies: which passages say the same, whatever their spelling, spacing or page header.

Two texts are near-copies when nearly all runs of three words are in both (shingles, Broder 1997), one
differs from the other only by what stands before or after it, and what a rule turns on agrees exactly:
numbers, dates, amounts, signs, and words like *not*. Two versions of one rule are no copies, however many
words they share: the one that says *the buyer* or *14 months* says something else.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from difflib import SequenceMatcher
from itertools import islice

import regex

from prism.query.ground import facts
from prism.text.unsegmented import UNSEGMENTED_CHARACTER

SHINGLE_WORDS = 3
SAME_SHARE = 0.9
"""Jaccard index of the shingles: how much may stand before or after. It tells most pairs apart cheaply."""

TURNING_WORDS = (
    "not no nor never none cannot without unless except excluding must may shall should नहीं न मत बिना "
    "nicht kein keine ohne ne pas sans sauf non sin salvo nunca"
)
"""They turn a rule round, or make a duty of a choice."""

_TURNING = frozenset(TURNING_WORDS.split())
_SIGN_OR_WORD = regex.compile(r"\w+|[%$€£¥₹+<>=±≤≥×÷]|(?<!\w)-(?=\d)")
_TURNING_CHARACTER = regex.compile("[不没沒无無未]")
_WORD = regex.compile(rf"{UNSEGMENTED_CHARACTER}\p{{M}}*|[\p{{L}}\p{{M}}]+|\p{{N}}+", regex.V1)

Shingles = frozenset[tuple[str, ...]]


class Originals:
    """Texts that differ from each other, and which of them a further text is a copy of."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._shingles: dict[int, Shingles] = {}
        self._alike: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)

    def original_of(self, text: str) -> int | None:
        """The place, from 0, of the first text that this one is a copy of. One that says something else gets
        the next place, and None is returned."""
        plain = _plain(text)
        # Few texts share all their figures and turning words, and only those are worth reading closely.
        alike = self._alike[telling(plain)]
        if alike:
            own = shingles(plain)
            for place in alike:
                original = self._texts[place]
                if (
                    _resemble(own, self._read(place))
                    and _differ_at_the_ends_alone(plain, _plain(original))
                    and facts(text) == facts(original)
                ):
                    return place
        alike.append(len(self._texts))
        self._texts.append(text)
        return None

    def _read(self, place: int) -> Shingles:
        if place not in self._shingles:
            self._shingles[place] = shingles(_plain(self._texts[place]))
        return self._shingles[place]


def same_words(one: str, other: str) -> bool:
    """Whether two texts differ in case, spacing and punctuation alone, no figure or sign being among it."""
    first, second = _plain(one), _plain(other)
    return (
        _WORD.findall(first) == _WORD.findall(second)
        and telling(first) == telling(second)
        and facts(one) == facts(other)
    )


def telling(text: str) -> tuple[str, ...]:
    """Figures, signs and turning words of a text in lower case, in order."""
    words = [word for word in _SIGN_OR_WORD.findall(text) if word in _TURNING or not word[0].isalpha()]
    return (*words, *_TURNING_CHARACTER.findall(text))


def shingles(text: str) -> Shingles:
    """The runs of three words of a text, without punctuation; a text of fewer words is one run.

    A character of a script written without spaces counts as a word.
    """
    words = _WORD.findall(text)
    runs = zip(*(islice(words, start, None) for start in range(SHINGLE_WORDS)), strict=False)
    return frozenset(runs) or frozenset([tuple(words)])


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _differ_at_the_ends_alone(one: str, other: str) -> bool:
    """Whether, between their ends, two texts differ in how words are joined alone (`e-mail`, `email`)."""
    first, second = _WORD.findall(one), _WORD.findall(other)
    changes = SequenceMatcher(None, first, second, autojunk=False).get_opcodes()
    return all(
        kind == "equal"
        or (kind != "replace" and number in (0, len(changes) - 1))
        or "".join(first[start:end]) == "".join(second[begin:stop])
        for number, (kind, start, end, begin, stop) in enumerate(changes)
    )


def _resemble(one: Shingles, other: Shingles) -> bool:
    """Whether the Jaccard index reaches the share; sizes alone tell most pairs apart."""
    small, large = sorted((len(one), len(other)))
    if small < SAME_SHARE * large:
        return False
    return len(one & other) >= SAME_SHARE * len(one | other)
