"""Means, differences and verdicts by hand."""

from __future__ import annotations

import pytest

from eval.bootstrap import Difference
from eval.compare.measures import LEAST_QUESTIONS, Measured, compare_measures, judge
from eval.compare.pairing import Pair, pair
from eval.metrics.catalogue import CATALOGUE, describe
from eval.outcome.row import Row
from tests.unit.eval.rows import make_result, make_row


def compared(a: list[Row], b: list[Row]) -> dict[str, Measured]:
    pairs = pair(make_result(a), make_result(b)).pairs
    return {item.metric.name: item for item in compare_measures(pairs)}


def ranked_at(*ranks: int | None) -> list[Row]:
    """A row for each rank of the only gold."""
    return [
        make_row(f"q{number}", ranking=() if rank is None else (*"xyzuvw"[: rank - 1], "a"))
        for number, rank in enumerate(ranks)
    ]


def test_means_and_difference_worked_by_hand() -> None:
    # Reciprocal ranks 1, 1/2, 0 and 1, 1, 1/4: means 1/2 and 3/4.
    found = compared(ranked_at(1, 2, None), ranked_at(1, 1, 4))["mrr"]
    assert (found.mean_a, found.mean_b) == (pytest.approx(0.5), pytest.approx(0.75))
    assert found.difference.mean == pytest.approx(0.25)
    assert found.questions == 3


def test_the_same_gain_everywhere_is_better_and_the_other_way_round_worse() -> None:
    deep, first = ranked_at(*[2] * 8), ranked_at(*[1] * 8)
    assert compared(deep, first)["mrr"].verdict == "better"
    assert compared(first, deep)["mrr"].verdict == "worse"
    assert compared(deep, first)["recall@3"].verdict == "no evidence"  # alike


def test_gains_and_losses_that_cancel_are_no_evidence() -> None:
    found = compared(ranked_at(1, 2, 1, 2, 1, 2, 1, 2), ranked_at(2, 1, 2, 1, 2, 1, 2, 1))["mrr"]
    assert found.difference.mean == pytest.approx(0.0)
    assert found.difference.low < 0 < found.difference.high
    assert found.verdict == "no evidence"


def test_few_questions_are_no_evidence_though_the_interval_has_no_width() -> None:
    count = LEAST_QUESTIONS - 1
    found = compared(ranked_at(*[2] * count), ranked_at(*[1] * count))["mrr"]
    assert (found.difference.low, found.difference.high) == (0.5, 0.5)
    assert found.verdict == "no evidence"


def test_only_questions_scored_in_both_count() -> None:
    a = [*ranked_at(1, 1), make_row("q9", unscorable="the page is missing")]
    b = [*ranked_at(1, 2), make_row("q9", ranking=("a",))]
    found = compared(a, b)["mrr"]
    assert (found.questions, found.mean_b) == (2, pytest.approx(0.75))


def test_measures_come_in_the_order_of_the_catalogue() -> None:
    names = list(compared(ranked_at(1), ranked_at(1)))
    assert names == [name for name in CATALOGUE if name in names]
    assert {"ndcg@10", "recall@20", "hit@1", "context_recall"} <= set(names)
    assert "expected@5" not in names


def judged(*outcomes: tuple[bool, bool | None]) -> list[Row]:
    """Rows of (answerable, refused)."""
    return [
        make_row(f"q{number}", answerable=answerable, gold={"a": 1} if answerable else {}, abstained=refused)
        for number, (answerable, refused) in enumerate(outcomes)
    ]


def test_refusal_figures_count_the_questions_each_is_about() -> None:
    a = judged((False, True), (False, False), (True, True), (True, False), (True, True))
    b = judged((False, True), (False, True), (True, False), (True, False), (True, None))
    found = compared(a, b)
    # The last was not judged in B. A refused one of each kind; B both without an answer and nothing else.
    assert (found["refusal_precision"].mean_a, found["refusal_precision"].mean_b) == (0.5, 1.0)
    assert found["refusal_precision"].questions == 2
    assert (found["refusal_recall"].mean_a, found["refusal_recall"].mean_b) == (0.5, 1.0)
    assert (found["wrongly_refused"].mean_a, found["wrongly_refused"].mean_b) == (0.5, 0.0)
    assert found["abstain_rate"].difference.mean == 0.0
    assert found["abstain_rate"].questions == 4


def test_nothing_refused_in_one_has_no_refusal_precision_to_compare() -> None:
    assert "refusal_precision" not in compared(judged((True, False)), judged((True, True)))


@pytest.mark.parametrize(
    ("name", "low", "high", "verdict"),
    [
        ("mrr", 0.01, 0.2, "better"),
        ("mrr", -0.2, -0.01, "worse"),
        ("mrr", 0.0, 0.2, "no evidence"),
        ("mrr", -0.1, 0.2, "no evidence"),
        ("wrongly_refused", 0.01, 0.2, "worse"),
        ("wrongly_refused", -0.2, -0.01, "better"),
        ("abstain_rate", 0.01, 0.2, "higher"),
        ("abstain_rate", -0.2, -0.01, "lower"),
    ],
)
def test_a_verdict_needs_the_whole_interval(name: str, low: float, high: float, verdict: str) -> None:
    assert judge(describe(name), Difference((low + high) / 2, low, high, 0.5), 100) == verdict


def test_no_pairs_no_measures() -> None:
    assert compare_measures(()) == ()


def test_a_measure_of_another_version_comes_last() -> None:
    rows = [make_row(f"q{number}", metrics={"err@7": 0.5, "mrr": 1.0}) for number in range(2)]
    found = compare_measures([Pair(row, row) for row in rows])
    assert [item.metric.name for item in found] == ["mrr", "err@7"]
