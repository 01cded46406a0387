"""Where the tables of a worksheet lie: blocks of cells parted by empty rows or columns.

Empty rows part tables; an empty column does only where what stands on its right looks like a table of its
own, since reports use narrow empty columns as spacing between the figures of one table.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from prism.ingest.readers.builder import is_number
from prism.ingest.readers.sheet import Cell, Row, Sheet

_SAMPLE_ROWS = 50
_HEADER_ROWS = 4
_MAX_GAP = 2


@dataclass(frozen=True, slots=True)
class Block:
    """Rows that belong together, and the columns that hold anything in them."""

    rows: Sequence[Row]
    columns: Sequence[int]


def is_data(cell: Cell) -> bool:
    """Whether a cell holds a number, an amount or a date and no words."""
    return cell.kind != "text" or is_number(cell.text)


def blocks(sheet: Sheet) -> list[Block]:
    """The blocks of a sheet from the top, side by side from the left."""
    rows = _with_merged(sheet)
    return _joined([_block(part) for part in _parts(rows, sheet.hidden_columns)])


def _block(rows: Sequence[Row]) -> Block:
    return Block(rows, sorted({column for row in rows for column in row.cells}))


def _with_merged(sheet: Sheet) -> list[Row]:
    """Rows in which a cell merged downwards stands in each: every row says what it is about."""
    rows = list(sheet.rows)
    numbers = [row.number for row in rows]
    for area in sheet.merged:
        at = bisect_left(numbers, area.top)
        if area.top == area.bottom or at == len(rows) or numbers[at] != area.top:
            continue
        cell = rows[at].cells.get(area.left)
        for below in range(at + 1, bisect_left(numbers, area.bottom + 1) if cell else 0):
            row = rows[below]
            if cell is not None and area.left not in row.cells:
                cells = dict(sorted({**row.cells, area.left: cell}.items()))
                rows[below] = Row(row.number, row.place, cells)
    return rows


def _parts(rows: Sequence[Row], hidden: frozenset[int]) -> Iterator[Sequence[Row]]:
    """Rows without an empty one between them, and of these what stands side by side."""
    for band in _bands(rows):
        split = _side_by_side(band, hidden)
        if split is None:
            yield band
        else:
            for side in split:
                yield from _parts(side, hidden)


def _bands(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    start = 0
    for at, (above, below) in enumerate(pairwise(rows), 1):
        if below.place > above.place + 1:
            yield rows[start:at]
            start = at
    if rows:
        yield rows[start:]


def _side_by_side(rows: Sequence[Row], hidden: frozenset[int]) -> tuple[Sequence[Row], Sequence[Row]] | None:
    """The rows left and right of the first empty column that parts two tables."""
    columns = _block(rows).columns
    for left, right in pairwise(columns):
        if all(between in hidden for between in range(left + 1, right)):
            continue
        sides = _only(rows, columns[0], left), _only(rows, right, columns[-1])
        if all(len(side) > 1 for side in sides) and _are_two_tables(*sides, right):
            return sides
    return None


def _only(rows: Sequence[Row], first: int, last: int) -> list[Row]:
    kept = ({c: cell for c, cell in row.cells.items() if first <= c <= last} for row in rows)
    return [Row(row.number, row.place, cells) for row, cells in zip(rows, kept, strict=True) if cells]


def _are_two_tables(left: Sequence[Row], right: Sequence[Row], right_start: int) -> bool:
    """Each with names and figures of its own: as wide as two columns, beginning with a column of words."""
    if any(max(len(row.cells) for row in side) < 2 for side in (left, right)):
        return False
    starts = min(min(row.cells) for row in left), right_start
    are_words = all(
        _is_words([row.cells[start] for row in side[:_SAMPLE_ROWS] if start in row.cells])
        for side, start in zip((left, right), starts, strict=True)
    )
    has_figures = all(
        any(is_data(cell) for row in side[:_SAMPLE_ROWS] for cell in row.cells.values())
        for side in (left, right)
    )
    first = right[0].cells
    starts_apart = (
        left[0].place != right[0].place and len(first) > 1 and not any(map(is_data, first.values()))
    )
    return (are_words and has_figures) or starts_apart


def _is_words(cells: Sequence[Cell]) -> bool:
    return bool(cells) and sum(not is_data(cell) for cell in cells) > len(cells) * 0.8


def _joined(found: Sequence[Block]) -> list[Block]:
    """Column names with an empty row below them are put back on their table."""
    joined: list[Block] = []
    for block in found:
        above = joined[-1] if joined else None
        if above is not None and _names_only(above) and _lacks_names(block) and _is_below(block, above):
            joined[-1] = _block([*above.rows, *block.rows])
        else:
            joined.append(block)
    return joined


def _names_only(block: Block) -> bool:
    cells = [cell for row in block.rows[:_HEADER_ROWS] for cell in row.cells.values()]
    has_names = any(len(row.cells) > 1 for row in block.rows)
    return len(block.rows) <= _HEADER_ROWS and has_names and not any(map(is_data, cells))


def _lacks_names(block: Block) -> bool:
    return len(block.columns) > 1 and any(map(is_data, block.rows[0].cells.values()))


def _is_below(block: Block, above: Block) -> bool:
    gap = block.rows[0].place - above.rows[-1].place - 1
    return 0 <= gap <= _MAX_GAP and len(set(block.columns) & set(above.columns)) > 1
