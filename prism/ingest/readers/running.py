"""Find running headers, footers and page numbers: lines that come back at the edge of the pages.

A line counts when it lies in the outer eighth of its page and comes back, in the same place, with the same
words in the same size on many pages or on pages that follow each other, and nothing else lies between it and
the edge. One that often stands as close to other text as the lines of a paragraph do goes on with it: it is
the end of a footnote that returns. A page number in a line may move with the sheet; numbers that do not are
content. A line that is but its page's number needs no third page. What such a line says besides a number is
kept once, where it stands first, unless the document says it elsewhere. When most pages would be left empty,
nothing is taken.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence, Set
from dataclasses import replace
from itertools import pairwise, takewhile

from prism.ingest.readers.pdf_line import Line
from prism.ingest.readers.typography import rounded_size

_EDGE = 0.125
_MIN_PAGES = 3
_MIN_SHARE = 0.4
_LINE_GAP_EM = 0.4
_PAGE_WORD = r"(?:page|pg\.?|p\.|sheet|seite|página|pagina|पृष्ठ|पेज|第)"
_PAGE_NUMBER = re.compile(
    r"(?:^|(?<=[|–—\-·•/\s])|(?<=\bp))(?P<number>\d{1,5}|[ivxlc]{1,7})(?=$|[|–—\-·•/\s]|\s*(?:of|页|頁))",
    re.I,
)
_AFTER_PAGE_WORD = re.compile(rf"{_PAGE_WORD}\s*$", re.I)
_SEPARATOR_BEFORE = re.compile(r"(?:^|[|–—\-·•/]|\s{2,})\s*$")
_SEPARATOR_AFTER = re.compile(r"^\s*(?:$|[|–—\-·•/]|\s{2,}|of\b|页|頁)", re.I)
_ONLY_A_NUMBER = re.compile(
    rf"[\s|–—\-·•/()\[\]]*(?P<told>{_PAGE_WORD}\s*|[–—\-|]\s*)?<(?P<distance>[+-]\d+)>\s*"
    r"(?:(?:of|von|de|/|·)\s*\d+\s*|页|頁)?[\s|–—\-·•/()\[\]]*",
    re.I,
)
_LETTERS = re.compile(r"[^\W\d_]+")
_NO_NAME = re.compile(rf"{_PAGE_WORD}|of|von|de|[ivxlc]+|[a-z]", re.I)
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
    sheets_of: dict[Key, list[int]] = defaultdict(list)
    for sheet, page in enumerate(keys, 1):
        for key in {key for line_keys in page for key in line_keys}:
            sheets_of[key].append(sheet)
    filled = sum(bool(lines) for lines in pages)
    returning = {key for key, sheets in sheets_of.items() if _returns(key, sheets, filled)}
    going_on = _going_on(pages, keys, returning)
    returning = {key for key in returning if len(going_on[key]) * 3 <= len(sheets_of[key])}
    running = [
        _from_the_edges(lines, [{key[0] for key in found if key in returning} for found in page])
        for lines, page in zip(pages, keys, strict=True)
    ]
    if sum(map(all, running)) * 2 > len(pages):
        # Most pages hold nothing else: this is the content, not its frame.
        return [list(lines) for lines in pages]
    return _with_each_once(pages, running)


def _returns(key: Key, sheets: Sequence[int], filled: int) -> bool:
    """Whether what stands on these sheets, of so many that hold text, is a running line."""
    if len(sheets) >= max(_MIN_PAGES, _MIN_SHARE * filled):
        return True
    if number := _ONLY_A_NUMBER.fullmatch(key[1]):
        return len(sheets) > 1 and (number["told"] is not None or len(sheets) == filled)
    # A chapter's header: on pages that follow each other, or on every other one.
    near = [after - before <= 2 for before, after in pairwise(sheets)]
    return any(all(near[at : at + _MIN_PAGES]) for at in range(len(near) - _MIN_PAGES + 1))


def _with_each_once(pages: Sequence[Sequence[Line]], running: Sequence[Sequence[bool]]) -> list[list[Line]]:
    """The lines that are not running, and once each of the others that say what none of these does."""
    said = " ".join(
        f" {_name(line)} "
        for lines, flags in zip(pages, running, strict=True)
        for line, is_running in zip(lines, flags, strict=True)
        if not is_running
    )
    kept: set[str] = set()
    result: list[list[Line]] = []
    for lines, flags in zip(pages, running, strict=True):
        page: list[Line] = []
        for line, is_running in zip(lines, flags, strict=True):
            name = _name(line) if is_running else ""
            if not is_running:
                page.append(line)
            elif name and name not in kept and f" {name} " not in said:
                kept.add(name)
                page.append(replace(line, is_running=True))
        result.append(page)
    return result


def _name(line: Line) -> str:
    """What a line says besides numbers."""
    return " ".join(word for word in _LETTERS.findall(line.text.lower()) if not _NO_NAME.fullmatch(word))


def _from_the_edges(lines: Sequence[Line], returns_at: Sequence[set[str]]) -> list[bool]:
    """Which lines to leave out: those that come back at an edge with no other line between them and it."""
    flags = [False] * len(lines)
    upwards = sorted(range(len(lines)), key=lambda at: lines[at].middle)
    for at in takewhile(lambda at: "bottom" in returns_at[at], upwards):
        flags[at] = True
    for at in takewhile(lambda at: "top" in returns_at[at], reversed(upwards)):
        flags[at] = True
    return flags


def _going_on(
    pages: Sequence[Sequence[Line]], keys: Sequence[Sequence[Sequence[Key]]], returning: Set[Key]
) -> dict[Key, set[int]]:
    """On which sheets each returning line goes on with the text that it stands next to."""
    found: dict[Key, set[int]] = defaultdict(set)
    for sheet, (lines, page) in enumerate(zip(pages, keys, strict=True), 1):
        downwards = sorted(range(len(lines)), key=lambda at: -lines[at].middle)
        for inner, outer in (*pairwise(downwards), *pairwise(downwards[::-1])):
            wanted = [key for key in page[outer] if key in returning and not _ONLY_A_NUMBER.fullmatch(key[1])]
            if wanted and returning.isdisjoint(page[inner]) and _goes_on(lines[inner], lines[outer]):
                for key in wanted:
                    found[key].add(sheet)
    return found


def _goes_on(one: Line, other: Line) -> bool:
    """Whether two lines stand as close, and begin at the same place, as those of one paragraph."""
    size = max(one.size, other.size)
    is_close = max(one.bottom - other.top, other.bottom - one.top) < _LINE_GAP_EM * size
    return (
        is_close and rounded_size(one.size) == rounded_size(other.size) and abs(one.left - other.left) < size
    )


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
