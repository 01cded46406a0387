"""Put a document's text together block by block while noting where sections and tables lie."""

from __future__ import annotations

import re
from collections.abc import Sequence

from prism.types import BlockKind, BlockSpan, PageSpan, SectionSpan, SourceText, TableSpan

CELL_SEPARATOR = " | "

MAX_NAME_CHARS = 100
"""A longer cell of a first row is text, not a column's name."""

_NUMERIC = re.compile(r"[\s\d.,:%()/+\-–$€£¥₹]*\d[\s\d.,:%()/+\-–$€£¥₹]*")


class TextBuilder:
    """Collects blocks separated by one empty line; lists and tables keep their lines together."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._headings: list[tuple[int, str]] = []
        self._sections: list[SectionSpan] = []
        self._tables: list[TableSpan] = []
        self._blocks: list[BlockSpan] = []
        self._pages: list[PageSpan] = []
        self._leaving = False

    @property
    def length(self) -> int:
        """Characters so far."""
        return self._length

    @property
    def first_heading(self) -> str:
        """The outermost name of the first section, or nothing."""
        return self._sections[0].path[0] if self._sections else ""

    def block(self, text: str, *, gap: str = "\n\n", kind: BlockKind | None = None) -> int:
        """Append a block after `gap`; returns where it starts. The items of a list are blocks of the kind
        `list` that follow each other on the next line."""
        if not text.strip():
            return self._length
        if self._length:
            self._append(gap)
        start = self._length
        self._append(text)
        if self._leaving:
            self._sections.append(SectionSpan(start, ()))
            self._leaving = False
        if kind is not None:
            self._keep_whole(kind, start, goes_on=kind == "list" and gap == "\n")
        return start

    def page(self, sheet: int, label: str, start: int, end: int | None = None) -> None:
        """Note that what was appended since `start` (up to `end`) is a page; documents that never do are one
        page."""
        stop = self._length if end is None else end
        self._pages.append(PageSpan(sheet, label, min(start, stop), stop))

    def heading(self, level: int, text: str) -> None:
        """Append a heading, which opens a section down to the next heading of its level or above."""
        title = " ".join(text.split())
        if not title:
            return
        self._leaving = False
        start = self.block(title)
        self._headings = [(outer, name) for outer, name in self._headings if outer < level]
        self._headings.append((level, title))
        self._sections.append(SectionSpan(start, tuple(name for _, name in self._headings)))

    def leave_sections(self) -> None:
        """What follows stands under no heading, until the next one comes."""
        self._headings = []
        self._leaving = bool(self._sections)

    def table(self, rows: Sequence[Sequence[str]], *, header: Sequence[str] | None = None) -> None:
        """Append a table, one line per row. `header`: its column names if the format marks them."""
        filled = [row for row in rows if any(map(str.strip, row))]
        if not filled:
            return
        columns = _filled_columns(filled)
        kept = [_tidy(row, columns) for row in filled]
        names = guess_header(kept) if header is None else _tidy(header, columns)
        start = self.block("\n".join(row_text(row) for row in kept))
        self._tables.append(TableSpan(start, self._length, row_text(names)))

    def loaded(self, *, title: str, media_type: str, warnings: Sequence[str] = ()) -> SourceText:
        """The document, as the pages noted, else as one."""
        return SourceText(
            text="".join(self._parts),
            title=title,
            media_type=media_type,
            pages=tuple(self._pages) or (PageSpan(1, "1", 0, self._length),),
            sections=tuple(self._sections),
            tables=tuple(self._tables),
            blocks=tuple(self._blocks),
            warnings=tuple(warnings),
        )

    def _keep_whole(self, kind: BlockKind, start: int, *, goes_on: bool) -> None:
        last = self._blocks[-1] if self._blocks else None
        if goes_on and last is not None and last.kind == kind and last.end + 1 == start:
            self._blocks[-1] = BlockSpan(last.start, self._length, kind)
        else:
            self._blocks.append(BlockSpan(start, self._length, kind))

    def _append(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)


def _filled_columns(rows: Sequence[Sequence[str]]) -> list[int]:
    """The columns that hold anything: pages use empty ones as spacing."""
    width = max(map(len, rows))
    return [place for place in range(width) if any(place < len(row) and row[place].strip() for row in rows)]


def _tidy(row: Sequence[str], columns: Sequence[int]) -> list[str]:
    return [" ".join(row[place].split()) for place in columns if place < len(row)]


def row_text(cells: Sequence[str]) -> str:
    """A table row as one line; cells missing at the end leave nothing behind."""
    return CELL_SEPARATOR.join(cells).rstrip(" |")


def is_number(cell: str) -> bool:
    """Whether a table cell holds a number, an amount, a date or a percentage and no words."""
    return _NUMERIC.fullmatch(cell) is not None


def guess_header(rows: Sequence[Sequence[str]]) -> Sequence[str]:
    """The first row, when it looks like column names: several short cells, all filled, without numbers."""
    first = rows[0]
    is_header = (
        len(rows) > 1
        and len(first) > 1
        and all(first)
        and not any(is_number(cell) or cell.startswith("- ") or len(cell) > MAX_NAME_CHARS for cell in first)
    )
    return first if is_header else ()
