from __future__ import annotations

import unicodedata

import pytest

from prism.text.normalize import normalize


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("６½％", "6 1⁄2%"),
        ("१,२५,०००", "1,25,000"),
        ("٣٤ ൪ ๕", "34 4 5"),
        ("\U000116d0", "\U000116d0"),  # a digit that Python 3.11 does not know
        ("10\u202f000\u00a0€", "10000 €"),
        ("ﬁle", "file"),
        ("pol\u00adi\u200dcy\ufeff", "policy"),
        ("don’t", "don't"),
        ("2025–26", "2025-26"),
        ("H₂O and m² but 10³ and word¹", "H2O and m2 but 10 3 and word 1"),
        ("a\ud800b", "ab"),
        ("ș ț", "ş ţ"),
    ],
)
def test_alike_forms_get_one_spelling(text: str, expected: str) -> None:
    assert normalize(text) == expected


@pytest.mark.parametrize("text", ["हिन्दी क़लम", "Ελληνικά", "Tiếng Việt", "العَرَبِيَّة", "한국어", "が"])
def test_every_normal_form_gives_the_same(text: str) -> None:
    forms = {normalize(unicodedata.normalize(form, text)) for form in ("NFC", "NFD", "NFKC", "NFKD")}
    assert len(forms) == 1


def test_case_and_marks_are_kept() -> None:
    assert normalize("IT Résumé सीमा") == "IT Résumé सीमा"
