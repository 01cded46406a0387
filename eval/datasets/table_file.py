"""The rows of a table that a person keeps: CSV with any usual separator and encoding, JSON, or JSON lines."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from eval.datasets.columns import column_of
from eval.datasets.files import read_jsonl
from prism.errors import SourceError, UsageError
from prism.ingest.readers.encoding import decode

SEPARATORS: Final = ",;\t"
ALONE: Final = "\x1f"
"""The separator of a table with one column: a character that no text holds, so that nothing is cut."""

TABLES: Final = (".csv", ".tsv", ".txt")
LINES: Final = (".jsonl", ".ndjson")

UNTITLED: Final = " (no title)"

_DECLARED = re.compile(r"sep=(.)\r?\n")
"""A first line by which spreadsheets tell each other the separator."""


@dataclass(frozen=True, slots=True)
class FileRow:
    """A row that holds something. `place` is where a person finds it (`row 3`, the title row being row 1);
    `cells` hold what is not empty, by title as it is written."""

    place: str
    cells: Mapping[str, object]


def read_table(file: Path) -> tuple[tuple[str, ...], tuple[FileRow, ...]]:
    """The titles of a file and its rows. Empty rows and empty cells are left out.

    Raises:
        UsageError: the file cannot be read, has another form, or a row has more cells than titles.
    """
    ending = file.suffix.lower()
    if ending not in (*TABLES, ".json", *LINES):
        raise UsageError(
            f"{file}: questions come as .csv, .tsv, .json or .jsonl. From a spreadsheet: Save as, CSV UTF-8."
        )
    if ending in LINES:
        return _of_objects(read_jsonl(file))
    text = _read(file)
    if ending == ".json":
        return _of_objects(_json_objects(text, file))
    return _of_table(text, file)


def _read(file: Path) -> str:
    try:
        data = file.read_bytes()
        return decode(data, file.name).text if data else ""
    except OSError as error:
        raise UsageError(f"{file}: cannot be read ({error.strerror}).") from None
    except SourceError:
        raise UsageError(
            f"{file}: not a text file, whatever its name says. From a spreadsheet: Save as, CSV UTF-8."
        ) from None


def _json_objects(text: str, file: Path) -> Sequence[Mapping[str, object]]:
    try:
        rows = json.loads(text) if text.strip() else []
    except ValueError as error:
        raise UsageError(
            f"{file}: not JSON ({error}). With one object a line, call it {file.stem}.jsonl."
        ) from None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise UsageError(f"{file}: a list of objects is wanted, one for each question.")
    return rows


def _of_objects(rows: Sequence[Mapping[str, object]]) -> tuple[tuple[str, ...], tuple[FileRow, ...]]:
    titles = tuple(dict.fromkeys(title for row in rows for title in row))
    return titles, tuple(_rows((f"entry {number}", row) for number, row in enumerate(rows, start=1)))


def _of_table(text: str, file: Path) -> tuple[tuple[str, ...], tuple[FileRow, ...]]:
    declared = _DECLARED.match(text)
    separator = declared[1] if declared else _separator(text)
    reader = csv.reader(
        io.StringIO(text[declared.end() :] if declared else text, newline=""),
        delimiter=separator,
        strict=True,
    )
    titles: list[str] = []
    found: list[tuple[str, Mapping[str, object]]] = []
    try:
        for number, cells in enumerate(reader, start=2 if declared else 1):
            if not any(cell.strip() for cell in cells):
                continue
            if not titles:
                titles = [
                    cell.strip() or f"column {place}{UNTITLED}" for place, cell in enumerate(cells, start=1)
                ]
            else:
                found.append((f"row {number}", _titled(cells, titles, number, separator, file)))
    except csv.Error as error:
        raise UsageError(
            f"{file}, line {reader.line_num}: not a table ({error}). Is every quotation mark closed, and "
            "doubled where it is part of a cell?"
        ) from None
    rows = tuple(_rows(found))
    used = {title for row in rows for title in row.cells}
    return tuple(title for title in titles if title in used or not title.endswith(UNTITLED)), rows


def _titled(
    cells: Sequence[str], titles: Sequence[str], number: int, separator: str, file: Path
) -> Mapping[str, object]:
    """A row's cells by title. Cells that are missing at its end are empty ones."""
    beyond = [cell for cell in cells[len(titles) :] if cell.strip()]
    if beyond:
        written = {"\t": "a tab", ",": "a comma", ";": "a semicolon"}.get(separator, repr(separator))
        raise UsageError(
            f"{file}, row {number}: {beyond[0]!r} stands in a column without a title. Put quotation marks "
            f"around a cell that holds {written}, or give the column a title."
        )
    return dict(zip(titles, cells, strict=False))


def _rows(found: Iterable[tuple[str, Mapping[str, object]]]) -> Iterator[FileRow]:
    for place, cells in found:
        filled = {title: value for title, value in cells.items() if not _is_empty(value)}
        if filled:
            yield FileRow(place, filled)


def _is_empty(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip()) or value == []


def _separator(text: str) -> str:
    """The one under which the first row names a column of questions; of several, which parts it most."""

    def titles(separator: str) -> list[str]:
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
        try:
            return next((row for row in rows if any(cell.strip() for cell in row)), [])
        except csv.Error:
            return []

    found = {separator: titles(separator) for separator in SEPARATORS}
    best = max(found, key=lambda separator: (_names_questions(found[separator]), len(found[separator])))
    return best if len(found[best]) > 1 else ALONE


def _names_questions(titles: Sequence[str]) -> bool:
    return any(column_of(title) == "question" for title in titles)
