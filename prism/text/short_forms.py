"""Short forms: the abbreviations that a text defines, so that either form is found by the other.

`Primary (Urban) Co-operative Banks (UCBs)` defines UCB. The long form is the shortest run of words before the
brackets that holds the letters of the short form in order, the first of them beginning a word (Schwartz &
Hearst 2003, "A simple algorithm for identifying abbreviation definitions in biomedical text").
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import regex

MAX_LETTERS: Final = 10
"""The longest short form; what is longer in brackets is a remark."""

_REACH_CHARS = 200
_CAPITAL_WORDS = 3
"""From so many words on, a line all in capitals tells no short form from a word."""

_IN_BRACKETS = regex.compile(
    r"(?<=[\p{L}\p{N})\]’']\s)\([\"“‘]?(?P<short>\p{Lu}[\p{L}\p{N}&/-]{1,10})[\"”’]?\)"
)
_PLURAL = regex.compile(r"(?<=\p{Lu})s$")
_CAPITAL = regex.compile(r"\p{Lu}")
_NO_NAME = regex.compile(r"[@:;]|(?<!\p{L})\d|\.(?=\s|\p{L})")
_BRACKETS = regex.compile(r"[()\[\]]")
_SHORT = regex.compile(r"(?<![\p{L}\p{M}\p{N}])\p{Lu}[\p{L}\p{N}&/-]*(?<=[\p{L}\p{N}])")
_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShortForm:
    """An abbreviation and what it stands for, `UCB` and `Urban Co-operative Banks`; `start` is the character
    of the text at which it is defined."""

    short: str
    long: str
    start: int


def short_forms(text: str) -> tuple[ShortForm, ...]:
    """The definitions of a text in order, without the s of a plural; a repeated one once."""
    found: list[ShortForm] = []
    latest: dict[str, str] = {}
    for match in _IN_BRACKETS.finditer(text):
        short = _PLURAL.sub("", match["short"])
        if not 2 <= len(short) <= MAX_LETTERS or len(_CAPITAL.findall(short)) < 2:
            continue
        words = text[max(0, match.start() - _REACH_CHARS) : match.start()].split()
        long = _long_form(short, " ".join(words[-2 * MAX_LETTERS :]))
        if long and latest.get(short) != long:
            latest[short] = long
            found.append(ShortForm(short, long, match.start()))
    return tuple(found)


class Glossary:
    """The abbreviations of one text, to tell by what else a part of it may be asked for."""

    def __init__(self, text: str) -> None:
        self._by_short: defaultdict[str, list[ShortForm]] = defaultdict(list)
        self._by_first_word: defaultdict[str, dict[Words, str]] = defaultdict(dict)
        for form in short_forms(text):
            words = _plain_words(form.long)
            self._by_short[form.short].append(form)
            self._by_first_word[words[0]].setdefault(words, form.short)

    def other_forms(self, part: str, start: int, *, most: int) -> tuple[str, ...]:
        """The long forms of the short ones that a part holds, and the short forms of the long ones, where it
        does not hold both. The first `most`, as they stand in it.

        Args:
            start: the character of the text at which the part begins. Of several definitions of one short
                form the last before counts, else the first after.
        """
        shorts, longs = self._shorts(part), self._longs(part)
        held = {words for _, words in longs}
        others = [
            (place, form.long)
            for place, short in shorts
            if _plain_words((form := self._meant(short, start + place)).long) not in held
        ]
        named = {short for _, short in shorts}
        for place, words in longs:
            short = self._by_first_word[words[0]][words]
            if short not in named:
                others.append((place, short))
        return tuple(dict.fromkeys(form for _, form in sorted(others)))[:most]

    def _shorts(self, part: str) -> list[tuple[int, str]]:
        found = []
        for match in _SHORT.finditer(part):
            short = _PLURAL.sub("", match.group())
            if short in self._by_short and not _in_capitals(part, match.start()):
                found.append((match.start(), short))
        return found

    def _longs(self, part: str) -> list[tuple[int, Words]]:
        plain = list(_places_of_words(part))
        words = tuple(word for _, word in plain)
        return [
            (place, long)
            for at, (place, word) in enumerate(plain)
            if word in self._by_first_word
            for long in self._by_first_word[word]
            if _singular(words[at : at + len(long)]) == long
        ]

    def _meant(self, short: str, place: int) -> ShortForm:
        forms = self._by_short[short]
        return forms[max(0, bisect_right(forms, place, key=lambda form: form.start) - 1)]


def _long_form(short: str, before: str) -> str:
    """The shortest end of `before` that the short form may stand for; empty when there is none."""
    low, place = _lower(before), len(before)
    for at in range(len(short) - 1, -1, -1):
        if not short[at].isalnum():
            continue
        letter = _lower(short[at])
        place = low.rfind(letter, 0, place)
        while at == 0 < place and before[place - 1].isalnum():
            place = low.rfind(letter, 0, place)
        if place < 0:
            return ""
    long = before[place:]
    most_words = min(len(short) + 5, 2 * len(short))
    is_name = len(long.split()) <= most_words and not _NO_NAME.search(long)
    return " ".join(_BRACKETS.sub("", long).split()) if is_name and len(long) > len(short) + 2 else ""


def _lower(text: str) -> str:
    """In lower case, character for character: places stay what they are."""
    return "".join(low if len(low := letter.lower()) == 1 else letter for letter in text)


def _plain_words(long: str) -> Words:
    return _singular(tuple(word for _, word in _places_of_words(long)))


def _places_of_words(text: str) -> Iterator[tuple[int, str]]:
    return ((match.start(), match.group().casefold()) for match in _WORD.finditer(text))


def _singular(words: Words) -> Words:
    """`small finance banks` and `small finance bank` are one name."""
    return (*words[:-1], words[-1].removesuffix("s")) if words else words


def _in_capitals(part: str, place: int) -> bool:
    line = part[part.rfind("\n", 0, place) + 1 :].split("\n", 1)[0]
    return line.isupper() and len(line.split()) >= _CAPITAL_WORDS
