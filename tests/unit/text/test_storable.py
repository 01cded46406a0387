from __future__ import annotations

import pytest

from prism.text.storable import storable, storable_pieces


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = \ud835 + 1", "x = \N{REPLACEMENT CHARACTER} + 1"),
        ("x = \ud835\udc00 + 1", "x = \U0001d400 + 1"),
        ("\udcff.txt", "\N{REPLACEMENT CHARACTER}.txt"),
        ("ab\x00cd", "abcd"),
        ("a\ufeffb", "ab"),
        ("सीमा ₹5 🙂", "सीमा ₹5 🙂"),
    ],
)
def test_ing_24_what_no_store_takes_is_mended(text: str, expected: str):
    assert storable(text) == expected
    storable(text).encode("utf-8")


def test_a_character_cut_in_two_pieces_is_made_whole():
    assert "".join(storable_pieces(["a\ud835", "", "\udc00b", "c"])) == "a\U0001d400bc"


def test_half_a_character_at_the_end_of_the_pieces_is_replaced():
    assert "".join(storable_pieces(["a", "\ud835"])) == "a\N{REPLACEMENT CHARACTER}"
