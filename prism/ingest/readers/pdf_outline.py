"""A PDF's outline (its bookmarks) as headings, where its titles stand on the pages they lead to.

Programs write outlines from a document's headings, so that they know the levels better than its print shows
them. Others carry the titles of another document, or none: an outline whose titles are not found is not
trusted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pypdfium2 as pdfium

from prism.ingest.readers.pdf_layout import Block

_TRUSTED_SHARE = 0.6
_MAX_DEPTH = 6
_MAX_CHARS = 200
_LETTERS = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"^\W*(?:(?:chapter|section|part)\s+)?[\divxlc]{1,5}(?:\.\d+)*[.):]?\s+", re.I)


@dataclass(frozen=True, slots=True)
class Bookmark:
    """A title of an outline, the sheet it leads to, and its level (1 outermost)."""

    title: str
    sheet: int
    level: int


def bookmarks(document: pdfium.PdfDocument) -> list[Bookmark]:
    """The outline of a document, those of its titles that lead to one of its pages."""
    found: list[Bookmark] = []
    for item in document.get_toc(max_depth=_MAX_DEPTH):
        target = item.get_dest()
        index = target.get_index() if target else None
        title = " ".join(item.get_title().split())
        if title and index is not None and 0 <= index < len(document):
            found.append(Bookmark(title, index + 1, item.level + 1))
    return found


def with_outline(pages: Sequence[Sequence[Block]], outline: Sequence[Bookmark]) -> list[list[Block]]:
    """The pages' blocks, with those that the outline names as headings of its levels and other headings below
    them; unchanged when the outline is not to be trusted."""
    result = [list(page) for page in pages]
    places = _places(result, outline)
    if not places or len(places) < _TRUSTED_SHARE * len(outline):
        return result
    deepest = max(bookmark.level for bookmark in outline)
    for sheet, page in enumerate(result):
        for at, block in enumerate(page):
            if (sheet, at) in places:
                page[at] = replace(block, kind="heading", level=places[sheet, at], cells=())
            elif block.kind == "heading":
                page[at] = replace(block, level=block.level + deepest)
    return result


def _places(pages: Sequence[Sequence[Block]], outline: Sequence[Bookmark]) -> dict[tuple[int, int], int]:
    """Where titles of the outline stand, by sheet (from 0) and block, with their levels; each title is looked
    for below the one before."""
    found: dict[tuple[int, int], int] = {}
    last = (-1, -1)
    for bookmark in outline:
        sheet = bookmark.sheet - 1
        places = [
            (sheet, at)
            for at, block in enumerate(pages[sheet])
            if (sheet, at) not in found and _is_title(block, bookmark.title)
        ]
        # The one that looks like a heading, rather than a mention of its name.
        places.sort(key=lambda place: (place < last, pages[sheet][place[1]].kind != "heading", place))
        if places:
            last = places[0]
            found[last] = bookmark.level
    return found


def _is_title(block: Block, title: str) -> bool:
    if len(block.text) > _MAX_CHARS or block.first.is_running:
        return False
    names = {_plain(title), _plain(_NUMBER.sub("", title))} - {""}
    return _plain(block.text) in names or _plain(_NUMBER.sub("", block.text)) in names


def _plain(text: str) -> str:
    return "".join(_LETTERS.findall(text.casefold()))
