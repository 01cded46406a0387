"""Walks a Word document's body, keeping the order of paragraphs, tables and shapes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final
from xml.etree.ElementTree import Element

from prism.ingest.readers.builder import TextBuilder
from prism.ingest.readers.drawing import content, write_chart, write_diagram
from prism.ingest.readers.merged import plain_rows
from prism.ingest.readers.numbering import Numbering
from prism.ingest.readers.parts import Parts, relation_id
from prism.ingest.readers.word_notes import one_line
from prism.ingest.readers.word_tables import MAX_CELL_CHARS, cells_of, header_rows, merged_cells, rows_of
from prism.ingest.readers.word_text import REVISED, WordText, floating_boxes
from prism.ingest.readers.wordxml import child, local, value, whole

MAX_HEADING_CHARS: Final = 300
"""A longer paragraph in a heading style is text that somebody made large."""

_SKIPPED = REVISED | {"sectPr", "pPr", "sdtPr", "sdtEndPr", "tblPr", "tcPr"}


class WordBody:
    """Writes a body into `builder`; `title` is the first paragraph in the style of titles."""

    def __init__(
        self,
        heading_levels: Mapping[str, int],
        numbering: Numbering,
        notes: Mapping[str, Mapping[str, Element]],
        parts: Parts,
        main: str,
    ) -> None:
        self.builder = TextBuilder()
        self.text = WordText()
        self.title = ""
        self._heading_levels = heading_levels
        self._numbering = numbering
        self._notes = notes
        self._parts = parts
        self._main = main
        self._last_was_item = False
        self._joined = ""
        self._unread: list[str] = []
        self._drawn: set[str] = set()

    def walk(self, container: Element) -> None:
        """Append every paragraph and table below `container`, looking through content controls."""
        for element in content(container):
            kind = local(element)
            if kind == "p":
                self._paragraph(element)
            elif kind == "tbl":
                self._table(element)
            elif kind in ("altChunk", "subDoc"):
                found = self._parts.related(self._main).get(relation_id(element))
                self._unread.append(
                    f"{'another document' if found is None else found.target} inside it was not read"
                )
            elif kind == "sdt" and child(element, "sdtPr", "showingPlcHdr") is not None:
                continue
            elif kind in REVISED:
                self.text.revised = True
            elif kind not in _SKIPPED:
                self.walk(element)

    def end(self) -> None:
        """Append what waits for the end of the document."""
        if self._joined.strip():
            self._block(self._joined.strip(), "", is_item=False)
        self._joined = ""
        self._write_notes()

    def warnings(self) -> list[str]:
        """What was not read, and what was read in one of several possible ways."""
        told = [f"an embedded object was not read ({name})" for name in dict.fromkeys(self.text.objects)]
        if self.text.revised:
            told.append("tracked changes were read as if accepted")
        if self.text.hidden:
            told.append("hidden text was left out")
        return [*self._unread, *told]

    def _paragraph(self, paragraph: Element) -> None:
        style = value(child(paragraph, "pPr", "pStyle"))
        text = (self._joined + self.text.of(paragraph)).strip()
        if child(paragraph, "pPr", "rPr", "del") is not None:
            # Its end is deleted: the text goes on in the next paragraph.
            self.text.revised = True
            self._joined = text + " " if text else ""
            return
        self._joined = ""
        number, is_item = self._numbering.mark(paragraph, style)
        level = self._level(paragraph, style)
        if text and level is not None and text.count("\n") < 3 and len(text) < MAX_HEADING_CHARS:
            self.title = self.title or (text if level == 0 else "")
            self._heading(max(level, 0), number.strip(" -") + " " + text if number.strip(" -") else text)
        elif text:
            self._block(text, number, is_item=is_item)
        for box in floating_boxes(paragraph):
            self.walk(box)
        self._drawings(paragraph)

    def _heading(self, level: int, text: str) -> None:
        waiting, self.text.notes = self.text.notes, []
        own = [note for note in waiting if f"note {note[2]})" in text]
        self.text.notes = [note for note in waiting if note not in own]
        self._write_notes()
        self.text.notes = own
        self.builder.heading(level, text)
        self._last_was_item = False

    def _block(self, text: str, number: str, *, is_item: bool) -> None:
        gap = "\n" if is_item and self._last_was_item else "\n\n"
        self.builder.block(number + text, gap=gap, kind="list" if is_item else None)
        self._last_was_item = is_item

    def _level(self, paragraph: Element, style: str) -> int | None:
        outline = value(child(paragraph, "pPr", "outlineLvl"))
        if outline:
            return whole(outline) + 1 if whole(outline, 9) < 9 else None
        return self._heading_levels.get(style)

    def _table(self, table: Element) -> None:
        rows = rows_of(table)
        cells = [cells_of(row) for row in rows]
        if self._is_layout(cells):
            for row in cells:
                for cell in row:
                    self.walk(cell)
            return
        plain, names = plain_rows(
            merged_cells(rows, [[self._cell(cell) for cell in row] for row in cells]), header_rows(rows)
        )
        self.builder.table(plain, header=names)
        self._last_was_item = False
        for element in table.iter():
            if local(element) == "p":
                self._drawings(element)

    def _is_layout(self, cells: list[list[Element]]) -> bool:
        """A box around text, a column of boxes, or cells with headings or long text."""
        if all(len(row) <= 1 for row in cells):
            several = sum(sum(local(part) == "p" for part in cell) > 1 for row in cells for cell in row)
            return len(cells) == 1 or several > 0
        return any(self._is_page(cell) for row in cells for cell in row)

    def _is_page(self, cell: Element) -> bool:
        paragraphs = [part for part in cell.iter() if local(part) == "p"]
        has_heading = any(
            self._level(part, value(child(part, "pPr", "pStyle"))) is not None and len(paragraphs) > 1
            for part in paragraphs
        )
        chars = sum(len(part.text or "") for part in cell.iter() if local(part) == "t")
        return has_heading or chars > MAX_CELL_CHARS

    def _cell(self, cell: Element) -> str:
        """A cell on one line, its list items with their marks; a table in it as `a, b; c, d`."""
        return " ".join(filter(None, self._cell_parts(cell)))

    def _cell_parts(self, container: Element) -> Iterator[str]:
        for element in content(container):
            kind = local(element)
            if kind == "p":
                text = " ".join(self.text.of(element).split())
                style = value(child(element, "pPr", "pStyle"))
                yield self._numbering.mark(element, style)[0].strip() + " " + text if text else ""
                for box in floating_boxes(element):
                    yield from self._cell_parts(box)
            elif kind == "tbl":
                rows = ([self._cell(cell) for cell in cells_of(row)] for row in rows_of(element))
                yield "; ".join(", ".join(filter(None, row)) for row in rows if any(row))
            elif kind == "sdt" and child(element, "sdtPr", "showingPlcHdr") is not None:
                continue
            elif kind not in _SKIPPED:
                yield from self._cell_parts(element)

    def _drawings(self, paragraph: Element) -> None:
        """Charts and diagrams that stand in a paragraph."""
        for part in paragraph.iter():
            kind = local(part)
            identifier = (
                relation_id(part) if kind == "chart" else relation_id(part, "dm") if kind == "relIds" else ""
            )
            if not identifier or identifier in self._drawn:
                continue
            self._drawn.add(identifier)
            found = self._parts.related(self._main).get(identifier)
            root = self._parts.xml_or_none(found.target) if found is not None else None
            if root is None:
                self._unread.append(f"a {'chart' if kind == 'chart' else 'diagram'} is missing or damaged")
            elif kind == "chart":
                write_chart(self.builder, root)
            else:
                write_diagram(self.builder, root)

    def _write_notes(self) -> None:
        notes, self.text.notes = self.text.notes, []
        for kind, identifier, number in notes:
            note = self._notes.get(kind, {}).get(identifier)
            if note is not None and (text := one_line(note, self.text)):
                self.builder.block(f"{'Note' if kind == 'footnote' else 'Endnote'} {number}: {text}")
        if notes:
            self._last_was_item = False
