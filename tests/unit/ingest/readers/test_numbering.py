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
    ],
)
def test_numbers_are_spelt_as_word_shows_them(number, form, spelt):
    assert spell_number(number, form) == spelt
