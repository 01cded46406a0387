"""Puts an RTF document together: headings, lists, tables, and notes at the end of their section."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from prism.ingest.readers.builder import TextBuilder
from prism.ingest.readers.merged import Part, joined_down, plain_rows
from prism.ingest.readers.numbering import BULLET

MAX_HEADING_CHARS: Final = 300
_SAME_EDGE_TWIPS: Final = 100
"""Cell edges closer than this (under two millimetres) are one."""

_BULLETS = "•·▪■□●○◦-–—*o§"


@dataclass(slots=True)
class Paragraph:
    """What a paragraph is: `level` of its heading (None: none), its place in a list and in a table."""

    level: int | None = None
    depth: int = 0
    in_table: bool = False
    nesting: int = 1


@dataclass(frozen=True, slots=True)
class CellEdge:
    """A cell as its row defines it: where it ends, and whether it goes on from the left or from above."""

    right: int
    across: bool = False
    down: str = ""


@dataclass(frozen=True, slots=True)
class _Row:
    cells: tuple[str, ...]
    edges: tuple[CellEdge, ...]
    left: int
    is_header: bool


class RtfDocument:
    """Takes what the groups hold, in order."""

    def __init__(self) -> None:
        self.builder = TextBuilder()
        self.named = ""
        self.title = ""
        self.notes: list[str] = []
        self.comments: list[str] = []
        self.edges: list[str] = []
        self._cell: list[str] = []
        self._cells: list[str] = []
        self._inner_cell: list[str] = []
        self._inner_cells: list[str] = []
        self._inner_rows: list[str] = []
        self._rows: list[_Row] = []
        self._last_was_item = False

    def name(self, title: str) -> None:
        """The title the file gives itself."""
        self.named = " ".join(title.split())

    def paragraph(self, text: str, mark: str, form: Paragraph) -> None:
        """A paragraph of the body or of a cell; `mark` is the number or bullet before it."""
        text, mark = text.strip(), " ".join(mark.split())
        if form.in_table:
            mark = BULLET.strip() if mark and mark in _BULLETS else mark
            (self._inner_cell if form.nesting > 1 else self._cell).append(f"{mark} {text}".strip())
            return
        self.end_table()
        if not text:
            return
        if form.level is not None and len(text) < MAX_HEADING_CHARS and text.count("\n") < 3:
            self._write_notes()
            self.title = self.title or (text if form.level == 0 else "")
            mark = "" if mark in _BULLETS else mark
            self.builder.heading(form.level, f"{mark} {text}".strip())
            self._last_was_item = False
            return
        mark = "  " * form.depth + (BULLET if mark in _BULLETS else mark + " ") if mark else ""
        gap = "\n" if mark and self._last_was_item else "\n\n"
        self.builder.block(mark + text, gap=gap, kind="list" if mark else None)
        self._last_was_item = bool(mark)

    def box(self, text: str, *, in_table: bool) -> None:
        """A floating box, after the paragraph it is anchored in."""
        if in_table:
            self._cell.append(" ".join(text.split()))
        elif text.strip():
            self.builder.block("\n".join(line.strip() for line in text.splitlines() if line.strip()))
            self._last_was_item = False

    def cell_end(self) -> None:
        """The end of a cell."""
        inner = "; ".join(self._inner_rows)
        self._inner_rows = []
        self._cells.append(" ".join(filter(None, (" ".join(self._cell), inner))).strip())
        self._cell = []

    def row_end(self, edges: Sequence[CellEdge], left: int, *, is_header: bool) -> None:
        """The end of a row, as it is defined."""
        if any(self._cell):
            self.cell_end()
        self._cell = []
        if self._cells:
            self._rows.append(_Row(tuple(self._cells), tuple(edges), left, is_header))
        self._cells = []

    def inner_cell_end(self) -> None:
        """The end of a cell of a table in a cell."""
        self._inner_cells.append(" ".join(self._inner_cell).strip())
        self._inner_cell = []

    def inner_row_end(self) -> None:
        """The end of a row of a table in a cell."""
        if any(self._inner_cells):
            self._inner_rows.append(", ".join(filter(None, self._inner_cells)))
        self._inner_cells = []

    def end_table(self) -> None:
        """Write the table that has ended, if there is one."""
        if any(self._cells) or any(self._cell):
            self.row_end((), 0, is_header=False)
        rows, self._rows = self._rows, []
        if not rows:
            return
        self._last_was_item = False
        if all(len(row.cells) == 1 for row in rows):
            for row in rows:
                self.builder.block(row.cells[0])
            return
        marked = next((place for place, row in enumerate(rows) if not row.is_header), len(rows))
        plain, names = plain_rows(joined_down(_lines(rows)), marked if 0 < marked < len(rows) else None)
        self.builder.table(plain, header=names)

    def end(self) -> None:
        """The end of the document: what stands outside its text."""
        self.end_table()
        self._write_notes()
        self.builder.leave_sections()
        for line in (*self.comments, *dict.fromkeys(self.edges)):
            self.builder.block(line)

    def _write_notes(self) -> None:
        for note in self.notes:
            self.builder.block(note)
            self._last_was_item = False
        self.notes = []


def _lines(rows: Sequence[_Row]) -> list[list[Part]]:
    """Rows whose cells cover columns by where they end: RTF says no more of merged cells."""
    edges: list[int] = []
    for right in sorted(edge.right for row in rows for edge in row.edges):
        if not edges or right - edges[-1] > _SAME_EDGE_TWIPS:
            edges.append(right)
    return [_line(row, edges) for row in rows]


def _line(row: _Row, edges: Sequence[int]) -> list[Part]:
    if len(row.edges) != len(row.cells):
        return [Part(text) for text in row.cells]
    parts: list[Part] = []
    left = row.left
    for text, edge in zip(row.cells, row.edges, strict=True):
        columns = sum(left + _SAME_EDGE_TWIPS < one <= edge.right for one in edges)
        if edge.across and parts:
            last = parts.pop()
            parts.append(Part(f"{last.text} {text}".strip(), last.columns + max(columns, 1), last.merge))
        else:
            parts.append(Part(text, max(columns, 1), edge.down))
        left = edge.right
    return parts
