"""Short forms: the abbreviations that a text defines, so that either form is found by the other.

`Primary (Urban) Co-operative Banks (UCBs)` defines UCB. The long form is the shortest run of words before the
brackets that holds the letters of the short form in order, the first of them beginning a word (Schwartz &
Hearst 2003, "A simple algorithm for identifying abbreviation definitions in biomedical text").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import regex

MAX_LETTERS: Final = 10
"""The longest short form; what is longer in brackets is a remark."""

_REACH_CHARS = 200
_IN_BRACKETS = regex.compile(
    r"(?<=[\p{L}\p{N})\]’'] )\([\"“‘]?(?P<short>\p{Lu}[\p{L}\p{N}&/-]{1,10})[\"”’]?\)"
)
_WORDS_BEFORE = regex.compile(rf"(?:\S+\s+){{1,{2 * MAX_LETTERS}}}$")
_PLURAL = regex.compile(r"(?<=\p{Lu})s$")
_CAPITAL = regex.compile(r"\p{Lu}")
_NO_NAME = regex.compile(r"[@:;]|(?<!\p{L})\d|\.(?=\s|\p{L})")
_BRACKETS = regex.compile(r"[()\[\]]")
_WORD = regex.compile(r"\p{L}[\p{L}\p{N}&/-]*(?<=[\p{L}\p{N}])")


@dataclass(frozen=True, slots=True)
class ShortForm:
    """An abbreviation and what it stands for: `UCB`, `Urban Co-operative Banks`."""

    short: str
    long: str


def short_forms(text: str) -> tuple[ShortForm, ...]:
    """The abbreviations that a text defines, each by its first definition and without the s of a plural."""
    found: dict[str, ShortForm] = {}
    for match in _IN_BRACKETS.finditer(text):
        short = _PLURAL.sub("", match["short"])
        if short in found or not 2 <= len(short) <= MAX_LETTERS or len(_CAPITAL.findall(short)) < 2:
            continue
        before = _WORDS_BEFORE.search(text, max(0, match.start() - _REACH_CHARS), match.start())
        long = _long_form(short, before.group().rstrip()) if before else ""
        if long:
            found[short] = ShortForm(short, long)
    return tuple(found.values())


def other_forms(part: str, forms: Sequence[ShortForm], *, most: int) -> tuple[str, ...]:
    """What a part of the text may also be asked for by: the long forms of the short ones that it holds, and
    the short forms of the long ones, where it does not hold both. The first `most`, as they stand in it."""
    places = {_PLURAL.sub("", word.group()): word.start() for word in reversed(list(_WORD.finditer(part)))}
    plain = _plain(part)
    return tuple(form for _, form in sorted(_others(forms, places, plain))[:most])


def _others(forms: Sequence[ShortForm], places: dict[str, int], plain: str) -> Iterator[tuple[int, str]]:
    for form in forms:
        at_short, at_long = places.get(form.short, -1), plain.find(_plain(form.long))
        if at_short >= 0 > at_long:
            yield at_short, form.long
        elif at_long >= 0 > at_short:
            yield at_long, form.short


def _long_form(short: str, before: str) -> str:
    """The shortest end of `before` that the short form may stand for; empty when there is none."""
    low, place = before.casefold(), len(before)
    for at in range(len(short) - 1, -1, -1):
        if not short[at].isalnum():
            continue
        place = low.rfind(short[at].casefold(), 0, place)
        while at == 0 < place and before[place - 1].isalnum():
            place = low.rfind(short[at].casefold(), 0, place)
        if place < 0:
            return ""
    long = before[place:]
    most_words = min(len(short) + 5, 2 * len(short))
    is_name = len(long.split()) <= most_words and not _NO_NAME.search(long)
    return " ".join(_BRACKETS.sub("", long).split()) if is_name and len(long) > len(short) + 2 else ""


def _plain(text: str) -> str:
    return " ".join(_BRACKETS.sub("", text).casefold().split())
