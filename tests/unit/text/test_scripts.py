from __future__ import annotations

import pytest

from prism.text.scripts import dominant_script, script_of, script_shares, scripts, share_of_scripts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("policy", {"Latin"}),
        ("हिन्दी में policy", {"Devanagari", "Latin"}),
        ("会社の休暇カード", {"Han", "Hiragana", "Katakana"}),
        ("การลา", {"Thai"}),
        ("سياسة", {"Arabic"}),
        ("ＡＢＣ", {"Latin"}),
        ("휴가 Ωμέγα йога עברית", {"Hangul", "Greek", "Cyrillic", "Hebrew"}),
        ("4.2.1 — 25% 🙂", set()),
        ("", set()),
    ],
)
def test_scripts_are_named_as_unicode_names_them(text: str, expected: set[str]) -> None:
    assert scripts(text) == expected


def test_shares_count_letters_and_marks_only_and_come_largest_first() -> None:
    assert dict(script_shares("सीमा abc 123!")) == {"Devanagari": 4 / 7, "Latin": 3 / 7}
    assert list(script_shares("ab सीमा")) == ["Devanagari", "Latin"]


def test_the_dominant_script_is_that_of_most_letters() -> None:
    assert dominant_script("What is सीमा?") == "Latin"
    assert dominant_script("KYC नियम क्या हैं") == "Devanagari"
    assert dominant_script("823") is None


def test_the_readable_share_decides_who_can_read_a_text() -> None:
    assert share_of_scripts("policy", {"Latin"}) == 1.0
    assert share_of_scripts("सीमा", {"Latin"}) == 0.0
    assert share_of_scripts("abc सीमा", {"Latin"}) == pytest.approx(3 / 7)
    assert share_of_scripts("4.2.1", {"Latin"}) == 1.0


def test_a_combining_accent_shared_by_scripts_belongs_to_none_and_a_rare_script_is_other() -> None:
    assert script_of("\u0301") is None
    assert script_of("𐎀") == "Other"
