"""XLSX: every worksheet as rows whose cells carry their column's name, as a person sees them.

Numbers are written in their number format, formulas as the value saved with them; hidden sheets, rows and
columns are left out and named in a warning. The XML is read directly: openpyxl opens no strict workbook,
fails on faulty styles, and its bounded mode knows no merged cells.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from prism.ingest.kinds import Kind
from prism.ingest.readers.container import Container, opened
from prism.ingest.readers.parts import Parts
from prism.ingest.readers.protocol import SourceFile
from prism.ingest.readers.sheet import Sheet
from prism.ingest.readers.sheet_omitted import Omitted
from prism.ingest.readers.sheet_text import text_of
from prism.ingest.readers.xlsx_book import Book, read_book
from prism.ingest.readers.xlsx_sheet import read_sheet
from prism.types import SourceText


def read(file: SourceFile) -> SourceText:
    """Read an XLSX workbook.

    Raises:
        UnreadableError: damaged, or no workbook in it.
        UnsupportedError: a binary workbook (XLSB).
        TooLargeError: over `read.max_chars`, or it unpacks to more than `read.max_unpacked_mb`.
    """
    with opened(file) as container:
        parts = Parts(container)
        book = read_book(container, parts, file.name)
        omitted = Omitted(
            hidden_sheets=[part.name for part in book.sheets if part.is_hidden],
            other_sheets=[
                part.name for part in book.sheets if not part.is_hidden and part.kind != "worksheet"
            ],
        )
        loaded = text_of(
            _sheets(container, parts, book, file, omitted),
            [part.name for part in book.sheets if not part.is_hidden],
            file,
            title=book.title or file.title,
            media_type=Kind.XLSX.value,
        )
    return replace(loaded, warnings=(*omitted.warnings(), *container.warnings()))


def _sheets(
    container: Container, parts: Parts, book: Book, file: SourceFile, omitted: Omitted
) -> Iterator[Sheet]:
    """The sheets whose tabs a person sees; a chart's is empty."""
    visible = [part for part in book.sheets if not part.is_hidden]
    for number, tab in enumerate(visible, 1):
        file.on_page(number, len(visible))
        is_read = tab.kind == "worksheet"
        yield read_sheet(container, parts, tab, book, file, omitted) if is_read else Sheet(tab.name)
