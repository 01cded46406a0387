"""When a question names a code that passages hold, the dense leg only breaks ties."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from prism.query.exact import TIE_BREAK_SHARE, names_held_code
from prism.text.tokens import query_terms, tokenize


class Held:
    """Document frequencies of a few passages."""

    def __init__(self, *passages: str) -> None:
        self._passages = [frozenset(tokenize(passage)) for passage in passages]

    def document_frequency(self, token: str) -> int:
        return sum(token in passage for passage in self._passages)


def named(question: str, *passages: str, most: int = 40) -> bool:
    return names_held_code(query_terms(question), Held(*passages), most=most)


CODES: Mapping[str, str] = {
    "LQT-6312": "Part LQT-6312 is in stock.",
    "What does Section 7(b) say?": "Section 7(b) sets out a duty.",
    "₹1,25,000": "The limit is ₹1,25,000 a day.",
    "Who uses form 15G?": "Form 15G is for residents.",
    "rule 8.2": "Rule 8.2 is repealed.",
    "error 0x80070005": "0x80070005 means access denied.",
    "rate of 7.5%": "The rate is 7.5% a year.",
    "part 6312": "Part 6312.",
}


@pytest.mark.parametrize("question", CODES)
def test_a_code_section_or_amount_that_is_held_is_named(question):
    assert named(question, CODES[question], "Something else.")


@pytest.mark.parametrize("question", CODES)
def test_a_code_that_no_passage_holds_changes_nothing(question):
    assert not named(question, "Something else.")


@pytest.mark.parametrize(
    "question", ["sales in 2024", "3 days of leave", "the 20th century", "room 12", "plain words", ""]
)
def test_years_ordinals_small_numbers_and_words_are_no_codes(question):
    assert not named(question, "In 2024, the 20th century, room 12, 3 days, plain words.")


@pytest.mark.parametrize(
    "question",
    [
        "5% of perinatal mortality is due to low birth weight",
        "1,000 genomes project maps rare sequence variation",
    ],
)
def test_a_quantity_in_a_long_question_is_a_detail(question):
    assert not named(question, question)


def test_a_code_is_what_a_question_of_ordinary_length_is_about():
    question = "Why does the update of my laptop end with error 0x80070005 now?"
    assert named(question, "0x80070005 means access denied.")


def test_a_code_in_a_long_claim_is_a_detail():
    claim = (
        "High calcium intakes prevent bone loss in adults with 25(OH)D levels above normal in winter months"
    )
    assert not named(claim, claim)


def test_a_code_on_every_page_says_nothing():
    pages = [f"RBI/2025-26/17, page {number}" for number in range(5)]
    assert named("RBI/2025-26/17", *pages, most=5)
    assert not named("RBI/2025-26/17", *pages, most=4)


def test_the_dense_leg_cannot_outvote_one_keyword_rank():
    assert TIE_BREAK_SHARE / 61 < 1 / 77 - 1 / 78
