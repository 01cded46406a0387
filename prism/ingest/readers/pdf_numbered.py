"""Headings that only their number marks: `3.1 Exposure Ceiling` in the type of the text around it.

A numbered line may as well be the beginning of a clause. It is a heading when it is short, stands alone above
running text, does not end like a sentence, and its number goes on from that of another heading.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from prism.ingest.readers.pdf_layout import Block, heading_level
from prism.ingest.readers.typography import Typography

_NUMBERED = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,2}){1,3})\.?\s+(?P<name>[^\W\d_].*)")
_HEADING_NUMBER = re.compile(r"(?:section\s+)?(\d{1,2}(?:\.\d{1,2})*)\.?\s", re.I)
_MAX_CHARS = 80
_MAX_WORDS = 10
_SMALL_WORD_CHARS = 4
_WRAPPED_CHARS = 40

Number = tuple[int, ...]


def with_numbered_headings(pages: Sequence[Sequence[Block]], style: Typography) -> list[list[Block]]:
    """The pages' blocks, with those that are headings by their number made so."""
    found = {
        (sheet, place): number
        for sheet, page in enumerate(pages)
        for place, block in enumerate(page)
        if (number := _number(block)) and place + 1 < len(page) and _is_text_below(block, page[place + 1])
    }
    marked = {
        tuple(map(int, match[1].split(".")))
        for page in pages
        for block in page
        if block.kind == "heading" and (match := _HEADING_NUMBER.match(block.text))
    }
    numbers = marked | set(found.values())
    return [
        [
            replace(block, kind="heading", level=heading_level(block.first, style))
            if (sheet, place) in found and _goes_on(found[sheet, place], numbers)
            else block
            for place, block in enumerate(page)
        ]
        for sheet, page in enumerate(pages)
    ]


def _number(block: Block) -> Number | None:
    """The number of a block that looks like a heading."""
    match = _NUMBERED.fullmatch(block.text)
    if match is None or block.kind not in ("item", "paragraph") or block.first is not block.last:
        return None
    words = match["name"].split()
    if (
        len(block.text) > _MAX_CHARS
        or len(words) > _MAX_WORDS
        or block.text[-1] in ".,;:!?।"
        or "…" in block.text
    ):
        return None
    # `Exposure ceiling of a bank` is a name, `the bank shall report it` is none.
    is_named = words[0][0].isupper() or not words[0][0].islower()
    long_words = [word for word in words if len(word) > _SMALL_WORD_CHARS]
    capitals = sum(not word[0].islower() for word in long_words)
    if not is_named or 2 * capitals < len(long_words):
        return None
    return tuple(map(int, match["number"].split(".")))


def _is_text_below(block: Block, after: Block) -> bool:
    if after.kind == "paragraph" and len(after.text) < _WRAPPED_CHARS and after.text[-1] not in ".:;":
        return False  # the rest of a name that took two lines
    is_text = after.kind == "heading" or (after.kind in ("paragraph", "item") and after.text != block.text)
    return is_text and after.first.middle < block.last.middle


def _goes_on(number: Number, numbers: set[Number]) -> bool:
    """Whether this number is the first below another one or the next after or before one."""
    *above, last = number
    return tuple(above) in numbers or any((*above, near) in numbers for near in (last - 1, last + 1))
