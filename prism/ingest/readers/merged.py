"""Tables with merged cells as plain rows, in which every row says what it is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from prism.ingest.readers.builder import guess_header, is_number

MAX_REPEATED_CHARS: Final = 80
"""A cell merged downwards is a label of its rows when it is short; a longer one is text, and said once."""

MAX_SPAN: Final = 1000
"""More columns or rows than a cell can cover in any program; a larger number is damage."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell's text and how many columns and rows it covers."""

    text: str
    columns: int = 1
    rows: int = 1


@dataclass(frozen=True, slots=True)
class Part:
    """A cell as formats have it that mark each row of a merged cell: `merge` is `restart` in the first,
    `continue` in those below, and nothing in a cell of one row."""

    text: str
    columns: int = 1
    merge: str = ""


def joined_down(lines: Sequence[Sequence[Part]]) -> list[list[Cell]]:
    """The cells of a table whose merged cells are marked row by row; a continuation of nothing is a cell.

    Where all rows have as many cells, the columns are those: programs also write a cell over two columns when
    an edge was moved by a hair.
    """
    if len({len(line) for line in lines}) == 1:
        lines = [[replace(part, columns=1) for part in line] for line in lines]
    grid = [list(_placed(line)) for line in lines]
    continued = [{column for column, part in line if part.merge == "continue"} for line in grid]
    made: list[list[Cell]] = []
    hanging: set[int] = set()
    for place, line in enumerate(grid):
        kept = continued[place] & hanging
        begun = {column for column, part in line if part.merge == "restart"}
        made.append(
            [
                Cell(
                    part.text,
                    part.columns,
                    1 + (_rows_below(continued, place, column) if column in begun else 0),
                )
                for column, part in line
                if column not in kept
            ]
        )
        hanging = kept | begun
    return made


def _rows_below(continued: Sequence[set[int]], place: int, column: int) -> int:
    end = next((at for at in range(place + 1, len(continued)) if column not in continued[at]), len(continued))
    return end - place - 1


def _placed(line: Sequence[Part]) -> Iterator[tuple[int, Part]]:
    column = 0
    for part in line:
        yield column, part
        column += max(part.columns, 1)


def plain_rows(
    rows: Sequence[Sequence[Cell]], marked: int | None
) -> tuple[list[list[str]], list[str] | None]:
    """Rows of equal columns, and the column names (None: to be guessed).

    A cell merged downwards is written in each of its rows, so that a row read by itself still has its label;
    one merged across is written once in the body and over each of its columns in the header. A header whose
    names are merged goes on in the next row (`Class 1` over `A` and `B`).

    Args:
        marked: how many rows the format marks as header; None where it cannot.
    """
    grid = [list(row) for row in _spread(rows)]
    body = [[_said(cell, is_first) for cell, is_first in row] for row in grid]
    marked = marked or int(_is_grouped(grid))
    if not marked:
        return body, _guessed(grid, body)
    marked = min(marked, len(grid))
    if marked == 1:
        marked = _header_end(grid)
    for place in range(marked):
        if not _is_title(grid[place]):
            body[place] = [cell.text for cell, _ in grid[place]]
    names = [body[place] for place in range(marked) if not _is_title(grid[place])]
    width = max(map(len, grid), default=0)
    return body, [_joined(row[place] for row in names if place < len(row)) for place in range(width)]


_Place = tuple[Cell, bool]
"""A place of the grid: the cell that covers it, and whether it is that cell's first column."""


def _spread(rows: Sequence[Sequence[Cell]]) -> Iterator[list[_Place]]:
    hanging: dict[int, tuple[_Place, int]] = {}
    for row in rows:
        line: list[_Place] = []
        below: dict[int, tuple[_Place, int]] = {}
        for cell in row:
            _hang(hanging, below, line)
            for column in range(min(max(cell.columns, 1), MAX_SPAN)):
                if cell.rows > 1:
                    below[len(line)] = ((cell, column == 0), min(cell.rows, MAX_SPAN) - 1)
                line.append((cell, column == 0))
        _hang(hanging, below, line)
        hanging = below
        yield line


def _hang(
    hanging: dict[int, tuple[_Place, int]], below: dict[int, tuple[_Place, int]], line: list[_Place]
) -> None:
    """Put the cells that hang down from the row above where the line has come to."""
    while len(line) in hanging:
        (cell, is_first), rows_left = hanging.pop(len(line))
        if rows_left > 1:
            below[len(line)] = ((cell, is_first), rows_left - 1)
        line.append((cell if len(cell.text) <= MAX_REPEATED_CHARS else Cell(""), is_first))


def _said(cell: Cell, is_first: bool) -> str:
    return cell.text if is_first else ""


def _is_title(row: Sequence[_Place]) -> bool:
    """A cell over all columns names the table, not a column."""
    return len(row) > 1 and all(cell is row[0][0] for cell, _ in row)


def _header_end(grid: Sequence[Sequence[_Place]]) -> int:
    """Where a header ends of which only the first row is marked: the row below merged names is part of it."""
    is_merged = any(not is_first and cell.text for cell, is_first in grid[0])
    return 2 if is_merged and len(grid) > 2 and not any(is_number(cell.text) for cell, _ in grid[1]) else 1


def _is_grouped(grid: Sequence[Sequence[_Place]]) -> bool:
    """Whether the first row has names over several columns that the second names one by one, and the rows
    below have no fewer cells: what a header looks like that is not marked."""
    if len(grid) < 3 or _is_title(grid[0]):
        return False
    counts = [sum(is_first for _, is_first in row) for row in grid]
    names = [cell.text for row in grid[:2] for cell, _ in row]
    if min(counts[2:]) < counts[1] or any(map(is_number, names)):
        return False
    below: dict[int, set[int]] = {}
    for (above, _), (cell, _) in zip(grid[0], grid[1], strict=False):
        below.setdefault(id(above), set()).update([id(cell)] if cell.text else [])
    merged = {id(cell) for cell, is_first in grid[0] if not is_first and cell.text}
    return bool(merged) and all(len(below.get(cell, ())) > 1 for cell in merged)


def _guessed(grid: Sequence[Sequence[_Place]], body: Sequence[Sequence[str]]) -> list[str] | None:
    """Names below a title that covers the whole table; None leaves the guess to the builder."""
    below = next((place for place, row in enumerate(grid) if not _is_title(row)), 0)
    return list(guess_header(body[below:])) if below else None


def _joined(names: Iterator[str]) -> str:
    """The names above a column, outermost first, each once."""
    return " ".join(dict.fromkeys(filter(None, names)))
