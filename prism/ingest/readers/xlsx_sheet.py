"""One worksheet of an XLSX workbook: rows as they are shown, merged cells, notes, and what is left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final
from xml.etree.ElementTree import Element

from prism.errors import TooLargeError
from prism.ingest.readers.container import Container
from prism.ingest.readers.number_format import shown
from prism.ingest.readers.parts import Parts
from prism.ingest.readers.protocol import SourceFile
from prism.ingest.readers.sheet import Area, Cell, Row, Sheet, area, letters, position
from prism.ingest.readers.sheet_omitted import Omitted
from prism.ingest.readers.wordxml import attribute, child, local
from prism.ingest.readers.xlsx_book import Book, SheetPart, Style, is_true, number, text_of, tidy

LAST_ROW: Final = 1_048_576
LAST_COLUMN: Final = 16_384

_NO_STYLE = Style()
_PLAIN_DIGITS = 15
_PARTS = ("row", "col", "mergeCell", "autoFilter")


def read_sheet(
    container: Container, parts: Parts, tab: SheetPart, book: Book, file: SourceFile, omitted: Omitted
) -> Sheet:
    """A worksheet. What is left out is noted in `omitted`.

    Raises:
        UnreadableError: missing or damaged.
        TooLargeError: over `read.max_chars`.
    """
    cells = _Cells(tab.name, book, file, omitted)
    merged: list[Area] = []
    headers: list[Area] = []
    for element in container.elements(parts.member(tab.part) or tab.part, *_PARTS):
        kind = local(element)
        if kind == "row":
            cells.add(element)
        elif kind == "col":
            cells.hide(element)
        elif found := area(attribute(element, "ref")):
            if kind == "mergeCell":
                merged.append(found)
            else:
                headers.append(Area(found.top, found.left, found.top, found.right))
    notes: dict[tuple[int, int], str] = {}
    shapes: list[tuple[int, str]] = []
    tables = (_table_header(parts.xml_or_none(table)) for table in parts.of_kind(tab.part, "table"))
    headers += filter(None, tables)
    for comments in parts.of_kind(tab.part, "comments"):
        notes |= _notes(parts.xml_or_none(comments))
    for threads in parts.of_kind(tab.part, "threadedComment"):
        notes |= _threads(parts.xml_or_none(threads))
    for member in parts.of_kind(tab.part, "drawing"):
        if (drawing := parts.xml_or_none(member)) is not None:
            shapes += _shapes(drawing)
            omitted.charts += sum(local(element) == "graphicFrame" for element in drawing.iter())
    shown_notes = {place: note for place, note in notes.items() if note and not cells.is_hidden(*place)}
    return Sheet(tab.name, cells.rows, merged, headers, frozenset(cells.hidden), shown_notes, shapes)


class _Cells:
    """Gathers rows; equal cells are one object, since columns repeat their values."""

    def __init__(self, sheet: str, book: Book, file: SourceFile, omitted: Omitted) -> None:
        self.rows: list[Row] = []
        self.hidden: set[int] = set()
        self._sheet = sheet
        self._book = book
        self._file = file
        self._omitted = omitted
        self._seen: dict[Cell, Cell] = {}
        self._number = 0
        self._hidden_rows: set[int] = set()
        self._chars = 0

    def hide(self, column: Element) -> None:
        """Note the columns that a `col` element hides."""
        if is_true(column, "hidden"):
            first, last = number(column, "min", 1), min(number(column, "max"), LAST_COLUMN)
            self.hidden.update(range(first, last + 1))

    def is_hidden(self, row: int, column: int) -> bool:
        """Whether nobody sees a cell."""
        return row in self._hidden_rows or column in self.hidden

    def add(self, row: Element) -> None:
        """Read a `row` element."""
        self._number = min(number(row, "r", self._number + 1), LAST_ROW)
        is_hidden = attribute(row, "hidden") in ("1", "true")
        if is_hidden:
            self._hidden_rows.add(self._number)
        cells = {}
        for column, cell in self._cells(row):
            if column in self.hidden:
                self._omitted.columns.setdefault(self._sheet, set()).add(column)
            else:
                cells[column] = cell
        if cells and is_hidden:
            self._omitted.rows.setdefault(self._sheet, []).append(self._number)
        elif cells:
            self._chars += sum(len(cell.text) for cell in cells.values())
            self._check()
            place = self._number - len(self._hidden_rows)
            self.rows.append(Row(self._number, place, dict(sorted(cells.items()))))

    def _check(self) -> None:
        limit = self._file.settings.max_chars
        if self._chars > limit:
            raise TooLargeError(
                f"{self._file.name}: more than {limit:,} characters, the limit. "
                "Raise read.max_chars or split the file."
            )

    def _cells(self, row: Element) -> Iterator[tuple[int, Cell]]:
        column = 0
        for element in row:
            at = position(element.get("r", ""))
            column = at[1] if at is not None else column + 1
            if column <= LAST_COLUMN and (cell := self._cell(element, column)) is not None:
                yield column, cell

    def _cell(self, element: Element, column: int) -> Cell | None:
        kind = element.get("t", "n")
        raw, inline, has_formula = "", "", False
        for part in element:
            name = local(part)
            if name == "v":
                raw = part.text or ""
            elif name == "is":
                inline = text_of(part)
            elif name == "f":
                has_formula = True
        if not raw and not inline:
            if has_formula and kind != "str":
                self._omitted.formulas.append(f"{self._sheet}!{letters(column)}{self._number}")
            return None
        style = self._style(element)
        cell = Cell(inline, "text", style.is_bold) if inline else self._valued(raw, kind, style)
        return self._seen.setdefault(cell, cell) if cell.text else None

    def _style(self, element: Element) -> Style:
        place = element.get("s", "0")
        known = self._book.styles
        return known[int(place)] if place.isdecimal() and int(place) < len(known) else _NO_STYLE

    def _valued(self, raw: str, kind: str, style: Style) -> Cell:
        if kind == "s":
            place = int(raw) if raw.strip().isdecimal() and len(raw) < 12 else -1
            if not 0 <= place < len(self._book.texts):
                self._omitted.lost_texts += 1
                return Cell("")
            return Cell(self._book.texts[place], "text", style.is_bold)
        if kind == "b":
            return Cell("TRUE" if raw.strip() == "1" else "FALSE", "text", style.is_bold)
        if kind == "d":
            return Cell(tidy(raw.replace("T00:00:00", "")), "date", style.is_bold)
        if kind in ("str", "inlineStr", "e"):
            return Cell(tidy(raw), "text", style.is_bold)
        if style is _NO_STYLE or style.code == "General":
            # Most cells are whole numbers without a format.
            text = raw if raw.isdecimal() and len(raw) <= _PLAIN_DIGITS else shown(raw, "General")
        else:
            text = tidy(shown(raw, style.code, from_1904=self._book.from_1904))
        return Cell(text, "date" if style.is_date else "number", style.is_bold)


def _table_header(root: Element | None) -> Area | None:
    found = area(attribute(root, "ref"))
    if found is None or number(root, "headerRowCount", 1) == 0:
        return None
    return Area(found.top, found.left, found.top, found.right)


def _notes(root: Element | None) -> Mapping[tuple[int, int], str]:
    return {
        at: text_of(text)
        for comment in (root.iter() if root is not None else ())
        if local(comment) == "comment"
        and (at := position(attribute(comment, "ref")))
        and (text := child(comment, "text")) is not None
    }


def _threads(root: Element | None) -> Mapping[tuple[int, int], str]:
    """Notes with their replies, which stand in the file one after the other."""
    notes: dict[tuple[int, int], str] = {}
    for comment in root if root is not None else ():
        at, text = position(attribute(comment, "ref")), child(comment, "text")
        if at and text is not None and (said := tidy(text.text or "")):
            notes[at] = f"{notes[at]} / {said}" if at in notes else said
    return notes


def _shapes(drawing: Element) -> list[tuple[int, str]]:
    """Texts of boxes over the sheet, with the row where each begins."""
    found = []
    for anchor in drawing:
        row = child(anchor, "from", "row")
        top = int(row.text) + 1 if row is not None and row.text and row.text.isdigit() else 1
        for shape in anchor.iter():
            paragraphs: Sequence[Element] = list(body) if (body := child(shape, "txBody")) is not None else []
            for paragraph in paragraphs:
                text = tidy("".join(part.text or "" for part in paragraph.iter() if local(part) == "t"))
                if text:
                    found.append((top, text))
    return found
