"""Tables of reStructuredText as rows and column names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from docutils import nodes


def rows_of(table: nodes.table, text: Callable[[Any], str]) -> tuple[list[list[str]], list[str] | None]:
    """Every row, those of names first, and one name per column; None where the table marks none.

    A cell over several rows stands in each of them; a name over several columns stands above each.
    """
    head = [row for part in table.findall(nodes.thead) for row in part.children]
    body = [row for part in table.findall(nodes.tbody) for row in part.children]
    named = _grid(head, text, repeats=True)
    rows = [*_grid(head, text, repeats=False), *_grid(body, text, repeats=False)]
    if not named:
        return rows, None
    width = max(map(len, named))
    columns = [[row[place] for row in named if place < len(row) and row[place]] for place in range(width)]
    return rows, [" / ".join(dict.fromkeys(parts)) for parts in columns]


def _grid(rows: Sequence[Any], text: Callable[[Any], str], *, repeats: bool) -> list[list[str]]:
    """Rows with a place for every column. `repeats`: a cell over several columns fills all of them."""
    places: dict[tuple[int, int], str] = {}
    for top, row in enumerate(rows):
        column = 0
        for entry in row.children:
            while (top, column) in places:
                column += 1
            shown = text(entry)
            wide, high = int(entry.get("morecols", 0)) + 1, int(entry.get("morerows", 0)) + 1
            for right in range(wide):
                for down in range(high):
                    places[top + down, column + right] = shown if repeats or right == 0 else ""
    width = max((column for _, column in places), default=-1) + 1
    return [[places.get((top, column), "") for column in range(width)] for top in range(len(rows))]
