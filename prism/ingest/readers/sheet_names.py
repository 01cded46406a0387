"""Which rows of a table hold its column names, and what each column is called."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from prism.ingest.readers.sheet import Cell, Row, Sheet
from prism.ingest.readers.sheet_blocks import is_data

_YEAR = re.compile(r"(?:19|20)\d\d")
_MISSING = re.compile(r"#[A-Z0-9/!?]+|[-–—.\s]+|n\.?/?a\.?|nil|none|tbd", re.I)
"""What stands where a number is missing, or a formula failed."""

_MAX_HEADER_ROWS = 3
_SAMPLE_ROWS = 50


def is_form(rows: Sequence[Row]) -> bool:
    """Whether two columns are labels and their values (`Owner | Asha`), not a table with names on top."""
    if len(rows) < 2 or len({column for row in rows for column in row.cells}) != 2 or _is_bold_header(rows):
        return False
    pairs = [tuple(row.cells.values()) for row in rows if len(row.cells) == 2]
    if len(pairs) < 2 or any(is_data(label) for label, _ in pairs):
        return False
    if sum(label.text.rstrip().endswith(":") for label, _ in pairs) * 2 > len(pairs):
        return True
    if all(label.is_bold for label, _ in pairs) and not any(value.is_bold for _, value in pairs):
        return True
    first = [cell.text for cell in pairs[0]]
    if any([cell.text for cell in pair] == first for pair in pairs[1:]):
        return False
    kinds = {is_data(value) for _, value in pairs[1:] if not _MISSING.fullmatch(value.text)}
    return len(kinds) == 2 and len(pairs) <= _SAMPLE_ROWS and not is_data(pairs[0][1])


def header_rows(sheet: Sheet, rows: Sequence[Row]) -> int:
    """How many rows on top hold column names."""
    if len(rows) < 2:
        return 0
    if known := _known(sheet, rows):
        return known
    if not _is_bold_header(rows) and not _is_header(rows):
        return 0
    count = 1
    while count < min(_MAX_HEADER_ROWS, len(rows) - 1) and _goes_on(sheet, rows, count):
        count += 1
    return count


def column_names(
    sheet: Sheet, header: Sequence[Row], columns: Sequence[int]
) -> tuple[str, Mapping[int, str]]:
    """A caption that stands over all columns alone, and the name of each column.

    A name of an upper row reaches over the columns it is merged with, else over its group (columns up to an
    empty one) when it is the only name there, else up to the next name.
    """
    rows, caption = header, ""
    if len(header) > 1 and (lone := _lone_label(sheet, header, columns)):
        caption = header[0].cells[lone].text
        first = {column: cell for column, cell in header[0].cells.items() if column != lone}
        rows = [Row(header[0].number, header[0].place, first), *header[1:]]
    names: dict[int, str] = {}
    levels = [*(_reach(sheet, row, columns) for row in rows[:-1]), rows[-1].cells]
    for column in columns:
        parts = [level[column].text for level in levels if column in level]
        names[column] = " / ".join(dict.fromkeys(parts))
    return caption, names


def _is_label(cell: Cell) -> bool:
    return not is_data(cell) or cell.kind == "date" or _YEAR.fullmatch(cell.text) is not None


def _is_figure(cell: Cell) -> bool:
    return is_data(cell) and not _is_label(cell)


def _known(sheet: Sheet, rows: Sequence[Row]) -> int:
    """What the file itself says: the rows down to the header of a table or of a filter."""
    for at, row in enumerate(rows[:_MAX_HEADER_ROWS]):
        for area in sheet.headers:
            if area.top == row.number and any(area.left <= column <= area.right for column in row.cells):
                upper = [cell for above in rows[:at] for cell in above.cells.values()]
                return at + 1 if at + 1 < len(rows) and all(map(_is_label, upper)) else 0
    return 0


def _is_bold_header(rows: Sequence[Row]) -> bool:
    first, second = rows[0].cells.values(), rows[1].cells.values() if len(rows) > 1 else ()
    is_bold = len(first) > 1 and all(cell.is_bold for cell in first)
    return is_bold and bool(second) and not all(cell.is_bold for cell in second)


def _is_header(rows: Sequence[Row]) -> bool:
    """Words; years and dates where figures stand below them."""
    first = rows[0].cells
    if not all(map(_is_label, first.values())):
        return False
    dated = [column for column, cell in first.items() if is_data(cell)]
    return not dated or any(
        column in row.cells and _is_figure(row.cells[column])
        for row in rows[1:_SAMPLE_ROWS]
        for column in dated
    )


def _goes_on(sheet: Sheet, rows: Sequence[Row], count: int) -> bool:
    """Whether the row after `count` header rows is one too: it names columns that have no name of their own
    yet, and figures stand below it."""
    row = rows[count]
    if not all(map(_is_label, row.cells.values())):
        return False
    wide = {
        column
        for area in sheet.merged
        if area.right > area.left and area.top in {above.number for above in rows[:count]}
        for column in range(area.left, min(area.right, max(row.cells)) + 1)
    }
    named = {column for above in rows[:count] for column in above.cells} - wide
    if not row.cells.keys() - named:
        return False
    below = rows[count + 1 : count + 1 + _SAMPLE_ROWS]
    return any(
        _is_figure(other.cells[column]) for other in below for column in row.cells if column in other.cells
    ) or (all(cell.is_bold for cell in row.cells.values()) and _is_bold_header(rows[count:]))


def _lone_label(sheet: Sheet, header: Sequence[Row], columns: Sequence[int]) -> int:
    """The column of the only name in the top row beside the first column's, if it is not merged: it is put
    somewhere above the table and meant for all of it."""
    labels = [column for column in header[0].cells if column != columns[0]]
    if len(labels) != 1 or len(header[1].cells) < 3:
        return 0
    is_merged = any((area.top, area.left) == (header[0].number, labels[0]) for area in sheet.merged)
    return 0 if is_merged else labels[0]


def _reach(sheet: Sheet, row: Row, columns: Sequence[int]) -> Mapping[int, Cell]:
    """The name of an upper row that each column lies under."""
    merged = {area.left: area for area in sheet.merged if area.top == row.number and area.right > area.left}
    reached: dict[int, Cell] = {}
    for column, area in merged.items():
        if column in row.cells:
            reached |= {inner: row.cells[column] for inner in columns if column <= inner <= area.right}
    for group in _groups(columns):
        labels = [column for column in group if column in row.cells]
        loose = [column for column in labels if column not in merged and column != columns[0]]
        for place, column in enumerate(loose):
            end = next((other for other in labels if other > column), group[-1] + 1)
            start = group[0] if len(labels) == len(loose) == 1 or (place == 0 and len(loose) == 1) else column
            for inner in group:
                if start <= inner < end and inner != columns[0]:
                    reached.setdefault(inner, row.cells[column])
    if columns[0] in row.cells:
        reached.setdefault(columns[0], row.cells[columns[0]])
    return reached


def _groups(columns: Sequence[int]) -> list[list[int]]:
    groups = [[columns[0]]]
    for left, right in pairwise(columns):
        if right > left + 1:
            groups.append([])
        groups[-1].append(right)
    return groups
