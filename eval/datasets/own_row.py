"""One row of a person's own questions, its cells read by what they say."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from eval.datasets.table_file import FileRow
from prism.errors import UsageError

SEPARATORS: Final = {"quote": r"\|", "page": r"[;,|\n]", "answer": r"(?!)"}
"""What stands between several values of a cell; elsewhere `;`, `|` or a line break. In a quote `;` and line
breaks are part of the text, and an answer is one."""

YES: Final = frozenset({"yes", "y", "true", "1", "ja", "j", "हाँ", "हां"})
NO: Final = frozenset({"no", "n", "false", "0", "nein", "नहीं"})


@dataclass(frozen=True, slots=True)
class OwnRow:
    """What a row says, with the place where a person finds it. `question_id` is empty where it has none."""

    place: str
    question: str
    question_id: str
    sources: tuple[str, ...]
    pages: tuple[str, ...]
    quotes: tuple[str, ...]
    keywords: tuple[str, ...]
    answers: tuple[str, ...]
    answerable: bool | None
    kind: str
    language: str
    follows: str


def own_row(row: FileRow, title_of: Mapping[str, str], file: Path) -> OwnRow | None:
    """Read a row; None where only columns that are passed over hold something.

    Args:
        title_of: titles by what they say.

    Raises:
        UsageError: it says something but asks nothing, or `answerable` is neither yes nor no.
    """
    cells = {column: row.cells[title] for column, title in title_of.items() if title in row.cells}
    if not cells:
        return None
    question = _one(cells, "question")
    if not question:
        said = ", ".join(f"{column} {_one(cells, column)[:40]!r}" for column in cells)
        raise UsageError(f"{file}, {row.place}: no question, only {said}. Write one, or take the row out.")
    return OwnRow(
        place=row.place,
        question=question,
        question_id=_whole(_one(cells, "id")),
        sources=_several(cells, "source"),
        pages=tuple(_whole(page) for page in _several(cells, "page")),
        quotes=_several(cells, "quote"),
        keywords=_several(cells, "keyword"),
        answers=_several(cells, "answer"),
        answerable=_yes_or_no(cells, row.place, file),
        kind=_one(cells, "kind"),
        language=_one(cells, "language"),
        follows=_whole(_one(cells, "follows")),
    )


def _one(cells: Mapping[str, object], column: str) -> str:
    value = cells.get(column, "")
    return "; ".join(map(str, value)) if isinstance(value, list) else str(value).strip()


def _several(cells: Mapping[str, object], column: str) -> tuple[str, ...]:
    value = cells.get(column)
    if isinstance(value, str):
        value = _listed(value) or re.split(SEPARATORS.get(column, r"[;|\n]"), value)
    values = value if isinstance(value, list) else [] if value is None else [value]
    return tuple(text for item in values if item is not None and (text := str(item).strip()))


def _listed(cell: str) -> list[object] | None:
    """The texts of a cell that holds a list as JSON or Python writes it: what tables of test sets are saved
    with by the tools that make them."""
    cell = cell.strip()
    if not (cell.startswith("[") and cell.endswith("]")):
        return None
    for read in (json.loads, ast.literal_eval):
        try:
            found = read(cell)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        if isinstance(found, list) and all(isinstance(item, str) for item in found):
            return list(found)
    return None


def _whole(text: str) -> str:
    """A whole number without the `.0` that tables give it whose column has gaps."""
    return re.sub(r"^(\d+)\.0$", r"\1", text)


def _yes_or_no(cells: Mapping[str, object], place: str, file: Path) -> bool | None:
    said = _whole(_one(cells, "answerable")).casefold()
    if not said:
        return None
    if said not in YES | NO:
        raise UsageError(f"{file}, {place}: answerable is {said!r}. Write yes or no, or leave it empty.")
    return said in YES
