"""What differs, in words; each difference alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from eval.golden.compare import compare
from eval.golden.types import Golden, Leg, Row
from prism import PageRef
from tests.unit.eval.golden.traces import FEES, GOLDEN, GONE, PARENT, A, B, C

DENSE, KEYWORD = GOLDEN.legs
CITED = GOLDEN.citations[0]


def words(found: Golden, expected: Golden = GOLDEN) -> list[str]:
    return [str(difference) for difference in compare([expected], [found])]


def test_equal_traces_differ_in_nothing() -> None:
    assert compare([GOLDEN], [replace(GOLDEN)]) == compare([], []) == []


def test_two_rows_that_changed_places_are_named_by_stage_and_rank() -> None:
    found = replace(GOLDEN, legs=(replace(DENSE, hits=(Row(1, FEES), Row(2, A), DENSE.hits[2])), KEYWORD))
    assert words(found) == [
        "limit: dense leg, rank 1: expected rules.md leaf 0-100, found fees.csv leaf 0-50",
        "limit: dense leg, rank 2: expected fees.csv leaf 0-50, found rules.md leaf 0-100",
    ]


def test_a_row_too_few_or_too_many_is_set_against_nothing() -> None:
    shorter = replace(GOLDEN, merged=GOLDEN.merged[:1])
    assert words(shorter) == ["limit: merged, rank 2: expected fees.csv leaf 0-50, found nothing"]
    assert words(GOLDEN, shorter) == ["limit: merged, rank 2: expected nothing, found fees.csv leaf 0-50"]


def test_numbers_off_by_one_show_although_the_order_stands() -> None:
    found = replace(GOLDEN, passages=(Row(2, PARENT), Row(3, FEES)))
    assert words(found) == [
        "limit: passages, rank 1: expected rules.md level 1 0-300, found nothing",
        "limit: passages, rank 2: expected fees.csv leaf 0-50, found rules.md level 1 0-300",
        "limit: passages, rank 3: expected nothing, found fees.csv leaf 0-50",
    ]


def test_a_tie_is_one_rank_and_differs_when_it_is_broken() -> None:
    found = replace(GOLDEN, legs=(DENSE, replace(KEYWORD, hits=(Row(1, A), Row(2, B), Row(3, C)))))
    assert words(found) == [
        "limit: keyword leg, rank 2: expected rules.md leaf 100-200 and rules.md leaf 200-300, "
        "found rules.md leaf 100-200",
        "limit: keyword leg, rank 3: expected nothing, found rules.md leaf 200-300",
    ]


def test_what_should_be_gone_is_said_to_be() -> None:
    found = replace(GOLDEN, legs=(DENSE, replace(KEYWORD, hits=(Row(1, GONE), *KEYWORD.hits[1:]))))
    assert words(found) == [
        "limit: keyword leg, rank 1: expected rules.md leaf 0-100, found old.txt leaf 0-80 (deleted)"
    ]


def test_another_text_sent_to_a_leg_is_said_before_its_hits() -> None:
    found = replace(GOLDEN, legs=(DENSE, Leg("keyword", "The limit is", KEYWORD.hits[:1])))
    assert words(found) == [
        "limit: keyword leg, text sent: expected 'limit?', found 'The limit is'",
        "limit: keyword leg, rank 2: expected rules.md leaf 100-200 and rules.md leaf 200-300, found nothing",
    ]


def test_a_missing_leg_is_said_and_the_others_are_compared() -> None:
    found = replace(GOLDEN, legs=(replace(KEYWORD, query="other"),))
    assert words(found) == [
        "limit: legs: expected dense leg, keyword leg, found keyword leg",
        "limit: keyword leg, text sent: expected 'limit?', found 'other'",
    ]


def test_a_second_phrasing_is_a_leg_of_its_own() -> None:
    twice = replace(GOLDEN, legs=(DENSE, KEYWORD, replace(KEYWORD, query="limit")))
    assert words(replace(twice, legs=(DENSE, KEYWORD, replace(KEYWORD, query="other"))), twice) == [
        "limit: keyword leg 2, text sent: expected 'limit', found 'other'"
    ]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"reranked": (Row(1, A),)}, "limit: reranked: expected no list, found a list"),
        ({"abstained": True}, "limit: gate: expected an answer, found an abstention"),
        ({"answer": "Six. [1]"}, "limit: answer: expected 'The limit is five. [1]', found 'Six. [1]'"),
        (
            {"citations": (replace(CITED, n=2),)},
            "limit: citations: expected [1] rules.md 120-138, page 1 (sheet 2), "
            "of a passage on i (sheet 1), 1 (sheet 2), "
            "found [2] rules.md 120-138, page 1 (sheet 2), of a passage on i (sheet 1), 1 (sheet 2)",
        ),
        (
            {"citations": (replace(CITED, pages=(PageRef("2", 2),)),)},
            "limit: citations: expected [1] rules.md 120-138, page 1 (sheet 2), "
            "of a passage on i (sheet 1), 1 (sheet 2), "
            "found [1] rules.md 120-138, page 2 (sheet 2), of a passage on i (sheet 1), 1 (sheet 2)",
        ),
        (
            {"citations": ()},
            "limit: citations: expected [1] rules.md 120-138, page 1 (sheet 2), "
            "of a passage on i (sheet 1), 1 (sheet 2), found nothing",
        ),
        (
            {"variant": "default", "answer": "Six."},
            "limit: question: expected 'limit?' under fixed settings, found 'limit?' under default settings",
        ),
    ],
)
def test_every_other_stage_is_said_by_its_name(change: dict, expected: str) -> None:
    assert words(replace(GOLDEN, **change)) == [expected]


def test_reranked_rows_are_compared_where_both_have_them() -> None:
    expected, found = (replace(GOLDEN, reranked=(Row(1, place),)) for place in (A, B))
    assert words(found, expected) == [
        "limit: reranked, rank 1: expected rules.md leaf 0-100, found rules.md leaf 100-200"
    ]


def test_a_question_that_is_new_or_gone_is_a_difference() -> None:
    assert [str(item) for item in compare([GOLDEN], [])] == [
        "limit: question: expected a trace, found no trace"
    ]
    assert [str(item) for item in compare([], [GOLDEN])] == [
        "limit: question: expected no trace, found a trace"
    ]


def test_stages_come_in_the_order_they_run() -> None:
    found = replace(
        GOLDEN,
        legs=(replace(DENSE, hits=()), replace(KEYWORD, hits=())),
        fused=(),
        merged=(),
        passages=(),
        abstained=True,
        citations=(),
        answer="",
    )
    stages = [difference.stage for difference in compare([GOLDEN], [found])]
    assert list(dict.fromkeys(stages)) == [
        "dense leg",
        "keyword leg",
        "fused",
        "merged",
        "passages",
        "gate",
        "citations",
        "answer",
    ]


def test_another_order_of_the_leaves_of_a_passage_is_a_difference() -> None:
    (parent, *others) = GOLDEN.merged
    found = replace(GOLDEN, merged=(replace(parent, leaves=parent.leaves[::-1]), *others))
    (difference,) = compare([GOLDEN], [found])
    assert (difference.stage, difference.rank) == ("merged", 1)
    assert difference.expected.endswith("for 0-100, 100-200")
    assert difference.found.endswith("for 100-200, 0-100")


def test_another_fused_score_is_a_difference_although_the_order_is_the_same() -> None:
    """Ranks counted from 0: 0.6 / 60 + 0.4 / 60."""
    (first, *others) = GOLDEN.fused
    found = replace(GOLDEN, fused=(replace(first, score=0.016666667), *others))
    (difference,) = compare([GOLDEN], [found])
    assert (difference.stage, difference.rank) == ("fused", 1)
    assert difference.found.endswith("scoring 0.016666667")
