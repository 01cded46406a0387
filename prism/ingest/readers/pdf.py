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
from PIL import Image

from prism.errors import NotFoundError, TooLargeError, UnreadableError
from prism.ingest.kinds import Kind
from prism.ingest.readers.pdf_fields import with_fields
from prism.ingest.readers.pdf_legible import legible, unreadable_share
from prism.ingest.readers.pdf_line import Line
from prism.ingest.readers.pdf_lines import page_lines
from prism.ingest.readers.pdf_outline import bookmarks
from prism.ingest.readers.pdf_scans import (
    Recognition,
    Scan,
    recognize_scans,
    recognized_boxes,
    render,
    scan_of,
)
from prism.ingest.readers.pdf_text import Assembled, assemble
from prism.ingest.readers.protocol import SourceFile
from prism.ingest.readers.running import without_running_lines
from prism.text.listing import listed
from prism.types import SourceText

_PDFIUM = threading.RLock()
"""PDFium keeps state for the whole process and must not be entered by two threads."""

_UNTITLED = re.compile(
    r"^\(?(?:untitled|anonymous|unspecified)\b|microsoft word|powerpoint presentation|^slide 1$|^document\d*$"
    r"|\.(?:docx?|pdf|rtf|indd|xlsx?|pptx?|exe)$",
    re.I,
)
"""Titles that programs write when nobody gave one."""

_MOSTLY_GARBLED = 0.3
"""The share of letters that cannot be read from which on a page's picture is the better source."""

_OBJECT_START = re.compile(rb"\d+\s+\d+\s+obj\b")


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A physical page: its printed label, its lines, its height in points as they are read, its size as it is
    shown, and whether it is to be recognized."""

    label: str
    lines: tuple[Line, ...]
    height: float
    size: tuple[float, float]
    scan: Scan
    is_blank: bool


def read(file: SourceFile) -> SourceText:
    """Read a PDF file. Of scanned pages that cannot be recognized the text is empty, and they are named as
    unread.

    Raises:
        UnreadableError: locked (`file.password` opens it), damaged, without any text or picture, or
            `read.ocr` is `on` and recognition cannot run.
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
    recognized = _recognized(file, sheets)
    lines = [recognized.lines.get(number, legible(sheet.lines)) for number, sheet in enumerate(sheets, 1)]
    if not any(lines) and not recognized.unread_sheets:
        raise UnreadableError(f"{name}: no readable text (scanned?), and no picture of any either.")
    heights = [
        sheet.size[1] if number in recognized.lines else sheet.height
        for number, sheet in enumerate(sheets, 1)
    ]
    assembled = assemble(without_running_lines(lines, heights), [sheet.label for sheet in sheets], outline)
    return SourceText(
        text=assembled.text,
        title=_title(named, assembled, file.title),
        media_type=Kind.PDF.value,
        pages=assembled.pages,
        sections=assembled.sections,
        tables=assembled.tables,
        boxes=tuple(recognized_boxes(assembled.text, assembled.pages, recognized.pages)),
        unread_sheets=recognized.unread_sheets,
        warnings=(*recognized.warnings, *_warnings(sheets, recognized, assembled.text)),
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
def opened_page(source: Path | bytes, sheet: int, password: str = "") -> Iterator[pdfium.PdfPage]:
    """A page of a PDF, open while the block runs; nobody else is in PDFium meanwhile. Raises as
    `render_page`."""
    name = source.name if isinstance(source, Path) else "the document"
    data = source.read_bytes() if isinstance(source, Path) else source
    with _opened(data, name, password) as document:
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
        is_blank = not lines and pdfium_c.FPDFPage_CountObjects(page.raw) < 1
        is_garbled = unreadable_share(lines) >= _MOSTLY_GARBLED
        scan = scan_of(page, lines, is_garbled=is_garbled)
        return _Sheet(_label(document, index), tuple(lines), height, page.get_size(), scan, is_blank)
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


def _recognized(file: SourceFile, sheets: Sequence[_Sheet]) -> Recognition:
    wanted = {number: sheet for number, sheet in enumerate(sheets, 1) if sheet.scan is not Scan.NONE}

    def picture_of(number: int) -> Image.Image:
        # Opened anew each time: while a page is recognized, PDFium is free for others.
        with opened_page(file.data, number, file.password) as page:
            return render(page)

    return recognize_scans(
        file,
        {number: sheet.scan for number, sheet in wanted.items()},
        {number: sheet.lines for number, sheet in wanted.items()},
        {number: sheet.size for number, sheet in wanted.items()},
        picture_of,
        len(sheets),
    )


def _warnings(sheets: Sequence[_Sheet], recognized: Recognition, text: str) -> Iterator[str]:
    garbled = [
        number
        for number, sheet in enumerate(sheets, 1)
        if number not in recognized.lines and unreadable_share(sheet.lines)
    ]
    if garbled:
        yield f"text on {_named(garbled)} is drawn with a font whose letters cannot be read"
    if lost := text.count("\ufffd"):
        have = "character has" if lost == 1 else "characters have"
        yield f"{lost} {have} no meaning outside the font and became U+FFFD"


def _named(sheets: Sequence[int]) -> str:
    return f"sheet {listed(sheets)}"
