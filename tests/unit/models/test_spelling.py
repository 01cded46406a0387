from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prism.models.spelling import plain_letters


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("ｖｉｓａ ｃｏｓｔ？", "visa cost?"),
        ("𝐯𝐢𝐬𝐚 ４０", "visa 40"),
        ("½ ﬁne", "½ ﬁne"),
        ("ｆｅｅ ½", "fee ½"),
        ("visa cost", "visa cost"),
        ("शुल्क", "शुल्क"),
        ("", ""),
    ],
)
def test_letters_in_compatibility_forms_become_plain_ones(text: str, plain: str) -> None:
    assert plain_letters(text) == plain


@given(st.text())
def test_places_stay_what_they_are(text: str) -> None:
    assert len(plain_letters(text)) == len(text)
