"""Words of a page with their places, and their match with the stored text."""

from __future__ import annotations

import io

import pytest
from reportlab.pdfgen.canvas import Canvas

from prism.errors import NotFoundError
from prism.ingest.readers.pdf_boxes import PrintedCharacter, place_words, printed_characters
from prism.types import Box


def pdf(*, rotation: int = 0) -> bytes:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(200, 400))
    canvas.setPageRotation(rotation)
    canvas.setFont("Helvetica", 10)
    canvas.drawString(20, 300, "Limit is")
    canvas.drawString(100, 100, "42")
    canvas.save()
    return file.getvalue()


def printed(data: bytes) -> dict[str, Box]:
    text = "".join(character.text for character in printed_characters(data, 1))
    boxes = place_words(text, 0, printed_characters(data, 1))
    return {text[box.start : box.end]: box for box in boxes}


def test_a_words_place_is_a_fraction_of_the_page_from_the_top_left():
    found = printed(pdf())
    limit, number = found["Limit"], found["42"]
    # x = 20 of 200; the baseline stands at 400 - 300 = 100 of 400 from the top.
    assert limit.left == pytest.approx(0.1, abs=0.01)
    assert limit.bottom == pytest.approx(0.25, abs=0.01)
    assert limit.top < limit.bottom
    assert number.left == pytest.approx(0.5, abs=0.01)
    assert number.bottom == pytest.approx(0.75, abs=0.01)


def test_a_turned_page_has_places_as_it_is_seen():
    number = printed(pdf(rotation=90))["42"]
    # reportlab lays the sheet down first (400 by 200). Turned clockwise, a word is as far from the left as it
    # was from the bottom, 100 of 200, and as far from the top as it was from the left, 100 of 400.
    assert number.left == pytest.approx(0.5, abs=0.01)
    assert number.top == pytest.approx(0.25, abs=0.01)


def test_there_is_no_such_sheet():
    with pytest.raises(NotFoundError):
        printed_characters(pdf(), 2)


def characters(*lines: str) -> list[PrintedCharacter]:
    """A character is one unit wide and one high; there is a line below the other for each text."""
    return [
        PrintedCharacter(letter, float(at), float(3 * row), at + 1.0, 3.0 * row + 1)
        if letter.strip()
        else PrintedCharacter(letter)
        for row, line in enumerate(lines)
        for at, letter in enumerate(line + "\n")
    ]


def places(text: str, *lines: str) -> list[tuple[str, float, float]]:
    """Each boxed piece of text, with where it begins and in which line."""
    return [
        (text[box.start : box.end], box.left, box.top / 3) for box in place_words(text, 0, characters(*lines))
    ]


def test_stored_words_get_the_boxes_of_the_printed_ones_with_document_offsets():
    boxes = place_words("the cap is 20", 100, characters("the cap is 20"))
    assert [(box.start, box.end, box.left, box.right) for box in boxes] == [
        (100, 103, 0.0, 3.0),
        (104, 107, 4.0, 7.0),
        (108, 110, 8.0, 10.0),
        (111, 113, 11.0, 13.0),
    ]


def test_a_word_split_by_a_line_end_has_a_box_for_each_part():
    assert places("the regulation cap", "Page 7 the regu-", "lation cap") == [
        ("the", 7, 0),
        ("regu", 11, 0),
        ("lation", 0, 1),
        ("cap", 7, 1),
    ]


def test_columns_and_rows_read_in_another_order_keep_their_places():
    assert places("fee | 20\ncap | 30", "fee cap", "20 30") == [
        ("fee", 0, 0),
        ("20", 0, 1),
        ("cap", 4, 0),
        ("30", 3, 1),
    ]
    left, right = "the cap of the fee is low", "the cap of the tax is high"
    assert [row for *_, row in places(f"{right} {left}", left, right)] == [1] * 7 + [0] * 7


def test_the_same_word_twice_is_found_near_its_neighbours():
    assert places("a tax of 5 | a fee of 5", "a fee of 5", "a tax of 5")[3] == ("5", 9, 1)


def test_letters_that_look_alike_match_whatever_their_code():
    assert places("office² • é", "o\ufb03ce2 • e\u0301") == [
        ("office²", 0, 0),
        ("•", 6, 0),
        ("é", 8, 0),
    ]


def test_a_page_without_words_has_no_boxes():
    assert place_words("", 0, []) == ()
