"""Worksheets as one text: a line per row, whose page span names sheet and row (`Fees row 37`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from prism.ingest.readers.growing_text import GrowingText
from prism.ingest.readers.protocol import SourceFile
from prism.ingest.readers.sheet import Sheet
from prism.ingest.readers.sheet_tables import Line, lines_of
from prism.types import PageSpan, SectionSpan, SourceText, TableSpan

_UNNAMED = re.compile(r"[^\W\d_]+ ?1")
"""What programs call a sheet that nobody named: `Sheet1`, `Tabelle1`, `Feuil1`."""

_MAX_TITLES = 3


def text_of(
    sheets: Iterable[Sheet], names: Sequence[str], file: SourceFile, *, title: str, media_type: str
) -> SourceText:
    """A workbook's text. Sheets without a cell count as pages too, so that numbers are those of the tabs.

    Args:
        sheets: read one by one, each let go before the next.
        names: of all of them. That of an only sheet that nobody named says nothing and is left out.

    Raises:
        TooLargeError: over `read.max_chars`.
    """
    is_named = len(names) != 1 or not _UNNAMED.fullmatch(names[0])
    text = _Text(file, is_named=is_named)
    for number, sheet in enumerate(sheets, 1):
        text.add(number, sheet)
    return text.loaded(title, media_type)


class _Text:
    """Collects lines while noting where sheets, titles and tables lie."""

    def __init__(self, file: SourceFile, *, is_named: bool) -> None:
        self._file = file
        self._is_named = is_named
        self._text = GrowingText(file)
        self._pages: list[PageSpan] = []
        self._sections: list[SectionSpan] = []
        self._tables: list[TableSpan] = []
        self._is_in_table = False

    def add(self, number: int, sheet: Sheet) -> None:
        """Append a sheet below its name."""
        is_empty = True
        titles: list[str] = []
        for line in lines_of(sheet):
            if is_empty and self._is_named:
                start = self._text.append(sheet.name, "\n\n")
                self._sections.append(SectionSpan(start, (sheet.name,)))
                self._pages.append(PageSpan(number, sheet.name, start, self._text.length))
            is_empty = False
            titles = self._line(number, sheet, line, titles)
        if is_empty:
            self._pages.append(PageSpan(number, sheet.name, self._text.length, self._text.length))

    def loaded(self, title: str, media_type: str) -> SourceText:
        """The whole."""
        text = self._text.whole()
        return SourceText(
            text=text,
            title=title,
            media_type=media_type,
            pages=tuple(self._pages) if text else (PageSpan(1, "1", 0, 0),),
            sections=tuple(self._sections),
            tables=tuple(self._tables),
        )

    def _line(self, number: int, sheet: Sheet, line: Line, titles: list[str]) -> list[str]:
        """Append a line; returns the titles that stand directly above what follows."""
        is_row = line.role == "row"
        gap = "\n" if not line.opens and line.role != "title" and is_row == self._is_in_table else "\n\n"
        start = self._text.append(line.text, gap)
        self._pages.append(PageSpan(number, f"{sheet.name} row {line.row}", start, self._text.length))
        if is_row and self._is_in_table and gap == "\n":
            self._tables[-1] = TableSpan(self._tables[-1].start, self._text.length, "")
        elif is_row:
            self._tables.append(TableSpan(start, self._text.length, ""))
        self._is_in_table = is_row
        if line.role != "title":
            return []
        titles = [*titles, line.text][-_MAX_TITLES:]
        self._sections.append(SectionSpan(start, (*([sheet.name] if self._is_named else []), *titles)))
        return titles
