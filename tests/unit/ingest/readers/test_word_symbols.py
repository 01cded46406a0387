import pytest

from prism.ingest.readers.word_symbols import raised, symbol


@pytest.mark.parametrize(("text", "seen"), [("2", "²"), ("-1", "⁻¹"), ("th", "th"), ("", ""), (" ", " ")])
def test_raised_numbers_are_raised_digits(text, seen):
    assert raised(text) == seen


@pytest.mark.parametrize(
    ("code", "font", "letter"),
    [
        ("F061", "Symbol", "α"), ("F057", "Symbol", "Ω"), ("F0A3", "Symbol", "≤"),
        ("00FE", "Wingdings", "☒"), ("F0A8", "Wingdings", "☐"),
        ("2022", "Arial", "•"), ("F0FF", "Some font", ""), ("D800", "Arial", ""),
        ("xyz", "Arial", ""), ("", "", ""),
    ],
)  # fmt: skip
def test_a_symbol_is_what_it_means_outside_its_font(code, font, letter):
    assert symbol(code, font) == letter
