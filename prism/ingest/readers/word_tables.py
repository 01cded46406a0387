"""Tables of Word as rows of cells: merged ones, rows that a tracked change deletes, rows of a header."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final
from xml.etree.ElementTree import Element

from prism.ingest.readers.drawing import content
from prism.ingest.readers.merged import MAX_SPAN, Cell, Part, joined_down
from prism.ingest.readers.word_text import REVISED
from prism.ingest.readers.wordxml import attribute, child, is_on, local, value, whole

MAX_CELL_CHARS: Final = 1500
"""A longer cell is running text: its table lays out the page."""

_NOT_ROWS = REVISED | {"tblPr", "tblGrid", "tblPrEx", "tc", "trPr", "sdtPr", "sdtEndPr"}


def rows_of(table: Element) -> list[Element]:
    """The rows of a table that are not deleted, also those inside content controls."""
    return list(_rows(table))


def _rows(table: Element) -> Iterator[Element]:
    for element in content(table):
        if local(element) == "tr":
            if child(element, "trPr", "del") is None:
                yield element
        elif local(element) not in _NOT_ROWS:
            yield from _rows(element)


def cells_of(row: Element) -> list[Element]:
    """The cells of a row, also those inside content controls."""
    found: list[Element] = []
    for element in content(row):
        if local(element) == "tc":
            found.append(element)
        elif local(element) not in _NOT_ROWS:
            found.extend(cells_of(element))
    return found


def header_rows(rows: Sequence[Element]) -> int | None:
    """How many rows are repeated on every page; None where the table does not say."""
    marked = next(
        (place for place, row in enumerate(rows) if not is_on(child(row, "trPr", "tblHeader"))), len(rows)
    )
    return marked if 0 < marked < len(rows) else None


def merged_cells(rows: Sequence[Element], texts: Sequence[Sequence[str]]) -> list[list[Cell]]:
    """The cells with what they cover; the continuation of a cell merged downwards or across is no cell."""
    return joined_down([list(_parts(row, line)) for row, line in zip(rows, texts, strict=True)])


def _parts(row: Element, texts: Sequence[str]) -> Iterator[Part]:
    """The cells of a row; columns left free before the first are an empty one."""
    if free := min(whole(value(child(row, "trPr", "gridBefore"))), MAX_SPAN):
        yield Part("", free)
    for cell, text in zip(cells_of(row), texts, strict=True):
        merged = child(cell, "tcPr", "hMerge")
        is_covered = merged is not None and value(merged) != "restart"
        yield Part("" if is_covered else text, _width(cell), _merge(cell))


def _width(cell: Element) -> int:
    return min(max(whole(value(child(cell, "tcPr", "gridSpan")), 1), 1), MAX_SPAN)


def _merge(cell: Element) -> str:
    merge = child(cell, "tcPr", "vMerge")
    return "" if merge is None else attribute(merge, "val") or "continue"
