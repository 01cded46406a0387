"""Paired ratios, their intervals and what they are called."""

from __future__ import annotations

import math

import pytest

from eval.bench.statistics import Ratio, advantage, percentile, verdict
from prism.errors import UsageError


def test_equal_values_are_even_with_an_interval_of_no_width() -> None:
    ratio = advantage([3.0, 5.0, 7.0], [3.0, 5.0, 7.0], "lower")
    assert ratio == Ratio(1.0, 1.0, 1.0)
    assert verdict(ratio) == "even"


def test_half_the_time_is_twice_as_good() -> None:
    assert advantage([1.0, 2.0, 3.0], [2.0, 4.0, 6.0], "lower").mean == pytest.approx(2.0)


def test_twice_the_rate_is_twice_as_good() -> None:
    assert advantage([2.0, 4.0], [1.0, 2.0], "higher").mean == pytest.approx(2.0)


def test_twice_and_half_as_fast_cancel_out() -> None:
    assert advantage([1.0, 2.0], [2.0, 1.0], "lower").mean == pytest.approx(1.0)


def test_interval_of_three_pairs_worked_by_hand() -> None:
    # Ratios e, e^2, e^3: mean of the logarithms 2, their deviation 1, t(0.975; 2) = 4.302653.
    ratio = advantage([1.0, 1.0, 1.0], [math.e, math.e**2, math.e**3], "lower")
    reach = 4.302653 / math.sqrt(3)
    assert math.log(ratio.mean) == pytest.approx(2.0)
    assert math.log(ratio.low) == pytest.approx(2.0 - reach, abs=1e-5)
    assert math.log(ratio.high) == pytest.approx(2.0 + reach, abs=1e-5)


def test_interval_of_five_pairs_worked_by_hand() -> None:
    # Logarithms 1, 1, 2, 3, 3: mean 2, deviation 1, t(0.975; 4) = 2.776445.
    plain = [math.exp(log) for log in (1, 1, 2, 3, 3)]
    ratio = advantage([1.0] * 5, plain, "lower")
    assert math.log(ratio.low) == pytest.approx(2.0 - 2.776445 / math.sqrt(5), abs=1e-5)


def test_pairing_takes_out_what_slowed_both() -> None:
    # The machine is ten times slower in the second repetition; each pair still says 2.
    ratio = advantage([1.0, 10.0], [2.0, 20.0], "lower")
    assert ratio.low == pytest.approx(2.0)
    assert ratio.high == pytest.approx(2.0)


def test_swapping_the_builds_turns_the_ratio_over() -> None:
    ours, theirs = [1.0, 2.0, 2.5], [3.0, 5.0, 4.0]
    there, back = advantage(ours, theirs, "lower"), advantage(theirs, ours, "lower")
    assert back.mean == pytest.approx(1 / there.mean)
    assert (back.low, back.high) == (pytest.approx(1 / there.high), pytest.approx(1 / there.low))


def test_one_pair_says_nothing_of_its_spread() -> None:
    ratio = advantage([1.0], [5.0], "lower")
    assert (ratio.mean, ratio.low, ratio.high) == (pytest.approx(5.0), 0.0, math.inf)
    assert verdict(ratio) == "even"


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (1.01, 3.0, "ahead"),
        (0.5, 0.99, "behind"),
        (0.9, 1.1, "even"),
        (1.0, 2.0, "even"),
        (0.5, 1.0, "even"),
    ],
)
def test_verdict_needs_the_whole_interval(low: float, high: float, expected: str) -> None:
    assert verdict(Ratio((low * high) ** 0.5, low, high)) == expected


@pytest.mark.parametrize(
    ("prism", "plain"),
    [([], []), ([1.0], [1.0, 2.0]), ([0.0], [1.0]), ([1.0, 1.0], [1.0, -1.0])],
)
def test_what_cannot_be_compared_is_refused(prism: list[float], plain: list[float]) -> None:
    with pytest.raises(UsageError):
        advantage(prism, plain, "lower")


def test_percentile_lies_between_neighbours_in_proportion() -> None:
    # Of 10, 20, 30, 40 the places are 0, 33.3, 66.7 and 100 %: the median lies half way from 20 to 30.
    assert percentile([40.0, 10.0, 30.0, 20.0], 50) == pytest.approx(25.0)
    assert percentile([40.0, 10.0, 30.0, 20.0], 95) == pytest.approx(38.5)
    assert percentile([7.0], 95) == pytest.approx(7.0)
