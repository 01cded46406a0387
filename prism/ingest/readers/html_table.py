"""An HTML table as rows of cells: merged cells put where they reach, signs put to their numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

from bs4.element import Tag

from prism.ingest.readers.builder import is_number

MAX_SPAN: Final = 1000
"""Columns and rows one cell may reach over, as the HTML standard caps columns."""

_BEFORE_NUMBER = re.compile(r"(?:[$€£¥₹]|US\$|Rs\.?)?\s*\(?")
_AFTER_NUMBER = re.compile(r"%|\)|\)\s*%")

_Row = dict[int, str]


def is_layout(table: Tag) -> bool:
    """Whether a table only places blocks on the page: read what is in it as running text."""
    if table.get("role") in ("presentation", "none") or table.find("table"):
        return True
    return max((len(_cells(row)) for row in table.find_all("tr")), default=0) < 2


def table_cells(table: Tag, text_of: Callable[[Tag], str]) -> tuple[Sequence[str] | None, list[list[str]]]:
    """The column names the page marks (None: it marks none) and all rows, those of the names too.

    A cell over several rows is repeated in each, so that every row says what it is about; a column name over
    several columns is repeated in each; other merged cells stand in their first column.
    """
    tags = table.find_all("tr")
    heads = 0
    while heads < len(tags) and _is_header_row(tags[heads]):
        heads += 1
    names = heads or _looks_like_names(tags)
    rows = _placed(tags, names, text_of)
    columns = _used_columns(rows, names)
    filled = [[row.get(column, "") for column in columns] for row in rows]
    header = _joined(filled[:heads], len(columns)) if heads else None
    return header, [_once(row) if place < names else row for place, row in enumerate(filled)]


def _placed(tags: Sequence[Tag], names: int, text_of: Callable[[Tag], str]) -> list[_Row]:
    rows: list[_Row] = []
    reaching: dict[int, tuple[int, str]] = {}
    for place, tag in enumerate(tags):
        row: _Row = {column: text for column, (_, text) in reaching.items()}
        going_on = {column: (left - 1, text) for column, (left, text) in reaching.items() if left > 1}
        column = 0
        for cell in _cells(tag):
            while column in row:
                column += 1
            text = text_of(cell)
            width = _span(cell, "colspan")
            height = min(_span(cell, "rowspan", at_zero=MAX_SPAN), len(tags) - place)
            for offset in range(width):
                shown = text if offset == 0 or place < names else ""
                row[column + offset] = shown
                if height > 1:
                    going_on[column + offset] = (height - 1, shown)
            column += width
        rows.append(row if place < names else _signs_joined(row))
        reaching = going_on
    return rows


def _signs_joined(row: _Row) -> _Row:
    """Statements put `$`, `)` and `%` into cells of their own beside the number."""
    joined = dict(row)
    columns = sorted(column for column in row if row[column].strip())
    for before, after in pairwise(columns):
        sign, number = joined[before].strip(), joined[after]
        if _BEFORE_NUMBER.fullmatch(sign) and is_number(number):
            joined[after], joined[before] = sign + number, ""
    columns = sorted(column for column in joined if joined[column].strip())
    for before, after in pairwise(columns):
        if _AFTER_NUMBER.fullmatch(joined[after].strip()) and is_number(joined[before]):
            joined[before], joined[after] = joined[before] + joined[after].strip(), ""
    return joined


def _used_columns(rows: Sequence[_Row], names: int) -> list[int]:
    """Columns that hold something below the names; with nothing below, those that hold anything."""
    below = rows[names:] or rows
    used = {column for row in below for column, text in row.items() if text.strip()}
    if not used:
        used = {column for row in rows for column, text in row.items() if text.strip()}
    for row in rows[:names]:  # a name that reaches over no used column is still a word of the page
        lost = [column for column, text in row.items() if text and not _stands_in(text, row, used)]
        used.update(lost[:1] if len({row[column] for column in lost}) == 1 else lost)
    return sorted(used)


def _stands_in(text: str, row: _Row, used: set[int]) -> bool:
    return any(row.get(column) == text for column in used)


def _joined(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Names of several rows as one: `2023` over `Q1` is `2023 Q1`."""
    columns = ([row[column] for row in rows] for column in range(width))
    return [" ".join(dict.fromkeys(text for text in column if text)) for column in columns]


def _once(row: Sequence[str]) -> list[str]:
    """A row of names with a name that reaches over several columns written in the first of them."""
    return [text if place == 0 or text != row[place - 1] else "" for place, text in enumerate(row)]


def _cells(row: Tag) -> Sequence[Tag]:
    return [cell for cell in row.find_all(("td", "th")) if cell.find_parent("tr") is row]


def _span(cell: Tag, name: str, *, at_zero: int = 1) -> int:
    text = str(cell.get(name) or "1").strip()
    number = int(text) if re.fullmatch(r"\d{1,6}", text, re.A) else 1
    return min(number or at_zero, MAX_SPAN)


def _is_header_row(row: Tag) -> bool:
    cells = _cells(row)
    if row.find_parent("thead") is not None:
        return bool(cells)
    return len(cells) > 1 and all(cell.name == "th" for cell in cells)


def _looks_like_names(rows: Sequence[Tag]) -> int:
    """One row of names where the first row reaches over several columns in more than one cell."""
    first = _cells(rows[0]) if rows else ()
    filled = [cell for cell in first if cell.get_text().strip()]
    return int(len(filled) > 1 and any(_span(cell, "colspan") > 1 for cell in filled))
