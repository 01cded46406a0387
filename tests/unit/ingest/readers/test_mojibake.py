import pytest
from hypothesis import given
from hypothesis import strategies as st

from prism.ingest.readers.mojibake import undo_double_encoding


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("1986\xe2\x80\x931990", "1986–1990"),
        ("1986â€“1990", "1986–1990"),
        ("donâ€™t", "don’t"),
        ("Ã¼ber fÃ¼nf", "über fünf"),
        ("â\x82¹500 for \xe0\xa4\xb9", "₹500 for ह"),
    ],
)
def test_text_encoded_twice_is_as_it_was_meant(text, meant):
    assert undo_double_encoding(text)[0] == meant


@pytest.mark.parametrize(
    "text", ["NÃO SÃO", "über fünf", "â la carte", "Ã¼", "É‘", "Â§ 5", "plain", "₹500 – हिन्दी"]
)
def test_what_may_be_meant_stays(text):
    assert undo_double_encoding(text) == (text, 0)


@given(st.text())
def test_latin_1_mistakes_beyond_ascii_are_undone(text):
    mistaken = ("–" + text).encode("utf-8", "replace").decode("latin-1")
    assert undo_double_encoding(mistaken)[0] == "–" + text.encode("utf-8", "replace").decode()
