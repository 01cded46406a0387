"""Pictures of text, as a scanner or a camera makes them, and whether they can be recognized here."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from prism.ingest.readers.tesseract import find_tesseract

_FOUND = find_tesseract()

needs_tesseract = pytest.mark.skipif(
    _FOUND is None or "eng" not in _FOUND.languages, reason="Tesseract with English is not installed"
)

_HINDI_FONTS = (
    "/usr/share/fonts/truetype/lohit-devanagari/Lohit-Devanagari.ttf",
    "/usr/share/fonts/truetype/noto/NotoSansDevanagari-Regular.ttf",
)
HINDI_FONT = next((font for font in _HINDI_FONTS if Path(font).exists()), None)

needs_hindi = pytest.mark.skipif(
    _FOUND is None or "hin" not in _FOUND.languages or HINDI_FONT is None,
    reason="Tesseract's Hindi data and a Devanagari font (Debian: fonts-lohit-deva) are not installed",
)


def picture_of(
    lines: Sequence[str], *, size: int = 48, font: str | None = None, width: int = 2000
) -> Image.Image:
    """A grey picture with one line below the other, black on white."""
    letters = ImageFont.truetype(font, size) if font else ImageFont.load_default(size)
    picture = Image.new("L", (width, 200 + 2 * size * len(lines)), 255)
    draw = ImageDraw.Draw(picture)
    for number, line in enumerate(lines):
        draw.text((100, 100 + 2 * size * number), line, fill=0, font=letters)
    return picture


def saved(picture: Image.Image, form: str, **options: object) -> bytes:
    """The picture as a file of a format."""
    file = io.BytesIO()
    picture.save(file, form, **options)
    return file.getvalue()


def scanned_pdf(*pages: Image.Image | Sequence[str]) -> bytes:
    """A PDF with a page per picture, which fills it, and per list of lines, as text."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=A4)
    for page in pages:
        if isinstance(page, Image.Image):
            height = A4[0] * page.height / page.width
            canvas.drawImage(ImageReader(page), 0, A4[1] - height, A4[0], height)
        else:
            for number, line in enumerate(page):
                canvas.drawString(72, 760 - 16 * number, line)
        canvas.showPage()
    canvas.save()
    return file.getvalue()
