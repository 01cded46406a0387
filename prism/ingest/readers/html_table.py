"""An HTML table as rows of cells, and whether it is one: many only lay out the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bs4.element import Tag

from prism.ingest.readers.merged_cells import MAX_SPAN, Cell, lay_out, span

Row = tuple[Tag, Sequence[Tag]]
"""A `<tr>` and its cells."""


def data_rows(table: Tag) -> list[Row] | None:
    """The rows of a table with their cells, or None where it only places blocks on the page (or words stand
    in it outside its cells, as broken pages have them): then what is in it is running text."""
    if table.get("role") in ("presentation", "none") or table.find("table"):
        return None
    rows = [(row, _cells(row)) for row in table.find_all("tr")]
    if max((len(cells) for _, cells in rows), default=0) < 2:
        return None
    placed = [*table.find_all("caption"), *(cell for _, cells in rows for cell in cells)]
    return rows if sum(map(_letters, placed)) >= _letters(table) else None


def table_cells(
    rows: Sequence[Row], text_of: Callable[[Tag], str]
) -> tuple[Sequence[str] | None, list[list[str]]]:
    """The column names the page marks (None: it marks none) and all rows, those of the names too."""
    heads = 0
    while heads < len(rows) and _is_header_row(rows[heads]):
        heads += 1
    written = [[_cell(tag, text_of) for tag in cells] for _, cells in rows]
    header, filled = lay_out(written, heads or _looks_like_names(rows))
    return header if heads else None, filled


def _letters(tag: Tag) -> int:
    return len("".join(tag.get_text().split()))


def _cell(tag: Tag, text_of: Callable[[Tag], str]) -> Cell:
    return Cell(text_of(tag), span(tag.get("colspan")), span(tag.get("rowspan"), at_zero=MAX_SPAN))


def _cells(row: Tag) -> Sequence[Tag]:
    direct = [cell for cell in row.contents if isinstance(cell, Tag) and cell.name in ("td", "th")]
    return direct or row.find_all(("td", "th"))


def _is_header_row(row: Row) -> bool:
    tag, cells = row
    if tag.parent is not None and tag.parent.name == "thead":
        return bool(cells)
    return len(cells) > 1 and all(cell.name == "th" for cell in cells)


def _looks_like_names(rows: Sequence[Row]) -> int:
    """One row of names where the first row has several cells and one reaches over several columns."""
    filled = [cell for cell in rows[0][1] if cell.get_text().strip()] if rows else []
    return int(len(filled) > 1 and any(span(cell.get("colspan")) > 1 for cell in filled))
