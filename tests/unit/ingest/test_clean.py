import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prism.ingest.clean import clean
from prism.types import PageSpan, SectionSpan, SourceText, TableSpan

TRICKY = st.text(
    st.one_of(
        st.sampled_from(
            "ab \t\n\r\x0c\xa0\xad\u200b\u200c\u200d\u2028\ufeff\u0301\u0327e\u0915\u094d\u0937👨👩"
        ),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=60,
)


def loaded(text: str, cut: int = 0) -> SourceText:
    return SourceText(
        text,
        "t",
        "text/plain",
        (PageSpan(1, "i", 0, cut), PageSpan(2, "ii", cut, len(text))),
        (SectionSpan(cut, ("S",)),),
        (TableSpan(cut, len(text), "H"),),
    )


@pytest.mark.parametrize(
    ("raw", "cleaned"),
    [
        ("Zu\u0308rich", "Zürich"),
        ("a\u00a0b\u2009c\u3000d", "a b c d"),
        ("co\u00adop\u200beration\ufeff", "cooperation"),
        ("one  \r\ntwo\rthree\u2028four", "one\ntwo\nthree\nfour"),
        ("a\n\n\n\n\nb\n\n", "a\n\nb"),
        ("\n\n  a", "  a"),
        ("bell\x07 and escape\x1b", "bell and escape"),
        ("क\u094d\u200dष", "क\u094d\u200dष"),
        ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
        ("plain\u200dword\u200c", "plainword"),
        ("\ufeff \t\n", ""),
        ("tab\tkept", "tab\tkept"),
    ],
)
def test_characters_and_white_space_become_uniform(raw, cleaned):
    assert clean(loaded(raw)).text == cleaned


@given(TRICKY, TRICKY)
def test_cleaning_is_nfc_and_changes_nothing_the_second_time(before, after):
    once = clean(loaded(before + after, len(before)))
    assert unicodedata.is_normalized("NFC", once.text)
    assert clean(once) == once


@given(TRICKY, TRICKY)
def test_spans_still_point_at_the_same_words(before, after):
    mark = "〔word〕"
    document = clean(loaded(before + mark + after, len(before)))
    at = document.text.index(mark)
    first, second = document.pages
    assert first.start == 0
    assert first.end == second.start
    assert second.end == len(document.text)
    # Only white space can lie between the border and the marked word that began the second page.
    assert document.text[second.start : at].strip() == ""
    assert document.sections[0].start == second.start
    assert (document.tables[0].start, document.tables[0].end) == (second.start, second.end)


def test_a_million_spaces_in_a_row_cost_no_time():
    began = time.perf_counter()
    for odd in (" ", "\t", "\n", "\r\n", "\u0301", "\xa0", "\u200d", "e\u0301"):
        assert clean(loaded("a" + odd * 300_000 + "b")).text.endswith("b")
    assert time.perf_counter() - began < 20
