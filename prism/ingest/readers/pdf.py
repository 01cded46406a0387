"""PDF, page by page, with printed page labels, and pictures of pages.

Sentences run whole over line ends and page turns; running headers, footers and page numbers are left out
(`running.py`); paragraphs, headings and table rows come from the page's layout (`pdf_layout.py`).
"""

from __future__ import annotations

import ctypes
import io
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from prism.errors import NotFoundError, TooLargeError, UnreadableError
from prism.ingest.kinds import Kind
from prism.ingest.readers.pdf_fields import with_fields
from prism.ingest.readers.pdf_legible import legible, unreadable_share
from prism.ingest.readers.pdf_line import Line
from prism.ingest.readers.pdf_lines import page_lines
from prism.ingest.readers.pdf_outline import bookmarks
from prism.ingest.readers.pdf_text import Assembled, assemble
from prism.ingest.readers.protocol import SourceFile
from prism.ingest.readers.running import without_running_lines
from prism.types import SourceText

_PDFIUM = threading.RLock()
"""PDFium keeps state for the whole process and must not be entered by two threads."""

_UNTITLED = re.compile(
    r"^\(?(?:untitled|anonymous|unspecified)\b|microsoft word|powerpoint presentation|^slide 1$|^document\d*$"
    r"|\.(?:docx?|pdf|rtf|indd|xlsx?|pptx?|exe)$",
    re.I,
)
"""Titles that programs write when nobody gave one."""

_OBJECT_START = re.compile(rb"\d+\s+\d+\s+obj\b")
_LISTED_PAGES = 10


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A physical page: its printed label, its lines, its height in points as they are read."""

    label: str
    lines: tuple[Line, ...]
    height: float
    has_picture: bool
    is_blank: bool


def read(file: SourceFile) -> SourceText:
    """Read a PDF file.

    Raises:
        UnreadableError: locked (`file.password` opens it), damaged, or without any text (scanned).
        TooLargeError: more than `read.max_pages` pages.
    """
    name, max_pages = file.name, file.settings.max_pages
    with _opened(file.data, name, file.password) as document:
        if len(document) > max_pages:
            raise TooLargeError(
                f"{name}: {len(document)} pages are over the limit of {max_pages}. "
                "Raise read.max_pages or split the file."
            )
        sheets = []
        for index in range(len(document)):
            file.on_page(index + 1, len(document))
            sheets.append(_sheet(document, index, name))
        if _is_cut_off(file.data, sheets):
            raise UnreadableError(f"{name}: damaged (the file is cut off). Copy or download it again.")
        outline = bookmarks(document)
        named = (document.get_metadata_value("Title") or "").strip()
    if not any(sheet.lines for sheet in sheets):
        raise UnreadableError(f"{name}: no readable text (scanned?). Run text recognition (OCR) on it first.")
    pages = without_running_lines(
        [legible(sheet.lines) for sheet in sheets], [sheet.height for sheet in sheets]
    )
    assembled = assemble(pages, [sheet.label for sheet in sheets], outline)
    return SourceText(
        text=assembled.text,
        title=_title(named, assembled, file.title),
        media_type=Kind.PDF.value,
        pages=assembled.pages,
        sections=assembled.sections,
        tables=assembled.tables,
        warnings=tuple(_warnings(sheets, assembled.text)),
    )


def render_page(source: Path | bytes, sheet: int, *, scale: float = 1.5) -> bytes:
    """A picture of one page as PNG bytes.

    Args:
        source: the file or its bytes.
        sheet: physical page, from 1.
        scale: pixels per point (1 point = 1/72 inch); 1.5 gives 108 dots per inch.

    Raises:
        NotFoundError: there is no such sheet.
        UnreadableError: the file cannot be opened as a PDF.
    """
    with opened_page(source, sheet) as page:
        png = io.BytesIO()
        page.render(scale=scale).to_pil().save(png, format="PNG")
        return png.getvalue()


@contextmanager
def opened_page(source: Path | bytes, sheet: int) -> Iterator[pdfium.PdfPage]:
    """A page of a PDF, open while the block runs; nobody else is in PDFium meanwhile. Raises as
    `render_page`."""
    name = source.name if isinstance(source, Path) else "the document"
    data = source.read_bytes() if isinstance(source, Path) else source
    with _opened(data, name) as document:
        if not 1 <= sheet <= len(document):
            raise NotFoundError(f"{name} has no sheet {sheet}: it has {len(document)}.")
        page, _ = with_fields(document, sheet - 1)
        try:
            yield page
        finally:
            page.close()


def _is_cut_off(data: bytes, sheets: Sequence[_Sheet]) -> bool:
    """Whether a file ends in the middle of an object, or in the middle and misses what a page draws. PDFium
    opens such a file with what is left of it; one whose last lines alone are lost it repairs."""
    end = data[max(data.rfind(b"endobj"), 0) :]
    if b"%%EOF" in end or b"startxref" in end:
        return False
    return _OBJECT_START.search(end) is not None or any(sheet.is_blank for sheet in sheets)


@contextmanager
def _opened(data: bytes, name: str, password: str = "") -> Iterator[pdfium.PdfDocument]:
    with _PDFIUM:
        try:
            # A file locked only against changes opens without a word.
            document = pdfium.PdfDocument(data, password=password or None)
        except pdfium.PdfiumError as error:
            raise _unopened(name, str(error), password) from None
        try:
            yield document
        finally:
            document.close()


def _unopened(name: str, reason: str, password: str) -> UnreadableError:
    if "password" not in reason.lower():
        return UnreadableError(f"{name}: damaged, not a readable PDF. Save or copy it again.")
    if password:
        return UnreadableError(f"{name}: password protected, and the password given does not open it.")
    return UnreadableError(f"{name}: password protected. Give it with `prism ingest --password`.")


def _sheet(document: pdfium.PdfDocument, index: int, name: str) -> _Sheet:
    try:
        page, own = with_fields(document, index)
    except pdfium.PdfiumError:
        raise UnreadableError(f"{name}: damaged at page {index + 1}. Save or copy it again.") from None
    try:
        text_page = page.get_textpage()
        lines, height = page_lines(text_page.raw, page.raw, own)
        text_page.close()
        has_picture = not lines and any(
            item.type == pdfium_c.FPDF_PAGEOBJ_IMAGE for item in page.get_objects(max_depth=3)
        )
        is_blank = not lines and pdfium_c.FPDFPage_CountObjects(page.raw) < 1
        return _Sheet(_label(document, index), tuple(lines), height, has_picture, is_blank)
    finally:
        page.close()


def _label(document: pdfium.PdfDocument, index: int) -> str:
    """The printed page label, or the sheet's number when the file has none."""
    length = pdfium_c.FPDF_GetPageLabel(document.raw, index, None, 0)
    if length <= 2:
        return str(index + 1)
    buffer = ctypes.create_string_buffer(length)
    pdfium_c.FPDF_GetPageLabel(document.raw, index, buffer, length)
    return buffer.raw[: length - 2].decode("utf-16-le", "replace").strip() or str(index + 1)


def _title(named: str, assembled: Assembled, stem: str) -> str:
    if len(named) > 3 and not _UNTITLED.search(named) and any(map(str.isalpha, named)):
        return " ".join(named.split())
    return assembled.title or stem


def _warnings(sheets: Sequence[_Sheet], text: str) -> Iterator[str]:
    pictures = [number for number, sheet in enumerate(sheets, 1) if sheet.has_picture]
    if pictures:
        yield f"no text on {_named(pictures)}: pictures only (scanned?)"
    garbled = [number for number, sheet in enumerate(sheets, 1) if unreadable_share(sheet.lines)]
    if garbled:
        yield f"text on {_named(garbled)} is drawn with a font whose letters cannot be read"
    if lost := text.count("\ufffd"):
        have = "character has" if lost == 1 else "characters have"
        yield f"{lost} {have} no meaning outside the font and became U+FFFD"


def _named(sheets: Sequence[int]) -> str:
    more = f" and {len(sheets) - _LISTED_PAGES} more" if len(sheets) > _LISTED_PAGES else ""
    return f"sheet {', '.join(map(str, sheets[:_LISTED_PAGES]))}{more}"
