"""Split delimited text into records: RFC 4180, read leniently, with faults named by line.

A quoted cell may hold delimiters, doubled quotes and line breaks. When a quote never closes, or closes
only by running into another row, the line where it opened is read by itself with the quote as an
ordinary character, and the fault is reported: one bad line never costs the others.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

DELIMITERS = "\t;|,"
_LINE_END = re.compile(r"\r\n|\r|\n")
_SAMPLE_LINES = 200
_MAX_CELL_LINES = 200


@dataclass(frozen=True, slots=True)
class Record:
    """One record: its cells and the line (from 1) it starts on. `fault` says what was wrong with it."""

    line: int
    cells: tuple[str, ...]
    fault: str = ""


def find_delimiter(text: str, preferred: str = "") -> str:
    """The delimiter that splits the most records, the first one among them, into the same number of cells.

    A delimiter inside quotes does not count. On a tie the comma comes last, since numbers (`3,50`) and
    sentences hold it too; `preferred` (a tab for .tsv) comes first. Without any delimiter: a comma.
    """
    lines = _LINE_END.split(text, maxsplit=_SAMPLE_LINES)[:_SAMPLE_LINES]
    order = preferred + DELIMITERS.replace(preferred, "") if preferred else DELIMITERS
    best = max(order, key=lambda delimiter: _evenness(lines, delimiter))
    return best if any(_evenness(lines, best)) else (preferred or ",")


def _evenness(lines: Sequence[str], delimiter: str) -> tuple[bool, float]:
    """Whether the first record has the usual number of cells (more than one), and how many records do."""
    widths = [len(record.cells) for record in _records(lines, delimiter) if any(record.cells)]
    split = Counter(width for width in widths if width > 1)
    if not split:
        return False, 0.0
    width, count = split.most_common(1)[0]
    return widths[0] == width, count / len(widths)


def split_records(text: str, delimiter: str) -> list[Record]:
    """Every record that is not blank, in order."""
    records = _records(_LINE_END.split(text), delimiter)
    return [record for record in records if any(map(str.strip, record.cells))]


def _records(lines: Sequence[str], delimiter: str) -> Iterator[Record]:
    at = 0
    while at < len(lines):
        cells, end = _quoted(lines, at, delimiter)
        if cells is None:
            yield Record(at + 1, tuple(lines[at].split(delimiter)), "a quote is not closed")
            at += 1
        else:
            yield Record(at + 1, cells)
            at = end


def _quoted(lines: Sequence[str], at: int, delimiter: str) -> tuple[tuple[str, ...] | None, int]:
    """The cells of the record that starts at line `at` and the line after it; None when a quote is
    opened and not properly closed."""
    if '"' not in lines[at]:
        return tuple(lines[at].split(delimiter)), at + 1
    cells: list[str] = []
    line, place, first_line = lines[at], 0, at
    while True:
        skipped = len(line[place:]) - len(line[place:].lstrip(" "))
        if line.startswith('"', place + skipped):
            cell, at, place = _quoted_cell(lines, at, place + skipped + 1, delimiter)
            if cell is None:
                return None, first_line
            line = lines[at]
        else:
            end = line.find(delimiter, place)
            end = len(line) if end < 0 else end
            cell, place = line[place:end], end
        cells.append(cell)
        if place >= len(line):
            return tuple(cells), at + 1
        place += 1


def _quoted_cell(lines: Sequence[str], at: int, place: int, delimiter: str) -> tuple[str | None, int, int]:
    """The cell whose opening quote lies just before `place`, the line it ends on, and where there."""
    parts: list[str] = []
    first_line = at
    while at < min(len(lines), first_line + _MAX_CELL_LINES):
        line = lines[at]
        close = line.find('"', place)
        if close < 0:
            parts.append(line[place:] + "\n")
            at, place = at + 1, 0
            continue
        parts.append(line[place:close])
        after = line[close + 1 :]
        if after.startswith('"'):
            parts.append('"')
            place = close + 2
        elif not after.strip(" ") or after.lstrip(" ").startswith(delimiter):
            return "".join(parts), at, close + 1 + len(after) - len(after.lstrip(" "))
        elif at > first_line:
            return None, at, place
        else:
            # A stray quote inside a cell of one line stands for itself.
            parts.append('"')
            place = close + 1
    return None, at, place
