"""Where the words of a stored page stand on the printed one, for highlighting.

The stored text is not the PDF's: hyphens were joined, running lines taken out, rows put together. So the
page's words are read again with their places, and matched with the stored words in order.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c
import regex

from prism.ingest.readers.pdf import opened_page
from prism.types import Box

_DEVICE = 1_000_000
_WORD = regex.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class PrintedWord:
    """A word on a page and its place, in fractions of the page's width and height from the top left."""

    text: str
    left: float
    top: float
    right: float
    bottom: float


def printed_words(source: Path | bytes, sheet: int) -> tuple[PrintedWord, ...]:
    """The words of a page in the PDF's own order.

    Args:
        sheet: physical page, from 1.

    Raises:
        NotFoundError: there is no such sheet.
        UnreadableError: the file cannot be opened as a PDF.
    """
    with opened_page(source, sheet) as page:
        text_page = page.get_textpage()
        try:
            return tuple(_words(page, text_page))
        finally:
            text_page.close()


def place_words(text: str, start: int, words: Sequence[PrintedWord]) -> tuple[Box, ...]:
    """Boxes for the words of a stored page that are found on the printed one, in text order.

    Args:
        text: the page's stored text.
        start: its offset in the document.
    """
    stored = list(_WORD.finditer(text))
    matcher = SequenceMatcher(
        a=[match.group() for match in stored], b=[word.text for word in words], autojunk=False
    )
    return tuple(
        Box(
            start + stored[block.a + index].start(),
            start + stored[block.a + index].end(),
            word.left,
            word.top,
            word.right,
            word.bottom,
        )
        for block in matcher.get_matching_blocks()
        for index, word in enumerate(words[block.b : block.b + block.size])
    )


def _words(page: pdfium.PdfPage, text_page: pdfium.PdfTextPage) -> Iterator[PrintedWord]:
    letters: list[str] = []
    corners: list[tuple[float, float]] = []
    for index in range(text_page.count_chars() + 1):
        code = pdfium_c.FPDFText_GetUnicode(text_page.raw, index) if index < text_page.count_chars() else 32
        letter = chr(code) if code and not 0xD800 <= code < 0xE000 else ""
        if letter.strip():
            letters.append(letter)
            left, bottom, right, top = text_page.get_charbox(index)
            corners += [_fraction(page, left, top), _fraction(page, right, bottom)]
        elif letters:
            across, down = [x for x, _ in corners], [y for _, y in corners]
            yield PrintedWord("".join(letters), min(across), min(down), max(across), max(down))
            letters, corners = [], []


def _fraction(page: pdfium.PdfPage, x: float, y: float) -> tuple[float, float]:
    """A point of the page's own space as seen: rotation and crop applied, from the top left."""
    across, down = ctypes.c_int(), ctypes.c_int()
    pdfium_c.FPDF_PageToDevice(page.raw, 0, 0, _DEVICE, _DEVICE, 0, x, y, across, down)
    return across.value / _DEVICE, down.value / _DEVICE
