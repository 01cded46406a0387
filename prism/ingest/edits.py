"""Change a loaded text while its spans keep pointing at the same words.

An edit replaces `text[start:end]`. Offsets outside every edit move by the length the edits before them
added or removed; an offset inside an edit moves to the edit's start, so spans that met still meet and
spans that did not overlap still do not.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from prism.types import PageSpan, SectionSpan, SourceText, TableSpan

_PIECES: Final = 10_000


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace `text[start:end]` by `new`."""

    start: int
    end: int
    new: str


class _Rewriting:
    """A text while it is rewritten, and where its edits lie in the old and in the new one. Numbers in arrays
    and text in large pieces: a long text has millions of edits."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._pieces: list[str] = []
        self._joined: list[str] = []
        self._done = self._length = 0
        self._starts, self._ends = array("q"), array("q")
        self._new_starts, self._new_ends = array("q"), array("q")

    def make(self, edit: Edit) -> None:
        """Make the next edit."""
        kept = self._text[self._done : edit.start]
        self._pieces += (kept, edit.new)
        self._length += len(kept)
        self._new_starts.append(self._length)
        self._length += len(edit.new)
        self._new_ends.append(self._length)
        self._starts.append(edit.start)
        self._ends.append(edit.end)
        self._done = edit.end
        if len(self._pieces) >= _PIECES:
            self._joined.append("".join(self._pieces))
            self._pieces.clear()

    def text(self) -> str:
        """The new text."""
        return "".join((*self._joined, *self._pieces, self._text[self._done :]))

    def place(self, offset: int) -> int:
        """The new offset of an old one."""
        at = bisect_right(self._starts, offset) - 1
        if at < 0:
            return offset
        if offset >= self._ends[at]:
            return self._new_ends[at] + offset - self._ends[at]
        return self._new_starts[at]


def apply_edits(loaded: SourceText, edits: Iterable[Edit]) -> SourceText:
    """`loaded` with every edit made and all spans moved.

    Args:
        edits: sorted by start, not overlapping.
    """
    shift, is_changed = _Rewriting(loaded.text), False
    for edit in edits:
        if loaded.text[edit.start : edit.end] != edit.new:
            shift.make(edit)
            is_changed = True
    if not is_changed:
        return loaded
    return replace(
        loaded,
        text=shift.text(),
        pages=tuple(
            PageSpan(page.sheet, page.label, shift.place(page.start), shift.place(page.end))
            for page in loaded.pages
        ),
        sections=tuple(SectionSpan(shift.place(section.start), section.path) for section in loaded.sections),
        tables=tuple(
            TableSpan(shift.place(table.start), shift.place(table.end), table.header)
            for table in loaded.tables
        ),
        blocks=tuple(
            replace(block, start=shift.place(block.start), end=shift.place(block.end))
            for block in loaded.blocks
        ),
        boxes=tuple(
            replace(box, start=shift.place(box.start), end=shift.place(box.end)) for box in loaded.boxes
        ),
    )
