"""Clauses: what a reader calls `7(b)` though the page says `7.` in one place and `(b)` below it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, pairwise, takewhile

MAX_REACH_CHARS = 8000
"""How far below its number an item may stand and still belong to it."""

_LINE = re.compile(
    r"^[ \t>*_-]*"
    r"(?:(?P<named>(?:section|sec\.?|rule|clause|article|art\.?|para(?:graph)?|regulation|§|धारा|नियम)\s*)?"
    r"(?P<number>\d{1,4}[A-Z]?(?:\.\d{1,3}){0,4})(?P<stop>[.):]*)(?=[ \t]+\S|\s*\()"
    r"|\((?P<item>[a-z]{1,2}|[ivx]{1,5}|\d{1,2})\)(?=\s))",
    re.MULTILINE | re.IGNORECASE,
)
_INLINE_ITEM = re.compile(r"\s*\((?P<item>[a-z]|[ivx]{1,5})\)(?=\s)")
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv")


@dataclass(frozen=True, slots=True)
class Clause:
    """An item of a numbered provision: `reference` as people cite it, and where its text lies."""

    reference: str
    start: int
    end: int


def clauses(text: str) -> tuple[Clause, ...]:
    """Every lettered item that stands below a number, in document order: `7(b)`, `4.2(a)(iii)`."""
    marks = [*_marks(text), (len(text), "")]
    return tuple(
        Clause(reference, start, end)
        for (start, reference), (end, _) in pairwise(marks)
        if reference.endswith(")")
    )


def references_between(found: tuple[Clause, ...], start: int, end: int) -> tuple[str, ...]:
    """References of the clauses that `start:end` touches, without repeats.

    Args:
        found: in document order and apart from each other, as `clauses` gives them.
    """
    first = bisect_right(found, start, key=lambda item: item.end)
    touched = takewhile(lambda item: item.start < end, islice(found, first, None))
    return tuple(dict.fromkeys(item.reference for item in touched))


def _marks(text: str) -> Iterator[tuple[int, str]]:
    """(offset, reference) of each number (reference without brackets) and of each item below one."""
    number, number_at = "", -MAX_REACH_CHARS
    letter, roman = "", ""
    for match in _numbered_lines(text):
        if match["number"]:
            if not (match["named"] or match["stop"] or "." in match["number"]):
                continue
            number, number_at, letter, roman = match["number"], match.start(), "", ""
            yield match.start(), number
            inline = _INLINE_ITEM.match(text, match.end())
            if inline:
                letter = inline["item"].casefold()
                yield inline.start(), f"{number}({letter})"
        elif number and match.start() - number_at <= MAX_REACH_CHARS:
            item = match["item"].casefold()
            if letter and _continues_roman(item, roman, letter):
                roman = item
                yield match.start(), f"{number}({letter})({roman})"
            else:
                letter, roman = item, ""
                yield match.start(), f"{number}({letter})"


def _numbered_lines(text: str) -> Iterator[re.Match[str]]:
    """Every match of `_LINE`, tried where a line begins: a search would try each character of a long text."""
    start = 0
    while True:
        match = _LINE.match(text, start)
        if match:
            yield match
        begins_at = text.find("\n", max(start, match.end() - 1 if match else 0)) + 1
        if not begins_at:
            return
        start = begins_at


def _continues_roman(item: str, roman: str, letter: str) -> bool:
    """Whether `(i)` is an item below the letter, not the letter after `(h)`."""
    if item not in _ROMAN:
        return False
    if roman:
        return _ROMAN.index(item) == _ROMAN.index(roman) + 1
    return item == "i" and letter not in ("h", *_ROMAN)
