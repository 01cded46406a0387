"""Pages whose text is turned, or runs from right to left."""

from __future__ import annotations

import io

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from prism.ingest.readers.pdf import read
from prism.ingest.readers.protocol import SourceFile

WIDTH, HEIGHT = A4
ROWS = [("Item", "Fee", "Limit"), ("Card", "20", "500"), ("Wire", "75", "900"), ("Cash", "5", "100")]


def text_of(data: bytes) -> str:
    return read(SourceFile(data, "file.pdf", "file")).text


def turned(angle: int, *, sheet: int = 0) -> bytes:
    """A paragraph and a table, turned against the clock on a sheet that is shown turned with it."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=A4)
    canvas.setPageRotation(sheet)
    canvas.translate(*{0: (0, 0), 90: (WIDTH, 0), 180: (WIDTH, HEIGHT), 270: (0, HEIGHT)}[angle])
    canvas.rotate(angle)
    canvas.drawString(60, 500, "The fee of every card is due within thirty days of")
    canvas.drawString(60, 484, "the day on which it was first used.")
    for place, row in enumerate(ROWS):
        for column, cell in enumerate(row):
            canvas.drawString(60 + 150 * column, 400 - 16 * place, cell)
    canvas.save()
    return file.getvalue()


@pytest.mark.parametrize(("angle", "sheet"), [(0, 0), (90, 0), (270, 0), (180, 180)])
def test_turned_text_reads_as_if_it_were_upright(angle, sheet):
    assert text_of(turned(angle, sheet=sheet)) == (
        "The fee of every card is due within thirty days of the day on which it was first used.\n\n"
        "Item | Fee | Limit\nCard | 20 | 500\nWire | 75 | 900\nCash | 5 | 100"
    )


def test_text_outside_the_page_is_left_out():
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=A4)
    canvas.drawString(60, 500, "On the page.")
    canvas.drawString(60, HEIGHT + 40, "Above it.")
    canvas.drawString(WIDTH + 40, 500, "Beside it.")
    canvas.save()
    assert text_of(file.getvalue()) == "On the page."


def drawn_from_right_to_left(lines: list[list[str]]) -> bytes:
    """A PDF whose signs stand for the letters given, each sign left of the one before: a Latin font that says
    of its letters that they are others."""
    signs = sorted({sign for line in lines for sign in line})
    latin = dict(zip(signs, "abcdefghijkl", strict=False))
    pdfmetrics.registerFont(TTFont("Vera", "Vera.ttf"))
    file = io.BytesIO()
    canvas = Canvas(file, pageCompression=0)
    canvas.setFont("Vera", 12)
    for row, line in enumerate(lines):
        left = 500.0
        for sign in line:
            left -= canvas.stringWidth(latin[sign], "Vera", 12)
            canvas.drawString(left, 700 - 16 * row, latin[sign])
    canvas.save()
    data = file.getvalue()
    name = data[data.index(b"/Ordering (") : data.index(b")\n/Supplement")]
    longer = 0
    for sign, letter in latin.items():
        said = f"<{ord(letter):02X}> <{ord(letter):04X}>".encode()
        meant = said[:6] + sign.encode("utf-16-be").hex().upper().encode() + b">"
        longer += len(meant) - len(said)
        data = data.replace(said, meant)
    return data.replace(name, name[: len(name) - longer])


def test_text_from_right_to_left_is_in_the_order_it_is_spoken():
    assert text_of(drawn_from_right_to_left([list("שלום"), list("עולם.")])) == "שלום עולם."


def test_a_sign_for_two_letters_keeps_their_order():
    # Lam and alef are written as one sign.
    assert text_of(drawn_from_right_to_left([["س", "لا", "م"]])) == "سلام"


def test_forms_of_letters_are_the_letters():
    assert text_of(drawn_from_right_to_left([["\ufeb3", "\ufefc", "\ufee1"]])) == "سلام"
