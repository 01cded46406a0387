"""An HTML table as rows of cells, and whether it is one: many only lay out the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bs4.element import Tag

from prism.ingest.readers.merged_cells import MAX_SPAN, Cell, lay_out, span


def is_layout(table: Tag) -> bool:
    """Whether a table only places blocks on the page: read what is in it as running text."""
    if table.get("role") in ("presentation", "none") or table.find("table"):
        return True
    return max((len(_cells(row)) for row in table.find_all("tr")), default=0) < 2


def table_cells(table: Tag, text_of: Callable[[Tag], str]) -> tuple[Sequence[str] | None, list[list[str]]]:
    """The column names the page marks (None: it marks none) and all rows, those of the names too."""
    tags = table.find_all("tr")
    heads = 0
    while heads < len(tags) and _is_header_row(tags[heads]):
        heads += 1
    cells = [[_cell(tag, text_of) for tag in _cells(row)] for row in tags]
    header, rows = lay_out(cells, heads or _looks_like_names(tags))
    return header if heads else None, rows


def _cell(tag: Tag, text_of: Callable[[Tag], str]) -> Cell:
    return Cell(text_of(tag), span(tag.get("colspan")), span(tag.get("rowspan"), at_zero=MAX_SPAN))


def _cells(row: Tag) -> Sequence[Tag]:
    return [cell for cell in row.find_all(("td", "th")) if cell.find_parent("tr") is row]


def _is_header_row(row: Tag) -> bool:
    cells = _cells(row)
    if row.find_parent("thead") is not None:
        return bool(cells)
    return len(cells) > 1 and all(cell.name == "th" for cell in cells)


def _looks_like_names(rows: Sequence[Tag]) -> int:
    """One row of names where the first row has several cells and one reaches over several columns."""
    first = _cells(rows[0]) if rows else ()
    filled = [cell for cell in first if cell.get_text().strip()]
    return int(len(filled) > 1 and any(span(cell.get("colspan")) > 1 for cell in filled))
