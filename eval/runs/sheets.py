"""Which sheets of a document a person means by a page: the label printed on it goes before its place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from prism.types import PageSpan

Sheets = tuple[int, ...]
"""The sheets that one page may be: several where a label is printed more than once."""

_WORD: Final = re.compile(r"^(?:pages?|pp?\.?|पृष्ठ)\s*(?=[\divxlc])", re.IGNORECASE)
_RANGE: Final = re.compile(r"^(\d+)\s*[-–]\s*(\d+)$")


def sheets_of(page: str, spans: Sequence[PageSpan]) -> tuple[Sheets, ...]:
    """The sheets of what `page` names: a label (`iv`), a number or a range of numbers; empty where it is not
    there. A number that is printed nowhere counts sheets from 1.

    Args:
        spans: the document's pages as read.
    """
    for written in (page, _WORD.sub("", page.strip())):
        if found := _one(written, spans):
            return (found,)
        if parts := _RANGE.match(written.strip()):
            first, last = int(parts[1]), int(parts[2])
            if last - first >= len(spans):
                return ()
            pages = [_one(str(number), spans) for number in range(first, last + 1)]
            return tuple(pages) if all(pages) else ()
    return ()


def _one(page: str, spans: Sequence[PageSpan]) -> Sheets:
    wanted = page.strip().casefold()
    labelled = dict.fromkeys(span.sheet for span in spans if span.label.strip().casefold() == wanted)
    if labelled:
        return tuple(labelled)
    is_there = wanted.isdecimal() and int(wanted) in {span.sheet for span in spans}
    return (int(wanted),) if is_there else ()
