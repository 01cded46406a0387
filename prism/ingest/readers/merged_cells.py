"""Tables whose cells reach over several rows and columns, as rows of plain cells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from prism.ingest.readers.builder import is_number

MAX_SPAN: Final = 1000
"""Columns and rows one cell may reach over, as the HTML standard caps columns."""

_BEFORE_NUMBER = re.compile(r"(?:[$€£¥₹]|US\$|Rs\.?)?\s*\(?")
_AFTER_NUMBER = re.compile(r"%|\)|\)\s*%")

_Row = dict[int, str]


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell as written: its text, and how many columns and rows it reaches over."""

    text: str
    width: int = 1
    height: int = 1


def lay_out(cells: Sequence[Sequence[Cell]], names: int) -> tuple[list[str], list[list[str]]]:
    """The names of the columns (those of the first `names` rows, joined) and all rows.

    A cell over several rows is repeated in each, so that every row says what it is about; a column name over
    several columns stands for each; other merged cells stand in their first column.
    """
    rows = _placed(cells, names)
    columns = _used_columns(rows, names)
    filled = [[row.get(column, "") for column in columns] for row in rows]
    header = _joined(filled[:names], len(columns))
    return header, [_once(row) if place < names else row for place, row in enumerate(filled)]


def span(value: object, *, at_zero: int = 1) -> int:
    """A number of columns or rows as an attribute gives it; what is no number is 1."""
    text = str(value or "1").strip()
    number = int(text) if re.fullmatch(r"\d{1,6}", text, re.A) else 1
    return min(number or at_zero, MAX_SPAN)


def _placed(cells: Sequence[Sequence[Cell]], names: int) -> list[_Row]:
    rows: list[_Row] = []
    reaching: dict[int, tuple[int, str]] = {}
    for place, written in enumerate(cells):
        row: _Row = {column: text for column, (_, text) in reaching.items()}
        going_on = {column: (left - 1, text) for column, (left, text) in reaching.items() if left > 1}
        column = 0
        for cell in written:
            while column in row:
                column += 1
            height = min(cell.height, len(cells) - place)
            for offset in range(cell.width):
                shown = cell.text if offset == 0 or place < names else ""
                row[column + offset] = shown
                if height > 1:
                    going_on[column + offset] = (height - 1, shown)
            column += cell.width
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
    """Columns that hold something below the names, and those of names that stand over none of them."""
    used = {column for row in rows[names:] for column, text in row.items() if text.strip()}
    for row in rows[:names]:
        shown = {row[column] for column in used if column in row}
        lost: dict[str, int] = {}
        for column, text in row.items():
            if text.strip() and text not in shown:
                lost.setdefault(text, column)
        used.update(lost.values())
    return sorted(used)


def _joined(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Names of several rows as one: `2023` over `Q1` is `2023 Q1`."""
    columns = ([row[column] for row in rows] for column in range(width))
    return [" ".join(dict.fromkeys(text for text in column if text)) for column in columns]


def _once(row: Sequence[str]) -> list[str]:
    """A row of names, with a name that reaches over several columns written in the first of them."""
    return [text if place == 0 or text != row[place - 1] else "" for place, text in enumerate(row)]
