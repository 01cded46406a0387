"""Change a loaded text while its spans keep pointing at the same words.

An edit replaces `text[start:end]`. Offsets outside every edit move by the length the edits before them
added or removed; an offset inside an edit moves to the edit's start, so spans that met still meet and
spans that did not overlap still do not.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from prism.types import PageSpan, SectionSpan, SourceText, TableSpan


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace `text[start:end]` by `new`."""

    start: int
    end: int
    new: str


@dataclass(frozen=True, slots=True)
class _Shift:
    """Where each edit lay in the old text and where its replacement lies in the new one."""

    starts: Sequence[int]
    edits: Sequence[Edit]
    new_starts: Sequence[int]

    def place(self, offset: int) -> int:
        """The new offset of an old one."""
        at = bisect_right(self.starts, offset) - 1
        if at < 0:
            return offset
        edit, new_start = self.edits[at], self.new_starts[at]
        if offset >= edit.end:
            return new_start + len(edit.new) + offset - edit.end
        return new_start


def apply_edits(loaded: SourceText, edits: Iterable[Edit]) -> SourceText:
    """`loaded` with every edit made and all spans moved.

    Args:
        edits: sorted by start, not overlapping.
    """
    ordered = [edit for edit in edits if loaded.text[edit.start : edit.end] != edit.new]
    if not ordered:
        return loaded
    text, new_starts = _rewrite(loaded.text, ordered)
    shift = _Shift([edit.start for edit in ordered], ordered, new_starts)
    return replace(
        loaded,
        text=text,
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


def _rewrite(text: str, edits: Sequence[Edit]) -> tuple[str, list[int]]:
    parts: list[str] = []
    new_starts: list[int] = []
    done = length = 0
    for edit in edits:
        kept = text[done : edit.start]
        length += len(kept)
        new_starts.append(length)
        length += len(edit.new)
        parts += (kept, edit.new)
        done = edit.end
    parts.append(text[done:])
    return "".join(parts), new_starts
