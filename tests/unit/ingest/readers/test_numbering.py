import pytest

from prism.ingest.readers.numbering import spell_number


@pytest.mark.parametrize(
    ("number", "form", "spelt"),
    [
        (4, "decimal", "4"),
        (2, "lowerLetter", "b"),
        (28, "upperLetter", "BB"),
        (9, "lowerRoman", "ix"),
        (1994, "upperRoman", "MCMXCIV"),
        (3, "none", ""),
        (3, "chicago", "3"),
        (7, "decimalZero", "07"),
        (22, "ordinal", "22nd"),
        (13, "ordinal", "13th"),
        (24, "chineseCounting", "二十四"),
        (10, "japaneseCounting", "十"),
        (3, "decimalEnclosedCircle", "③"),
        (10**8, "lowerRoman", "100000000"),
    ],
)
def test_numbers_are_spelt_as_word_shows_them(number, form, spelt):
    assert spell_number(number, form) == spelt
