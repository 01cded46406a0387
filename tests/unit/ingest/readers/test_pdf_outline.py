"""Bookmarks as headings, as far as their titles stand on their pages."""

from __future__ import annotations

import io

from reportlab.pdfgen.canvas import Canvas

from prism.ingest.readers.pdf import read
from prism.ingest.readers.protocol import SourceFile

TEXT = "Every bank keeps its exposure to a single borrower below the ceiling set for it."
LINES = ["Rules", "1 Exposure", TEXT, "Ceilings", TEXT, "Terms", TEXT]


def sections(outline: list[tuple[str, int]]) -> list[tuple[str, ...]]:
    """Section paths of a page of even print with an outline of titles and levels."""
    file = io.BytesIO()
    canvas = Canvas(file)
    for number, (title, level) in enumerate(outline):
        canvas.bookmarkPage(str(number))
        canvas.addOutlineEntry(title, str(number), level)
    for place, line in enumerate(LINES):
        canvas.drawString(72, 780 - 40 * place, line)
    canvas.save()
    return [section.path for section in read(SourceFile(file.getvalue(), "file.pdf", "file")).sections]


def test_titles_of_the_outline_are_headings_of_its_levels():
    assert sections([("Rules", 0), ("EXPOSURE", 1), ("Ceilings", 2), ("2. Terms", 1)]) == [
        ("Rules",),
        ("Rules", "1 Exposure"),
        ("Rules", "1 Exposure", "Ceilings"),
        ("Rules", "Terms"),
    ]


def test_an_outline_of_another_document_is_not_trusted():
    assert sections([("Rules", 0), ("Foreword", 1), ("Thanks", 1), ("Index", 0)]) == []


def test_a_document_without_outline_has_none():
    assert sections([]) == []
