"""The lines of a worksheet: titles, texts, and table rows in which every cell carries its column's name.

`Plan: Basic; Fee: 1,200.00`: a row, even one cut in two, says what its numbers mean. Names that span
several columns or rows are joined (`2023 / Sales`); a table without names is written cell by cell
(`lamp | 31`), a form as it reads (`Owner: Asha`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from prism.ingest.readers.builder import CELL_SEPARATOR
from prism.ingest.readers.sheet import Cell, Row, Sheet, letters
from prism.ingest.readers.sheet_blocks import Block, blocks, is_data
from prism.ingest.readers.sheet_names import column_names, header_rows, is_form

_MAX_TITLE_ROWS = 3
_MAX_TITLE_CHARS = 120
_SAMPLE_ROWS = 50


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a sheet's text. `row` is the row's number as its program shows it; `opens` says that it is
    the first of a block."""

    row: int
    text: str
    role: Literal["title", "text", "row"]
    opens: bool = False


@dataclass(frozen=True, slots=True)
class _Table:
    """A table above: what its columns are called, and which of them hold numbers."""

    names: Mapping[int, str]
    numeric: frozenset[int]


def lines_of(sheet: Sheet) -> Iterator[Line]:
    """Every line of a sheet's text, block by block."""
    found = blocks(sheet)
    above: _Table | None = None
    notes = dict(sheet.notes)
    titles = _titles(found)
    for place, block in enumerate(found):
        if len(block.columns) == 1:
            lines = _texts(block, is_title=place in titles)
        else:
            lines, above = _table(sheet, block, above)
        for at, line in enumerate(lines):
            noted = _with_notes(line, notes, above, block)
            yield Line(noted.row, noted.text, noted.role, opens=at == 0)
    for (row, column), note in sorted(notes.items()):
        yield Line(row, f"Note on {letters(column)}{row}: {note}", "text", opens=True)
    for row, text in sheet.shapes:
        yield Line(row, text, "text", opens=True)


def _titles(found: Sequence[Block]) -> set[int]:
    """Blocks of a few short texts with nothing else between them and the table below."""
    titles: set[int] = set()
    is_above_table = False
    for place in reversed(range(len(found))):
        block = found[place]
        cells = [cell for row in block.rows[:_MAX_TITLE_ROWS] for cell in row.cells.values()]
        is_short = len(block.rows) <= _MAX_TITLE_ROWS and all(map(_may_be_title, cells))
        if len(block.columns) > 1:
            is_above_table = True
        elif is_above_table and is_short:
            titles.add(place)
        else:
            is_above_table = False
    return titles


def _texts(block: Block, *, is_title: bool) -> list[Line]:
    role: Literal["title", "text"] = "title" if is_title else "text"
    return [Line(row.number, cell.text, role) for row in block.rows for cell in row.cells.values()]


def _may_be_title(cell: Cell) -> bool:
    return not is_data(cell) and len(cell.text) <= _MAX_TITLE_CHARS


def _table(sheet: Sheet, block: Block, above: _Table | None) -> tuple[list[Line], _Table | None]:
    titles, rows = _title_rows(sheet, block)
    lines = [
        Line(row.number, cell.text, "title" if _may_be_title(cell) else "text")
        for row in titles
        for cell in row.cells.values()
    ]
    if is_form(rows):
        return [*lines, *(Line(row.number, _form_line(row), "row") for row in rows)], None
    count = header_rows(sheet, rows)
    header, rows = rows[:count], rows[count:]
    numeric = _numeric_columns(rows)
    names: Mapping[int, str]
    if header:
        caption, names = column_names(sheet, header, block.columns)
        lines += [Line(header[0].number, caption, "title")] if caption else []
    elif above is not None and _goes_on(rows, numeric, above):
        names, numeric = above.names, above.numeric
    else:
        return [*lines, *(Line(row.number, _plain_line(row), "row") for row in rows)], above
    used = {column for row in rows for column in row.cells}
    if header and any(names[column] for column in names if column not in used):
        shown = CELL_SEPARATOR.join(name for _, name in sorted(names.items()) if name)
        lines.append(Line(header[-1].number, shown, "row"))
    wide = {(area.top, area.left) for area in sheet.merged if area.right > area.left}
    for row in rows:
        if any(cell.text != names.get(column) for column, cell in row.cells.items()):
            lines.append(_row_line(row, names, is_banner=_is_banner(row, wide, numeric)))
    return lines, _Table(names, numeric)


def _title_rows(sheet: Sheet, block: Block) -> tuple[Sequence[Row], Sequence[Row]]:
    """Rows of one cell above the first with several, unless it is a name over some of the columns."""
    wide = {(area.top, area.left): area.right for area in sheet.merged if area.top == area.bottom}
    for at, row in enumerate(block.rows):
        column = min(row.cells)
        is_group = column > block.columns[0] and wide.get((row.number, column), 0) > column
        if len(row.cells) > 1 or is_group:
            return block.rows[:at], block.rows[at:]
    return (), block.rows


def _numeric_columns(rows: Sequence[Row]) -> frozenset[int]:
    counts: dict[int, list[bool]] = {}
    for row in rows[:_SAMPLE_ROWS]:
        for column, cell in row.cells.items():
            counts.setdefault(column, []).append(is_data(cell))
    return frozenset(column for column, data in counts.items() if sum(data) * 2 > len(data))


def _goes_on(rows: Sequence[Row], numeric: frozenset[int], above: _Table) -> bool:
    """Whether rows below an empty one belong to the table above it: figures stand under figures."""
    columns = {column for row in rows for column in row.cells}
    return bool(numeric) and columns <= above.names.keys() and numeric <= above.numeric


def _is_banner(row: Row, wide: set[tuple[int, int]], numeric: frozenset[int]) -> bool:
    """A heading or a note inside a table: one text over several columns, or alone among figures."""
    if len(row.cells) > 1:
        return False
    ((column, cell),) = row.cells.items()
    return (row.number, column) in wide or (bool(numeric - {column}) and not is_data(cell))


def _row_line(row: Row, names: Mapping[int, str], *, is_banner: bool) -> Line:
    if is_banner:
        return Line(row.number, _plain_line(row), "row")
    first = min(names, default=0)
    cells = []
    for column, cell in row.cells.items():
        # A first column without a name holds what the rows are called.
        name = names.get(column) or ("" if column == first else f"column {letters(column)}")
        cells.append(f"{name}: {cell.text}" if name else cell.text)
    return Line(row.number, "; ".join(cells), "row")


def _form_line(row: Row) -> str:
    first, *values = (cell.text for cell in row.cells.values())
    return f"{first.rstrip(' :')}: {' '.join(values)}" if values else first


def _plain_line(row: Row) -> str:
    texts = [cell.text for cell in row.cells.values()]
    joints = [" " if re.search(r":\s*\Z", left) else CELL_SEPARATOR for left, _ in pairwise(texts)]
    return "".join(text + joint for text, joint in zip(texts, [*joints, ""], strict=True))


def _with_notes(line: Line, notes: dict[tuple[int, int], str], table: _Table | None, block: Block) -> Line:
    text = line.text
    for column in block.columns if notes else ():
        if note := notes.pop((line.row, column), ""):
            name = table.names.get(column, "") if table is not None and line.role == "row" else ""
            text += f"; note on {name or letters(column) + str(line.row)}: {note}"
    return Line(line.row, text, line.role)
