"""Words of a page with their places, and their match with the stored text."""

from __future__ import annotations

import io

import pytest
from reportlab.pdfgen.canvas import Canvas

from prism.errors import NotFoundError
from prism.ingest.readers.pdf_boxes import PrintedWord, place_words, printed_words


def pdf(*, rotation: int = 0) -> bytes:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(200, 400))
    canvas.setPageRotation(rotation)
    canvas.setFont("Helvetica", 10)
    canvas.drawString(20, 300, "Limit is")
    canvas.drawString(100, 100, "42")
    canvas.save()
    return file.getvalue()


def test_a_words_place_is_a_fraction_of_the_page_from_the_top_left():
    limit, _, number = printed_words(pdf(), 1)
    assert (limit.text, number.text) == ("Limit", "42")
    # x = 20 of 200; the baseline stands at 400 - 300 = 100 of 400 from the top.
    assert limit.left == pytest.approx(0.1, abs=0.01)
    assert limit.bottom == pytest.approx(0.25, abs=0.01)
    assert limit.top < limit.bottom
    assert number.left == pytest.approx(0.5, abs=0.01)
    assert number.bottom == pytest.approx(0.75, abs=0.01)


def test_a_turned_page_has_places_as_it_is_seen():
    number = printed_words(pdf(rotation=90), 1)[2]
    # reportlab lays the sheet down first (400 by 200). Turned clockwise, a word is as far from the left as it
    # was from the bottom, 100 of 200, and as far from the top as it was from the left, 100 of 400.
    assert number.left == pytest.approx(0.5, abs=0.01)
    assert number.top == pytest.approx(0.25, abs=0.01)


def test_there_is_no_such_sheet():
    with pytest.raises(NotFoundError):
        printed_words(pdf(), 2)


def words(*texts: str) -> list[PrintedWord]:
    return [PrintedWord(text, float(at), 0.0, float(at) + 1, 1.0) for at, text in enumerate(texts)]


def test_stored_words_get_the_boxes_of_the_printed_ones_with_document_offsets():
    boxes = place_words("the cap is 20", 100, words("the", "cap", "is", "20"))
    assert [(box.start, box.end, box.left) for box in boxes] == [
        (100, 103, 0.0),
        (104, 107, 1.0),
        (108, 110, 2.0),
        (111, 113, 3.0),
    ]


def test_words_taken_out_or_joined_leave_the_others_in_place():
    boxes = place_words("the regulation cap", 0, words("Page", "7", "the", "regu-", "lation", "cap"))
    assert [(box.start, box.left) for box in boxes] == [(0, 2.0), (15, 5.0)]


def test_a_page_without_words_has_no_boxes():
    assert place_words("", 0, []) == ()
