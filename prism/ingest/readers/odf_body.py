"""Walks the text of OpenDocument: headings, paragraphs, lists, tables, boxes, in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final
from xml.etree.ElementTree import Element

from prism.ingest.readers.builder import TextBuilder
from prism.ingest.readers.merged import MAX_SPAN, Cell, plain_rows
from prism.ingest.readers.odf_package import OdfPackage, formula
from prism.ingest.readers.odf_styles import MAX_DEPTH, OUTLINE, ListCounter, Styles
from prism.ingest.readers.odf_text import SHAPES, OdfText
from prism.ingest.readers.wordxml import attribute, child, local, whole

MAX_HEADING_CHARS: Final = 300
MAX_CELL_CHARS: Final = 1500
"""A longer cell is running text: its table lays out the page."""

_SKIPPED = frozenset(
    (
        "tracked-changes", "forms", "sequence-decls", "variable-decls", "user-field-decls", "scripts",
        "dde-connection-decls", "table-of-content-source", "alphabetical-index-source", "annotation-end",
        "notes", "image", "plugin", "title", "desc", "settings", "shapes",
    )
)  # fmt: skip


class OdfBody:
    """Writes into `builder`; `title` is the first paragraph in the style of titles."""

    def __init__(self, package: OdfPackage) -> None:
        self.builder = TextBuilder()
        self.styles = Styles(package.styles, package.content)
        self.text = OdfText(self.styles)
        self.title = ""
        self.has_picture = False
        self.unread: list[str] = []
        self._package = package
        self._counter = ListCounter(self.styles)
        self._last_was_item = False

    def walk(self, container: Iterable[Element]) -> None:
        """Append all text below `container`."""
        for element in container:
            kind = local(element)
            if kind == "h":
                self._heading(element)
            elif kind == "p":
                self._paragraph(element)
            elif kind == "list":
                self._list(element, "", 1)
            elif kind == "table":
                self._table(element)
            elif kind == "object":
                self._object(element)
            elif kind == "object-ole":
                self.unread.append("an embedded object was not read")
            elif kind == "annotation":
                self.text.comment(element)
            elif kind == "section" and attribute(element, "display") == "none":
                self.text.hidden = True
            elif kind == "frame":
                self._frame(element)
            elif kind not in _SKIPPED:
                self.walk(element)

    def end(self) -> None:
        """The end of the text."""
        self._write_notes()

    def warnings(self) -> list[str]:
        """What was not read."""
        hidden = ["hidden text was left out"] if self.text.hidden else []
        return [*dict.fromkeys(self.unread), *hidden]

    def start_anew(self) -> None:
        """What follows goes on from no list."""
        self._last_was_item = False

    def _heading(self, heading: Element) -> None:
        text = self.text.of(heading)
        level = min(max(whole(attribute(heading, "outline-level"), 1), 1), 10)
        is_numbered = attribute(heading, "is-list-header") != "true"
        if len(text) > MAX_HEADING_CHARS or not text:
            self._block(text)
        else:
            notes, self.text.notes = self.text.notes, []
            own = [note for note in notes if f"({note[0].lower()})" in text]
            self.text.notes = [note for note in notes if note not in own]
            self._write_notes()
            mark = (
                self._counter.mark(OUTLINE, level, attribute(heading, "start-value")) if is_numbered else ""
            )
            self.builder.heading(level, mark + text)
            self.text.notes = own
            self._last_was_item = False
        self._write_shapes()

    def _paragraph(self, paragraph: Element, mark: str = "", *, in_list: bool = False) -> None:
        text = self.text.of(paragraph).strip()
        if (
            text
            and self.styles.is_title(attribute(paragraph, "style-name"))
            and len(text) < MAX_HEADING_CHARS
        ):
            self.title = self.title or " ".join(text.split())
            self.builder.heading(0, text)
            self._last_was_item = False
        elif text:
            self._block(mark + text, in_list=in_list)
        self._write_shapes()

    def _block(self, text: str, *, in_list: bool = False) -> None:
        if text:
            gap = "\n" if in_list and self._last_was_item else "\n\n"
            self.builder.block(text, gap=gap, kind="list" if in_list else None)
            self._last_was_item = in_list

    def _list(self, element: Element, style: str, depth: int) -> None:
        style = self._list_style(element, style, depth)
        for item in element:
            if local(item) not in ("list-item", "list-header"):
                continue
            mark = "  " * (depth - 1)
            if local(item) == "list-item" and any(local(part) in ("p", "h") for part in item):
                mark += self._counter.mark(style, depth, attribute(item, "start-value"))
            for part in item:
                if local(part) == "list":
                    self._list(part, style, min(depth + 1, MAX_DEPTH))
                elif local(part) == "h":
                    self._heading(part)
                elif local(part) == "p":
                    self._paragraph(part, mark, in_list=True)
                    mark = "  " * depth
                else:
                    self.walk([part])

    def _list_style(self, element: Element, style: str, depth: int) -> str:
        """The style of a list: its own, the list's around it, or its first paragraph's; it counts anew."""
        own = attribute(element, "style-name") or style
        if not own:
            first = next((part for part in element.iter() if local(part) == "p"), None)
            own = self.styles.list_of(attribute(first, "style-name")) or style
        goes_on = attribute(element, "continue-numbering") == "true" or attribute(element, "continue-list")
        if depth == 1 and not goes_on:
            self._counter.restart(own)
        return own

    def _frame(self, frame: Element) -> None:
        """A box, or the first of several pictures of one thing."""
        self.has_picture |= child(frame, "image") is not None
        for part in frame:
            if local(part) in ("text-box", "table", "object", "object-ole"):
                self.walk([part])
                return

    def _write_shapes(self) -> None:
        shapes, self.text.shapes = self.text.shapes, []
        for shape in shapes:
            self.walk([shape])

    def _object(self, element: Element) -> None:
        root = self._package.embedded(element)
        if root is None:
            self.unread.append("an embedded object was not read")
        elif local(root) == "math":
            self._block(formula(root))
        elif (
            chart := next((part for part in root.iter() if local(part) == "chart" and len(part)), None)
        ) is not None:
            titles = [self.text.line(part) for part in chart.iter() if local(part) in ("title", "subtitle")]
            if any(titles):
                self.builder.block("Chart: " + "; ".join(filter(None, titles)))
            for table in (part for part in chart.iter() if local(part) == "table"):
                self._table(table)
        else:
            self.unread.append("an embedded object was not read")

    def _table(self, table: Element) -> None:
        rows = list(_rows(table))
        cells = [[cell for cell in row if local(cell) == "table-cell"] for row, _ in rows]
        if _is_layout(cells):
            for row in cells:
                for cell in row:
                    self.walk(cell)
            return
        spread = [[self._cell(cell) for cell in _repeated(row)] for row, _ in rows]
        marked = sum(is_header for _, is_header in rows)
        plain, names = plain_rows(spread, marked if 0 < marked < len(rows) else None)
        self.builder.table(plain, header=names)
        self._last_was_item = False

    def _cell(self, cell: Element) -> Cell:
        span = whole(attribute(cell, "number-columns-spanned"), 1)
        return Cell(self._cell_text(cell), span, whole(attribute(cell, "number-rows-spanned"), 1))

    def _cell_text(self, cell: Element) -> str:
        """A cell on one line, list items with their marks; a table in it as `a, b; c, d`."""
        return " ".join(filter(None, self._cell_parts(cell, "", 0)))

    def _cell_parts(self, container: Element, style: str, depth: int) -> Iterator[str]:
        for element in container:
            kind = local(element)
            if kind in ("p", "h"):
                yield " ".join(self.text.of(element).split())
                shapes, self.text.shapes = self.text.shapes, []
                for shape in shapes:
                    yield from self._cell_parts(shape, style, depth)
            elif kind == "list":
                inner = self._list_style(element, style, depth + 1)
                for item in element:
                    mark = (
                        self._counter.mark(inner, min(depth + 1, MAX_DEPTH))
                        if local(item) == "list-item"
                        else ""
                    )
                    yield mark + " ".join(
                        filter(None, self._cell_parts(item, inner, min(depth + 1, MAX_DEPTH)))
                    )
            elif kind == "table":
                rows = [
                    [self._cell_text(cell) for cell in row if local(cell) == "table-cell"]
                    for row, _ in _rows(element)
                ]
                yield "; ".join(", ".join(filter(None, row)) for row in rows if any(row))
            elif kind == "annotation":
                self.text.comment(element)
            elif kind in SHAPES or kind not in _SKIPPED:
                yield from self._cell_parts(element, style, depth)

    def _write_notes(self) -> None:
        notes, self.text.notes = self.text.notes, []
        for told, body in notes:
            if text := self.text.line(body):
                self.builder.block(f"{told}: {text}")
                self._last_was_item = False


def _rows(table: Element, *, in_header: bool = False) -> Iterator[tuple[Element, bool]]:
    """The rows with whether they are a header's; a row repeated is empty, and once enough."""
    for element in table:
        kind = local(element)
        if kind == "table-row":
            yield element, in_header
        elif kind in ("table-header-rows", "table-rows", "table-row-group"):
            yield from _rows(element, in_header=in_header or kind == "table-header-rows")


def _repeated(row: Element) -> Iterator[Element]:
    for cell in row:
        if local(cell) == "table-cell":
            for _ in range(min(max(whole(attribute(cell, "number-columns-repeated"), 1), 1), MAX_SPAN)):
                yield cell


def _is_layout(rows: list[list[Element]]) -> bool:
    """A box around text, a column of boxes, or cells with headings or long text."""
    if all(len(row) <= 1 for row in rows):
        several = any(sum(local(part) == "p" for part in cell.iter()) > 1 for row in rows for cell in row)
        return len(rows) == 1 or several
    return any(
        any(local(part) == "h" for part in cell) or len("".join(cell.itertext())) > MAX_CELL_CHARS
        for row in rows
        for cell in row
    )
