from __future__ import annotations

import pytest

from prism.query.copies import Originals, shingles, telling

RULE = (
    "Either party may end this agreement with thirty days of written notice to the other party. "
    "The notice is sent to the address named in the schedule and takes effect on the day it arrives. "
    "Work that was ordered before that day is finished and paid for as agreed, and each party returns what "
    "belongs to the other, together with all copies of the documents that it was given for the work."
)
"""70 words."""


def places(*texts: str) -> list[int | None]:
    originals = Originals()
    return [originals.original_of(text) for text in texts]


@pytest.mark.parametrize(
    "copy",
    [
        RULE.upper(),
        RULE.replace(" ", "\n  "),
        RULE.replace(",", ";").replace(".", " –"),
        f"Handbook\n{RULE}",
        f"{RULE}\nHandbook of the house",
        RULE.replace("agreement", "agree-ment"),
    ],
    ids=["case", "spacing", "punctuation", "header", "footer", "hyphen"],
)
def test_case_spacing_punctuation_and_a_header_make_no_other_text(copy: str) -> None:
    assert places(RULE, copy) == [None, 0]


@pytest.mark.parametrize(
    ("text", "version"),
    [
        (f"{RULE} The fee is 500.", f"{RULE} The fee is 900."),
        (f"{RULE} In force from 01.04.2024.", f"{RULE} In force from 01.04.2025."),
        (f"{RULE} A is 5, B is 10.", f"{RULE} A is 10, B is 5."),
        (f"{RULE} The rate is 1.25.", f"{RULE} The rate is 1, 25."),
        (f"{RULE} The fee is $500.", f"{RULE} The fee is €500."),
        (f"{RULE} It falls to -5.", f"{RULE} It falls to 5."),
        (f"{RULE} See 7(b).", f"{RULE} See 7(c)."),
        (RULE, RULE.replace("Either party", "The buyer")),
        (RULE, RULE.replace("thirty days", "thirty months")),
        (RULE, RULE.replace("is finished and paid", "is finished and half paid")),
        (RULE, RULE.replace("ordered", "refused")),
        (RULE, RULE.replace("for the work.", "for the trade.")),
        (RULE, RULE.replace("is finished", "is not finished")),
        (RULE, RULE.replace("party may", "party must")),
        (RULE, f"{RULE} नहीं"),
        ("合同" * 60, "合同" * 60 + "不"),
    ],
    ids=[
        "amount",
        "date",
        "order",
        "fraction",
        "currency",
        "sign",
        "clause",
        "another party",
        "another unit",
        "a word more",
        "another word",
        "another last word",
        "not",
        "must",
        "Hindi",
        "Chinese",
    ],
)
def test_another_figure_sign_or_turning_word_makes_another_text(text: str, version: str) -> None:
    assert places(text, version) == [None, None]


def test_a_hundred_shingles_of_which_a_tenth_differs_are_still_a_copy_and_no_more() -> None:
    # n words have n - 2 shingles. Cutting words off the end keeps all of the shorter text's shingles, so the
    # index is the quotient of the two counts.
    words = [f"{one}{other}" for one in "abcdefghij" for other in "abcdefghij"] + ["ka", "kb"]
    assert len(shingles(" ".join(words))) == 100
    assert places(" ".join(words), " ".join(words[:92])) == [None, 0]
    assert places(" ".join(words), " ".join(words[:91])) == [None, None]


def test_a_text_is_a_copy_of_the_first_that_it_resembles() -> None:
    assert places("The cap.", "A limit.", "the CAP", "a limit", "The fee.") == [None, None, 0, 1, None]


def test_short_texts_are_copies_only_of_their_own_words() -> None:
    assert places("yes", "Yes!", "no", "", "…", "yes yes") == [None, 0, None, None, 2, None]


def test_each_character_of_a_script_without_spaces_is_a_word() -> None:
    assert shingles("年假十五天") == {("年", "假", "十"), ("假", "十", "五"), ("十", "五", "天")}
    assert shingles("ab cd") == {("ab", "cd")}


def test_what_tells_texts_apart_is_read_in_order() -> None:
    assert telling("pay $ 5 or not, but -3 % of 2x + नहीं") == (
        "$",
        "5",
        "not",
        "-",
        "3",
        "%",
        "2x",
        "+",
        "नहीं",
    )
    assert telling("a well-known word") == ()
