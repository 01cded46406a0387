from __future__ import annotations

import pytest

from prism.query.ground import facts, ground, split_answer, support
from prism.types import PageRef, Passage


def words(text: str) -> list[str]:
    return [word.strip(".,;:?!|").lower() for word in text.split() if word.strip(".,;:?!|")]


def passage(rank: int, text: str, *, start: int = 100, header: str = "") -> Passage:
    return Passage(
        rank,
        f"n{rank}",
        (f"n{rank}",),
        "doc.txt",
        "doc",
        1,
        (),
        start,
        start + len(text),
        text,
        1.0,
        {},
        header,
    )


# ── facts ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("no figures here", set()),
        ("₹1,25,000", {"125000"}),
        ("₹१,२५,०००", {"125000"}),
        ("1,234,567 and 1,234", {"1234567", "1234"}),
        ("in 2019,2020", {"2019", "2020"}),
        ("5-10 days", {"5", "10"}),
        ("5–10 days", {"5", "10"}),
        ("01.04.2024 and 2024-04-01", {"01.04.2024", "2024-04-01"}),
        ("$3.5M or 3.50", {"3.5m", "3.50"}),
        ("₹500.00", {"500"}),
        ("Section 7(b) and (7)", {"7(b)", "7"}),
        ("Error 0x80070005, K_TRN_BX_07", {"0x80070005", "k_trn_bx_07"}),
        ("LQT-6312 and COVID-19", {"lqt-6312", "covid-19"}),
        ("mid-2024", {"2024"}),
        ("10km on the 4th at 5pm", {"10", "4", "5"}),
        ("12%", {"12"}),
        ("①", {"1"}),
    ],
)
def test_numbers_dates_and_codes_meet_across_spellings(text: str, found: set[str]) -> None:
    assert facts(text) == found


# ── support ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("sentence", "evidence", "verdict"),
    [
        ("The cap is ₹1,25,000.", ["The cap is ₹125000 a year."], "supported"),
        ("The cap is ₹1,25,000.", ["The cap is ₹2,25,000."], "unsupported"),
        ("The cap is 25.", ["The cap is 125."], "unsupported"),
        ("The rate is 5 percent.", ["The rate is 3.5 percent."], "unsupported"),
        ("The rate is 3.5 percent.", ["The rate is 3.5 percent."], "supported"),
        ("Section 7 applies.", ["Section 7(b) applies."], "supported"),
        ("Section 7(b) applies.", ["Section 17(b) applies."], "unsupported"),
        ("Since 2024 it holds.", ["It holds since 01.04.2024."], "supported"),
        ("Use LQT-6312 here.", ["Use XYZ-6312 here."], "unsupported"),
        ("10 days from 2024.", ["10 days from 2023."], "partly"),
        ("Leave is long.", ["Leave is long and paid."], "supported"),
        ("Ask HR for more paid time now", ["HR"], "unsupported"),  # 1 of 7 words
        ("Ask HR for leave", ["HR"], "partly"),  # 1 of 4 words
        ("Completely different words", ["nothing alike"], "unsupported"),
        ("The cap is 10 and 20.", ["The cap is 10", "and 20."], "supported"),
        ("Anything at all.", [], "unsupported"),
    ],
)
def test_a_sentence_is_as_good_as_what_it_cites(sentence: str, evidence: list[str], verdict: str) -> None:
    assert support(sentence, evidence, words) == verdict


def test_right_figures_with_other_words_are_partly_supported() -> None:
    assert support("Vacation amounts to 15 days annually", ["15 | leave"], words) == "partly"


# ── splitting ───────────────────────────────────────────────────────────────────────────────────


def test_marks_belong_to_the_sentence_before_them() -> None:
    assert split_answer("The cap is ten. [1] It rose. [2][3]") == ("The cap is ten. [1]", "It rose. [2][3]")
    assert split_answer("The cap is ten [1]. It rose [2].") == ("The cap is ten [1].", "It rose [2].")


def test_a_mark_with_nothing_before_it_stays_with_what_follows() -> None:
    assert split_answer("[1] The cap is ten.") == ("[1] The cap is ten.",)
    assert split_answer("[1]") == ("[1]",)
    assert split_answer(" \n ") == ()


# ── the whole answer ────────────────────────────────────────────────────────────────────────────


def check(answer: str, *passages: Passage, **options):
    return ground(
        answer,
        passages,
        tokenize=words,
        pages_between=lambda item, start, end: (PageRef(f"{start}-{end}", 1),),
        **options,
    )


def test_each_sentence_is_checked_against_what_it_cites_alone() -> None:
    sentences, citations = check(
        "The cap is ten [1]. The fee is 40 [1]. Nobody said so.",
        passage(1, "The cap is ten."),
        passage(2, "The fee is 40."),
    )
    assert [(item.citations, item.support) for item in sentences] == [
        ((1,), "supported"),
        ((1,), "unsupported"),
        ((), "unsupported"),
    ]
    assert [item.n for item in citations] == [1]


def test_a_citation_quotes_the_closest_sentence_at_its_place() -> None:
    text = "First words.  The cap is ten days. Last words."
    _, (citation,) = check("The cap is ten days [1].", passage(1, text, start=100))
    assert citation.quote == "The cap is ten days."
    assert (citation.quote_start, citation.quote_end) == (114, 134)
    assert citation.pages == (PageRef("114-134", 1),)
    assert text[14:34] == citation.quote


def test_words_the_answerer_knows_it_used_are_quoted() -> None:
    _, (citation,) = check("One two [1].", passage(1, "One two. Three."), quotes={1: [(109, 115)]})
    assert citation.quote == "Three."


def test_citations_come_by_number_once_each() -> None:
    _, citations = check("B [2]. A [1][2].", passage(1, "A"), passage(2, "B"))
    assert [item.n for item in citations] == [1, 2]


def test_gen_01_a_number_without_a_passage_makes_no_citation() -> None:
    sentences, citations = check("A [7].", passage(1, "A"))
    assert citations == ()
    assert sentences[0].citations == ()


def test_a_header_bears_a_sentence_out_too() -> None:
    sentences, _ = check("Days 15 [1]", passage(1, "15 | 20", header="Days | Fee"))
    assert sentences[0].support == "supported"


def test_an_answer_of_marks_alone_is_no_error() -> None:
    sentences, citations = check("[1]", passage(1, "   "))
    assert len(sentences) == len(citations) == 1
