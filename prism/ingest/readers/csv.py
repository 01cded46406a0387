"""CSV, TSV and the like: one line of text per row, every cell labelled with its column.

`emp_id: 37; leave_left: 12; notice_days: 45`: a row, even a row cut in two, carries the names that give
its numbers a meaning. Empty cells are left out. Each row is a page span of its own, labelled `row 37`
(data rows count from 1), so that a citation names its row.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from prism.ingest.kinds import Kind
from prism.ingest.readers.delimited import Record, find_delimiter, split_records
from prism.ingest.readers.encoding import decode
from prism.ingest.readers.protocol import SourceFile
from prism.types import PageSpan, SourceText, TableSpan

_NUMBER = re.compile(r"[-+(]?\s*(?:[$€£¥₹]|Rs\.?)?\s*\d[\d.,' /:\-]*\s*%?\)?")
_YEAR = re.compile(r"(?:19|20)\d\d")
_SEPARATOR_HINT = re.compile(r"sep=(.)\r?\n", re.I)
_LISTED_LINES = 10


def read(file: SourceFile) -> SourceText:
    """Read a table file. Raises `UnreadableError` when the bytes are not text."""
    decoded = decode(file.data, file.name)
    text = decoded.text.lstrip("\ufeff").replace("\x00", "")
    nuls = decoded.text.count("\x00")
    if hint := _SEPARATOR_HINT.match(text):
        delimiter, text, lines_before = hint[1], text[hint.end() :], 1
    else:
        preferred = "\t" if file.name.lower().endswith((".tsv", ".tab")) else ""
        delimiter, lines_before = find_delimiter(text, preferred), 0
    preamble, records = _preamble(split_records(text, delimiter))
    header, rows = _header(records)
    warnings = [*decoded.warnings, *_faults(records, rows, len(header), lines_before)]
    if nuls:
        warnings.append(f"{nuls} characters were removed (NUL, which is not text)")
    return _render(preamble, header, rows, file.title, warnings)


def _render(
    preamble: Sequence[Record],
    header: Sequence[str],
    rows: Sequence[Record],
    title: str,
    warnings: Sequence[str],
) -> SourceText:
    lines = [(f"title {number}", _tidy(" ".join(record.cells))) for number, record in enumerate(preamble, 1)]
    lines += [(f"row {number}", _row(header, row.cells)) for number, row in enumerate(rows, 1)]
    if not rows and any(header):
        lines.append(("header", "; ".join(header)))
    parts: list[str] = []
    pages: list[PageSpan] = []
    start = 0
    for label, line in lines:
        pages.append(PageSpan(1, label, start, start + len(line)))
        parts.append(line)
        start += len(line) + 1
    return SourceText(
        text="\n".join(parts),
        title=title,
        media_type=Kind.CSV.value,
        pages=tuple(pages) or (PageSpan(1, "1", 0, 0),),
        tables=(TableSpan(pages[len(preamble)].start, pages[-1].end, ""),) if rows else (),
        warnings=tuple(warnings),
    )


def _row(header: Sequence[str], cells: Sequence[str]) -> str:
    return "; ".join(
        f"{_column(header, place)}: {_tidy(cell)}" for place, cell in enumerate(cells) if cell.strip()
    )


def _column(header: Sequence[str], place: int) -> str:
    name = header[place] if place < len(header) else ""
    return name or f"column {place + 1}"


def _tidy(cell: str) -> str:
    return " ".join(cell.split())


def _preamble(records: Sequence[Record]) -> tuple[Sequence[Record], Sequence[Record]]:
    """Title lines above a table: leading records with one filled cell where the table has more."""
    if len(records) < 3:
        return (), records
    filled = [sum(bool(cell.strip()) for cell in record.cells) for record in records]
    usual = Counter(filled).most_common(1)[0][0]
    count = next((place for place, cells in enumerate(filled) if cells > 1), 0) if usual > 1 else 0
    return records[:count], records[count:]


def _header(records: Sequence[Record]) -> tuple[Sequence[str], Sequence[Record]]:
    """Column names, and the rows below them; no names when the first record is data itself."""
    if not records:
        return (), ()
    first = records[0].cells
    if _is_header(first, [record.cells for record in records[1:]]):
        return [_tidy(cell) for cell in first], records[1:]
    return [""] * len(first), records


def _is_header(first: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Names stand above columns of numbers; years may be names when something beside them is not a number."""
    numbers = [bool(_NUMBER.fullmatch(cell.strip())) for cell in first]
    if not any(numbers):
        return True
    if all(numbers) or not rows:
        return False
    numeric = [_is_numeric_column(rows, place) for place in range(len(first))]
    if any(column and not number for column, number in zip(numeric, numbers, strict=True)):
        return True
    return all(_YEAR.fullmatch(cell.strip()) for cell, number in zip(first, numbers, strict=True) if number)


def _is_numeric_column(rows: Sequence[Sequence[str]], place: int) -> bool:
    cells = [row[place].strip() for row in rows[:50] if place < len(row) and row[place].strip()]
    return bool(cells) and sum(bool(_NUMBER.fullmatch(cell)) for cell in cells) > len(cells) / 2


def _faults(records: Sequence[Record], rows: Sequence[Record], columns: int, lines_before: int) -> list[str]:
    unclosed = [record.line + lines_before for record in records if record.fault]
    ragged = [row.line + lines_before for row in rows if len(row.cells) != columns and not row.fault]
    warnings = []
    if unclosed:
        warnings.append(f"a quote is not closed: {_listed(unclosed)}; read as written")
    if ragged:
        warnings.append(f"not {columns} cells as in the header: {_listed(ragged)}; kept as they are")
    return warnings


def _listed(lines: Sequence[int]) -> str:
    shown = ", ".join(map(str, lines[:_LISTED_LINES]))
    more = len(lines) - _LISTED_LINES
    return f"line{'s' if len(lines) > 1 else ''} {shown}" + (f" and {more} more" if more > 0 else "")
