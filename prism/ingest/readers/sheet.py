"""One worksheet as its reader found it: cells as a person sees them, and what the file says about them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

_REFERENCE = re.compile(r"\$?([A-Z]{1,3})\$?(\d{1,7})")


@dataclass(frozen=True, slots=True)
class Cell:
    """What a cell shows. A `date` is one by its format; `is_bold` helps to tell names from data."""

    text: str
    kind: Literal["text", "number", "date"] = "text"
    is_bold: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A row's filled cells by column, from 1. `number` is the row's as seen in its program, `place` its place
    among the rows that are not hidden."""

    number: int
    place: int
    cells: Mapping[int, Cell]


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of cells, its edges included."""

    top: int
    left: int
    bottom: int
    right: int


@dataclass(frozen=True, slots=True)
class Sheet:
    """A worksheet: its filled rows from the top; no hidden ones.

    `headers` are areas that the file itself calls column names (of a table or a filter). `notes` are comments
    by row and column, `shapes` texts of boxes drawn over the sheet with the row they stand at.
    """

    name: str
    rows: Sequence[Row] = ()
    merged: Sequence[Area] = ()
    headers: Sequence[Area] = ()
    hidden_columns: frozenset[int] = frozenset()
    notes: Mapping[tuple[int, int], str] = field(default_factory=dict)
    shapes: Sequence[tuple[int, str]] = ()


def position(reference: str) -> tuple[int, int] | None:
    """Row and column of a reference such as `B12`, None if it is none."""
    found = _REFERENCE.fullmatch(reference.strip())
    if found is None:
        return None
    column = 0
    for letter in found[1]:
        column = column * 26 + ord(letter) - ord("A") + 1
    return int(found[2]), column


def area(reference: str) -> Area | None:
    """The rectangle of a reference such as `A1:C3` or `A1`, None if it is none."""
    first, _, last = reference.partition(":")
    start, end = position(first), position(last or first)
    if start is None or end is None:
        return None
    return Area(min(start[0], end[0]), min(start[1], end[1]), max(start[0], end[0]), max(start[1], end[1]))


def letters(column: int) -> str:
    """A column's name as its program shows it: `A`, `Z`, `AA`."""
    name = ""
    while column > 0:
        column, rest = divmod(column - 1, 26)
        name = chr(ord("A") + rest) + name
    return name


def ranges(numbers: Iterable[int]) -> str:
    """Numbers in few words: `5-9, 12`."""
    spans: list[list[int]] = []
    for number in sorted(set(numbers)):
        if spans and spans[-1][1] + 1 == number:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    shown = [str(first) if first == last else f"{first}-{last}" for first, last in spans[:10]]
    more = len(spans) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")
