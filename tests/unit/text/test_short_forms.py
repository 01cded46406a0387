"""Abbreviations that a text defines, and what a part of it may be asked for by besides its own words."""

from __future__ import annotations

import pytest

from prism.text.short_forms import ShortForm, other_forms, short_forms


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


def test_the_shortest_run_of_words_and_the_first_definition_count():
    assert defined("a Central Bank and a Commercial Bank (CB); a Chit Book (CB)") == {"CB": "Commercial Bank"}


def test_a_line_end_inside_a_name_is_a_space():
    assert defined("Local Area\n  Banks (LABs)") == {"LAB": "Local Area Banks"}


FORMS = (
    ShortForm("UCB", "Urban Co-operative Banks"),
    ShortForm("PSL", "Priority Sector Lending"),
    ShortForm("LAB", "Local Area Banks"),
)


def test_a_part_with_one_form_is_also_asked_for_by_the_other():
    assert other_forms("Targets for UCBs are", FORMS, most=9) == ("Urban Co-operative Banks",)
    assert other_forms("PRIORITY SECTOR\nLENDING grows", FORMS, most=9) == ("PSL",)


def test_a_part_with_both_forms_or_with_neither_needs_nothing():
    assert other_forms("Urban Co-operative Banks (UCBs)", FORMS, most=9) == ()
    assert other_forms("UCBX, subPSL, labs", FORMS, most=9) == ()


def test_brackets_do_not_hide_a_long_form():
    assert other_forms("Primary (Urban) Co-operative Banks", FORMS, most=9) == ("UCB",)


def test_forms_come_as_they_stand_and_no_more_than_asked_for():
    text = "A LAB, then PSL and UCBs"
    expected = ("Local Area Banks", "Priority Sector Lending", "Urban Co-operative Banks")
    assert other_forms(text, FORMS, most=9) == expected
    assert other_forms(text, FORMS, most=2) == expected[:2]
    assert other_forms(text, FORMS, most=0) == ()
