"""Find running headers, footers and page numbers: lines that come back at the edge of most pages.

A line counts when it lies in the outer eighth of its page and comes back, in the same place, with the same
words in the same size on many pages, and nothing else lies between it and the edge. A title that the header
repeats in smaller print is none of them and stays. A page number in it may move with the
sheet; numbers that do not are content. When most pages would be left empty, nothing is taken.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import takewhile

from prism.ingest.readers.pdf_line import Line
from prism.ingest.readers.typography import rounded_size

_EDGE = 0.125
_MIN_PAGES = 3
_MIN_SHARE = 0.4
_PAGE_WORD = r"(?:page|pg\.?|p\.|sheet|seite|página|pagina|पृष्ठ|पेज|第)"
_PAGE_NUMBER = re.compile(
    r"(?:^|(?<=[|–—\-·•/\s])|(?<=\bp))(?P<number>\d{1,5}|[ivxlc]{1,7})(?=$|[|–—\-·•/\s]|\s*(?:of|页|頁))",
    re.I,
)
_AFTER_PAGE_WORD = re.compile(rf"{_PAGE_WORD}\s*$", re.I)
_SEPARATOR_BEFORE = re.compile(r"(?:^|[|–—\-·•/]|\s{2,})\s*$")
_SEPARATOR_AFTER = re.compile(r"^\s*(?:$|[|–—\-·•/]|\s{2,}|of\b|页|頁)", re.I)
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}

Key = tuple[str, str, float]
"""Edge, words, and size in points to the nearest half."""


def without_running_lines(pages: Sequence[Sequence[Line]], heights: Sequence[float]) -> list[list[Line]]:
    """The pages' lines without those that only furnish the page.

    Args:
        pages: lines per sheet.
        heights: page heights in points, same length.
    """
    keys = [
        [_keys(line, sheet, height) for line in lines]
        for sheet, (lines, height) in enumerate(zip(pages, heights, strict=True), 1)
    ]
    seen = Counter(key for page in keys for key in {key for line_keys in page for key in line_keys})
    needed = max(_MIN_PAGES, _MIN_SHARE * sum(bool(lines) for lines in pages))
    running = [
        _from_the_edges(lines, [{key[0] for key in found if seen[key] >= needed} for found in page])
        for lines, page in zip(pages, keys, strict=True)
    ]
    if sum(map(all, running)) * 2 > len(pages):
        # Most pages hold nothing else: this is the content, not its frame.
        return [list(lines) for lines in pages]
    return [
        [line for line, is_running in zip(lines, flags, strict=True) if not is_running]
        for lines, flags in zip(pages, running, strict=True)
    ]


def _from_the_edges(lines: Sequence[Line], returns_at: Sequence[set[str]]) -> list[bool]:
    """Which lines to leave out: those that come back at an edge with no other line between them and it."""
    flags = [False] * len(lines)
    upwards = sorted(range(len(lines)), key=lambda at: lines[at].middle)
    for at in takewhile(lambda at: "bottom" in returns_at[at], upwards):
        flags[at] = True
    for at in takewhile(lambda at: "top" in returns_at[at], reversed(upwards)):
        flags[at] = True
    return flags


def _keys(line: Line, sheet: int, height: float) -> list[Key]:
    """What must come back for this line to be a running one; nothing when it is not at an edge."""
    if line.middle >= (1 - _EDGE) * height:
        edge = "top"
    elif line.middle <= _EDGE * height:
        edge = "bottom"
    else:
        return []
    text = "  ".join(line.cells).strip()
    size = rounded_size(line.size)
    return [(edge, words, size) for words in (text, *_relative_to_sheet(text, sheet, edge))]


def _relative_to_sheet(text: str, sheet: int, edge: str) -> list[str]:
    """The line with a page number written as its distance to the sheet, once per possible number. At the
    top, where headings such as `Rule 5` stand, a page number must be set apart on both sides."""
    found = []
    for match in _PAGE_NUMBER.finditer(text):
        before, after = text[: match.start()], text[match.end() :]
        apart = (_SEPARATOR_BEFORE.search(before) is not None, _SEPARATOR_AFTER.search(after) is not None)
        is_page_number = _AFTER_PAGE_WORD.search(before) or (any(apart) if edge == "bottom" else all(apart))
        value = _value(match["number"])
        if is_page_number and value is not None:
            found.append(f"{before}<{value - sheet:+d}>{after}")
    return found


def _value(number: str) -> int | None:
    if number.isdigit():
        return int(number)
    values = [_ROMAN_VALUES[letter] for letter in number.lower()]
    signed = [-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True)]
    return sum(signed)
