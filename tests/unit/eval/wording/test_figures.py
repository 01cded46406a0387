"""Numbers as a reader sees them."""

from __future__ import annotations

import pytest

from eval.outcome.result import Summary
from eval.wording.figures import difference, interval, measure_title, milliseconds, percent, share


def test_mean_stands_with_its_interval() -> None:
    assert interval(Summary(0.71349, 0.69, 0.7405, 10)) == "0.713 (0.690 to 0.741)"


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0124, "+0.012"), (-0.004, "−0.004"), (0.0, "0.000"), (-0.0001, "0.000"), (0.0001, "0.000")],
)
def test_difference_has_a_sign_unless_it_is_none(value: float, text: str) -> None:
    assert difference(value) == text


@pytest.mark.parametrize(
    ("ratio", "text"), [(0.0, "0 %"), (0.001, "<1 %"), (0.9, "90 %"), (0.999, ">99 %"), (1.0, "100 %")]
)
def test_all_or_nothing_is_said_only_where_it_is(ratio: float, text: str) -> None:
    assert percent(ratio) == text


def test_share_of_nothing_is_no_share() -> None:
    assert share(9, 10) == "9/10 (90 %)"
    assert share(0, 0) == "–"


@pytest.mark.parametrize(
    ("value_ms", "text"),
    [(0.0, "0"), (0.004, "<0.01"), (0.04, "0.04"), (1.534, "1.53"), (41.23, "41.2"), (1240.4, "1,240")],
)
def test_times_have_three_digits_that_count(value_ms: float, text: str) -> None:
    assert milliseconds(value_ms) == text


def test_measure_says_where_less_is_better() -> None:
    assert measure_title("ndcg@10") == "nDCG in the first 10"
    assert measure_title("wrongly_refused") == "wrongly refused (less is better)"
    assert measure_title("abstain_rate") == "abstain rate", "neither way is good in itself"
    assert measure_title("of_another_version") == "of_another_version"
