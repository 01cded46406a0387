"""One worksheet of an ODS workbook: rows as they are shown, merged cells, notes, and what is left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Literal
from xml.etree.ElementTree import Element

from prism.errors import TooLargeError
from prism.ingest.readers.protocol import SourceFile
from prism.ingest.readers.sheet import Area, Cell, Row, Sheet, letters
from prism.ingest.readers.sheet_omitted import Omitted
from prism.ingest.readers.wordxml import attribute, child, local

LAST_ROW: Final = 1_048_576
LAST_COLUMN: Final = 16_384

_KINDS: dict[str, Literal["number", "date"]] = {
    "float": "number",
    "percentage": "number",
    "currency": "number",
    "date": "date",
    "time": "date",
}
_VALUES = ("value", "date-value", "time-value", "boolean-value", "string-value")
_GROUPS = ("table-row-group", "table-header-rows", "table-rows")
_COLUMN_GROUPS = ("table-column-group", "table-header-columns", "table-columns")
_HIDDEN = ("collapse", "filter")


@dataclass(slots=True)
class OdsStyles:
    """Names of the styles that hide a sheet or make a text bold."""

    hidden: set[str] = field(default_factory=set)
    bold: set[str] = field(default_factory=set)

    def add(self, style: Element) -> None:
        """Note a style."""
        name = attribute(style, "name")
        if attribute(child(style, "table-properties"), "display") == "false":
            self.hidden.add(name)
        if attribute(child(style, "text-properties"), "font-weight") in ("bold", "700", "800", "900"):
            self.bold.add(name)

    def is_hidden(self, table: Element) -> bool:
        """Whether a sheet is not shown."""
        return attribute(table, "style-name") in self.hidden


def read_sheet(table: Element, name: str, styles: OdsStyles, file: SourceFile, omitted: Omitted) -> Sheet:
    """A worksheet from its `table` element. What is left out is noted in `omitted`.

    Raises:
        TooLargeError: over `read.max_chars`.
    """
    reader = _Reader(name, styles, file, omitted)
    reader.columns(table)
    reader.walk(table)
    shapes = []
    for element in table:
        if local(element) == "shapes":
            shapes += [(1, text) for text in _paragraphs_of_shapes(element)]
    omitted.charts += sum(local(element) == "object" for element in table.iter())
    return Sheet(
        name,
        reader.rows,
        reader.merged,
        reader.headers,
        frozenset(reader.hidden),
        reader.notes,
        [*shapes, *reader.shapes],
    )


class _Reader:
    def __init__(self, sheet: str, styles: OdsStyles, file: SourceFile, omitted: Omitted) -> None:
        self.rows: list[Row] = []
        self.merged: list[Area] = []
        self.headers: list[Area] = []
        self.hidden: set[int] = set()
        self.notes: dict[tuple[int, int], str] = {}
        self.shapes: list[tuple[int, str]] = []
        self._sheet = sheet
        self._styles = styles
        self._file = file
        self._omitted = omitted
        self._number = 0
        self._place = 0
        self._chars = 0
        self._column_count = 0

    def columns(self, group: Element) -> None:
        """Note which columns are hidden."""
        for element in group:
            if local(element) == "table-column":
                count = min(_count(element, "number-columns-repeated"), LAST_COLUMN - self._column_count)
                if attribute(element, "visibility") in _HIDDEN:
                    self.hidden.update(range(self._column_count + 1, self._column_count + count + 1))
                self._column_count += count
            elif local(element) in _COLUMN_GROUPS:
                self.columns(element)

    def walk(self, group: Element) -> None:
        """Read the rows of a sheet or of a group of rows."""
        for element in group:
            kind = local(element)
            if kind == "table-row":
                self._row(element)
            elif kind in _GROUPS:
                first = self._number + 1
                self.walk(element)
                if kind == "table-header-rows" and self.rows and self.rows[-1].number >= first:
                    columns = self.rows[-1].cells
                    number = self.rows[-1].number
                    self.headers.append(Area(number, min(columns), number, max(columns)))

    def _row(self, element: Element) -> None:
        count = min(_count(element, "number-rows-repeated"), LAST_ROW - self._number)
        is_hidden = attribute(element, "visibility") in _HIDDEN
        cells = self._cells(element)
        numbers = range(self._number + 1, self._number + count + 1)
        if cells and is_hidden:
            self._omitted.rows.setdefault(self._sheet, []).extend(numbers)
        elif cells:
            self._check(count * sum(len(cell.text) for cell in cells.values()))
            self.rows += [Row(number, self._place + place, cells) for place, number in enumerate(numbers, 1)]
        self._number += count
        self._place += 0 if is_hidden else count

    def _check(self, chars: int) -> None:
        self._chars += chars
        limit = self._file.settings.max_chars
        if self._chars > limit:
            raise TooLargeError(
                f"{self._file.name}: more than {limit:,} characters, the limit. "
                "Raise read.max_chars or split the file."
            )

    def _cells(self, row: Element) -> dict[int, Cell]:
        cells: dict[int, Cell] = {}
        column = 0
        for element in row:
            kind = local(element)
            if kind not in ("table-cell", "covered-table-cell"):
                continue
            count = min(_count(element, "number-columns-repeated"), LAST_COLUMN - column)
            first, column = column + 1, column + count
            if not len(element) and not element.attrib:
                continue
            self._beside(element, first)
            cell = self._cell(element, first) if kind == "table-cell" else None
            if cell is None:
                continue
            for at in range(first, column + 1):
                if at in self.hidden:
                    self._omitted.columns.setdefault(self._sheet, set()).add(at)
                else:
                    cells[at] = cell
            self._merge(element, first)
        return cells

    def _cell(self, element: Element, column: int) -> Cell | None:
        text = " ".join(
            " ".join(_text(part) for part in element if local(part) in ("p", "h", "list")).split()
        )
        if not text:
            text = next((found for name in _VALUES if (found := attribute(element, name))), "")
        if not text:
            if attribute(element, "formula") and not attribute(element, "value-type"):
                self._omitted.formulas.append(f"{self._sheet}!{letters(column)}{self._number + 1}")
            return None
        is_bold = attribute(element, "style-name") in self._styles.bold or any(
            local(part) == "span" and attribute(part, "style-name") in self._styles.bold
            for part in element.iter()
        )
        return Cell(text, _KINDS.get(attribute(element, "value-type"), "text"), is_bold)

    def _beside(self, element: Element, column: int) -> None:
        """The comment of a cell, and boxes that hang on it."""
        for part in element:
            if local(part) == "annotation":
                lines = [_text(line) for line in part if local(line) in ("p", "list")]
                if note := " ".join(" ".join(lines).split()):
                    self.notes[self._number + 1, column] = note
            elif local(part) not in ("p", "h", "list"):
                self.shapes += [(self._number + 1, text) for text in _paragraphs_of_shapes(part)]

    def _merge(self, element: Element, column: int) -> None:
        right = column + _count(element, "number-columns-spanned") - 1
        bottom = self._number + _count(element, "number-rows-spanned")
        if right > column or bottom > self._number + 1:
            self.merged.append(Area(self._number + 1, column, bottom, right))


def _count(element: Element, name: str) -> int:
    text = attribute(element, name)
    return max(int(text), 1) if text.isdecimal() and len(text) < 10 else 1


def _text(element: Element) -> str:
    return "".join(_pieces(element))


def _pieces(element: Element) -> Iterator[str]:
    yield element.text or ""
    for part in element:
        kind = local(part)
        if kind in ("s", "tab", "line-break"):
            yield " "
        elif kind not in ("annotation", "ruby-text"):
            yield from _pieces(part)
            if kind in ("p", "list-item"):
                yield " "
        yield part.tail or ""


def _paragraphs_of_shapes(element: Element) -> list[str]:
    texts = (" ".join(_text(part).split()) for part in element.iter() if local(part) == "p")
    return [text for text in texts if text]
