"""Headings that only their number marks."""

from __future__ import annotations

import io

import pytest
from reportlab.pdfgen.canvas import Canvas

from prism.ingest.readers.pdf import read
from prism.ingest.readers.protocol import SourceFile

TEXT = "Every bank keeps its exposure to a single borrower below the ceiling set for it."


def sections(*lines: str) -> list[tuple[str, ...]]:
    """Section paths of a page whose lines stand apart; those in capitals are bold."""
    file = io.BytesIO()
    canvas = Canvas(file)
    for place, line in enumerate(lines):
        canvas.setFont("Helvetica-Bold" if line.isupper() else "Helvetica", 11)
        canvas.drawString(72, 780 - 30 * place, line)
    canvas.save()
    return [section.path for section in read(SourceFile(file.getvalue(), "file.pdf", "file")).sections]


def test_numbered_names_head_sections_below_their_chapter():
    assert sections("3. EXPOSURE", "3.1 Exposure Ceiling", TEXT, "3.2 Exemptions", TEXT) == [
        ("3. EXPOSURE",),
        ("3. EXPOSURE", "3.1 Exposure Ceiling"),
        ("3. EXPOSURE", "3.2 Exemptions"),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "3.1 Every bank shall report to the board once in each year",
        "3.1 Exposure Ceiling.",
        "7.4 Exposure Ceiling",
        "2.5 per cent of the sum",
        "3.1 Exposure Ceiling ........ 12",
    ],
)
def test_clauses_and_numbers_out_of_order_are_no_headings(line):
    assert sections("3. EXPOSURE", line, TEXT, TEXT) == [("3. EXPOSURE",)]


def test_nothing_is_a_heading_without_text_below():
    assert sections("3. EXPOSURE", TEXT, "3.1 Exposure Ceiling") == [("3. EXPOSURE",)]
