"""Fonts that name their letters wrongly or not at all."""

from __future__ import annotations

import io

from reportlab.pdfgen.canvas import Canvas

from prism.ingest.readers.pdf import read
from prism.ingest.readers.pdf_legible import is_legacy, is_unreadable, legible, unreadable_share
from prism.ingest.readers.pdf_line import Line
from prism.ingest.readers.protocol import SourceFile
from prism.types import SourceText


def line(text: str, unreadable: float = 0.0) -> Line:
    return Line((text,), (72.0,), (200.0,), 700.0, 712.0, 12.0, False, unreadable=unreadable)


def load(*lines: str, named: bytes = b"Helvetica") -> SourceText:
    file = io.BytesIO()
    canvas = Canvas(file)
    for place, text in enumerate(lines):
        canvas.drawString(72, 700 - 30 * place, text)
    canvas.save()
    data = file.getvalue().replace(b"/BaseFont /Helvetica", b"/BaseFont /" + named)
    return read(SourceFile(data, "file.pdf", "file"))


def test_a_hindi_font_from_before_unicode_is_reported_with_its_sheet():
    loaded = load("Hkkjrh; fjtoZ cSad", named=b"KrutiDev0")
    assert loaded.warnings == ("text on sheet 1 is drawn with a font whose letters cannot be read",)
    assert loaded.text == "Hkkjrh; fjtoZ cSad"
    assert load("The Reserve Bank of India").warnings == ()


def test_such_a_font_that_says_its_letters_is_read():
    assert is_legacy("ABCDEF+KrutiDev010", "Hkkjrh;")
    assert not is_legacy("ABCDEF+KrutiDev010", "भारतीय")
    assert not is_legacy("ABCDEF+Mangal", "Reserve Bank")


def test_lines_without_any_letter_are_left_out_and_counted():
    garbled = line("\x04\x05\x06\x07 \x05\x08\x0e", unreadable=1.0)
    assert legible([line("Readable"), garbled]) == [line("Readable")]
    assert unreadable_share([line("Readable"), garbled]) == 8 / 16
    assert unreadable_share([]) == 0


def test_a_line_with_few_broken_letters_is_readable():
    assert not is_unreadable(line("भारतीय \ufffdरज़वर् बैंक", unreadable=0.06))
    assert not is_unreadable(line("\ufffd", unreadable=1.0)), "a sign alone says nothing about a font"


def test_a_letter_drawn_as_a_list_mark_is_a_list_mark():
    file = io.BytesIO()
    canvas = Canvas(file)
    for place, text in enumerate(("First point", "Second point")):
        canvas.setFont("Helvetica", 12)
        canvas.drawString(72, 700 - 16 * place, "r")
        canvas.setFont("Times-Roman", 12)
        canvas.drawString(90, 700 - 16 * place, text)
    canvas.save()
    data = file.getvalue().replace(b"/BaseFont /Helvetica", b"/BaseFont /Wingdings")
    assert read(SourceFile(data, "file.pdf", "file")).text == "• First point\n• Second point"
