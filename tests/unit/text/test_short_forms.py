"""Abbreviations that a text defines, and what a part of it may be asked for by besides its own words."""

from __future__ import annotations

import pytest

from prism.text.short_forms import Glossary, short_forms


def defined(text: str) -> dict[str, str]:
    return {form.short: form.long for form in short_forms(text)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("loans by Small Finance Banks (SFBs) to", {"SFB": "Small Finance Banks"}),
        ("the Ministry of Rural Development (MoRD).", {"MoRD": "Ministry of Rural Development"}),
        ("a non-performing asset (NPA) is", {"NPA": "non-performing asset"}),
        ("Primary (Urban) Co-operative Banks (UCBs)", {"UCB": "Urban Co-operative Banks"}),
        ("Lister of Fees (“LoF”) and Over Draft (OD)", {"LoF": "Lister of Fees", "OD": "Over Draft"}),
        ("Bundesamt für Justiz (BfJ)", {"BfJ": "Bundesamt für Justiz"}),
        ("акционерное общество (АО)", {"АО": "акционерное общество"}),
        ("Reserve Bank of India\n(RBI)", {"RBI": "Reserve Bank of India"}),
        ("Maßnahmen der Deutschen Renten Bank (DRB)", {"DRB": "Deutschen Renten Bank"}),
        ("ßßßßßß Große Straßen Amt (GSA)", {"GSA": "Große Straßen Amt"}),
    ],
)
def test_a_name_before_brackets_with_its_letters_is_a_definition(text, expected):
    assert defined(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "as notified by the bank (RBI)",  # no r: the letters are not there
        "a window (see Annex)",
        "by the credit bureau (A)",
        "the customer (PAN)",
        "pay 7. Accounts notified (PAN)",  # over the end of a sentence
        "pursuant to the rules laid down by the board and in respect of all banks (PB)",
        "",
    ],
)
def test_other_words_before_brackets_are_none(text):
    assert defined(text) == {}


def test_the_shortest_run_of_words_counts():
    assert defined("a Central Bank and a Commercial Bank (CB)") == {"CB": "Commercial Bank"}


def test_a_line_end_inside_a_name_is_a_space():
    assert defined("Local Area\n  Banks (LABs)") == {"LAB": "Local Area Banks"}


def test_a_definition_said_again_is_one_and_another_one_is_kept_in_its_place():
    text = "Cash Ratio (CR). Cash Ratio (CR). Credit Report (CR)."
    found = [(form.long, form.start) for form in short_forms(text)]
    assert found == [("Cash Ratio", 11), ("Credit Report", 48)]


TEXT = (
    "Urban Co-operative Banks (UCBs) do Priority Sector Lending (PSL). Local Area Banks (LABs) follow. "
    "A Tenant Tax (TT) is due."
)


def others(part: str, *, most: int = 9) -> tuple[str, ...]:
    return Glossary(TEXT).other_forms(part, 0, most=most)


def test_a_part_with_one_form_is_also_asked_for_by_the_other():
    assert others("Targets for UCBs are") == ("Urban Co-operative Banks",)
    assert others("PRIORITY SECTOR\nLENDING grows") == ("PSL",)
    assert others("an urban co-operative bank") == ("UCB",)


def test_a_part_with_both_forms_or_with_neither_needs_nothing():
    assert others("Urban Co-operative Banks (UCBs)") == ()
    assert others("UCBX, subPSL, labs, the lieutenant taxi") == ()


def test_brackets_do_not_hide_a_long_form():
    assert others("Primary (Urban) Co-operative Banks") == ("UCB",)


def test_forms_come_as_they_stand_once_each_and_no_more_than_asked_for():
    part = "A LAB, then PSL and UCBs, and a LAB"
    expected = ("Local Area Banks", "Priority Sector Lending", "Urban Co-operative Banks")
    assert others(part) == expected
    assert others(part, most=2) == expected[:2]
    assert others(part, most=0) == ()


def test_in_a_line_of_capitals_a_word_is_no_short_form():
    glossary = Glossary("the United States (US) and Information Technology (IT)")
    assert glossary.other_forms("CALL US NOW, IT IS FREE", 99, most=9) == ()
    assert glossary.other_forms("US law", 99, most=9) == ("United States",)


def test_of_two_definitions_the_last_before_counts_else_the_first_after():
    text = "The CAR. The cardiac arrest rate (CAR) fell. The capital adequacy ratio (CAR) rose."
    glossary = Glossary(text)
    meant = [glossary.other_forms("a CAR of 9", place, most=9) for place in (0, 40, 83)]
    assert meant == [("cardiac arrest rate",), ("cardiac arrest rate",), ("capital adequacy ratio",)]


def test_a_text_of_thousands_of_definitions_is_read_like_any_other():
    names = [f"Alpha{number} Beta{number} Gamma{number}" for number in range(5_000)]
    text = " ".join(f"{name} (A{number}BG)." for number, name in enumerate(names)) + " (AB)" * 50_000
    found = Glossary(text).other_forms("Alpha7 Beta7 Gamma7 and A9BG", 0, most=9)
    assert found == ("A7BG", "Alpha9 Beta9 Gamma9")
