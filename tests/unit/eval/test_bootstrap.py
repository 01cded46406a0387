"""Intervals: known cases, and scipy's bootstrap as the independent one."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from eval.bootstrap import BATCH_DRAWS, Difference, Estimate, bootstrap_difference, bootstrap_mean
from prism.errors import UsageError

DRAW = np.random.default_rng(11)
SCORES = DRAW.beta(0.6, 0.4, size=120).tolist()
OTHERS = np.clip(np.array(SCORES) + DRAW.normal(0.05, 0.2, size=120), 0, 1).tolist()


def test_mean_agrees_with_scipy() -> None:
    # Both draw 10,000 times, from other seeds: ends differ by chance, by about a hundredth of the width.
    independent = stats.bootstrap((SCORES,), np.mean, n_resamples=10_000, method="percentile", rng=5)
    estimate = bootstrap_mean(SCORES)
    assert estimate.mean == pytest.approx(np.mean(SCORES))
    width = estimate.high - estimate.low
    assert estimate.low == pytest.approx(independent.confidence_interval.low, abs=0.05 * width)
    assert estimate.high == pytest.approx(independent.confidence_interval.high, abs=0.05 * width)


def test_difference_agrees_with_scipy() -> None:
    independent = stats.bootstrap(
        (OTHERS, SCORES),
        lambda second, first, axis: np.mean(second, axis=axis) - np.mean(first, axis=axis),
        n_resamples=10_000,
        method="percentile",
        paired=True,
        rng=5,
    )
    found = bootstrap_difference(SCORES, OTHERS)
    assert found.mean == pytest.approx(np.mean(OTHERS) - np.mean(SCORES))
    width = found.high - found.low
    assert found.low == pytest.approx(independent.confidence_interval.low, abs=0.05 * width)
    assert found.high == pytest.approx(independent.confidence_interval.high, abs=0.05 * width)


def test_p_value_agrees_with_the_t_test_where_that_holds() -> None:
    # With 120 pairs means are nearly normal, so that both ask the same; an effect that is not clear-cut.
    second = (np.array(SCORES) + np.random.default_rng(3).normal(0.025, 0.15, size=120)).tolist()
    expected = stats.ttest_rel(second, SCORES).pvalue
    assert 0.01 < expected < 0.5
    assert bootstrap_difference(SCORES, second).p_value == pytest.approx(expected, abs=0.02)


def test_pairing_narrows_the_interval() -> None:
    second = [value - 0.01 * (place % 2) for place, value in enumerate(SCORES)]
    paired = bootstrap_difference(SCORES, second)
    alone = bootstrap_mean(SCORES)
    assert paired.high - paired.low < (alone.high - alone.low) / 10
    assert paired.high < 0


def test_two_values_worked_by_hand() -> None:
    # Of 0 and 1, a quarter of the draws is 0, half 0.5, a quarter 1: 2.5 % and 97.5 % lie at the ends.
    assert bootstrap_mean([0.0, 1.0]) == Estimate(0.5, 0.0, 1.0)


@pytest.mark.parametrize("values", [[0.3], [0.1] * 7, [0.0, 0.0], [1.0] * 50])
def test_no_spread_no_width(values: list[float]) -> None:
    assert bootstrap_mean(values) == Estimate(values[0], values[0], values[0])


def test_equal_sides_differ_by_exactly_nothing() -> None:
    assert bootstrap_difference(SCORES, SCORES) == Difference(0.0, 0.0, 0.0, 1.0)


def test_one_pair_has_an_interval_of_no_width() -> None:
    found = bootstrap_difference([0.25], [0.75])
    assert (found.mean, found.low, found.high) == (0.5, 0.5, 0.5)


def test_swapping_the_sides_turns_the_sign() -> None:
    there, back = bootstrap_difference(SCORES, OTHERS), bootstrap_difference(OTHERS, SCORES)
    assert (there.mean, there.low, there.high) == pytest.approx((-back.mean, -back.high, -back.low))
    assert there.p_value == back.p_value


def test_gaps_count_for_their_own_side_only() -> None:
    # First: 1, 0 over two questions; second: 1 over one.
    found = bootstrap_difference([1.0, 0.0, None, None], [None, None, 1.0, None])
    assert found.mean == pytest.approx(0.5)
    assert 0.0 <= found.low < found.high <= 1.0


def test_a_question_missing_on_both_sides_weighs_little() -> None:
    # One more question without a value only makes the number drawn vary a little.
    whole = bootstrap_difference(SCORES, OTHERS)
    gapped = bootstrap_difference([*SCORES, None], [*OTHERS, None])
    assert gapped.mean == pytest.approx(whole.mean)
    width = whole.high - whole.low
    assert gapped.low == pytest.approx(whole.low, abs=0.1 * width)
    assert gapped.high == pytest.approx(whole.high, abs=0.1 * width)


def test_draws_that_leave_a_side_empty_are_passed_over() -> None:
    # A draw of two holds both, which is 1 - 0, or twice the same, which leaves a side empty.
    found = bootstrap_difference([0.0, None], [None, 1.0])
    assert (found.mean, found.low, found.high) == (1.0, 1.0, 1.0)


def test_the_same_values_give_the_same_figures() -> None:
    assert bootstrap_mean(SCORES) == bootstrap_mean(SCORES)
    assert bootstrap_mean(SCORES) != bootstrap_mean(SCORES, seed=1)


def test_wider_confidence_is_a_wider_interval() -> None:
    narrow, wide = bootstrap_mean(SCORES, confidence=0.5), bootstrap_mean(SCORES, confidence=0.99)
    assert wide.low < narrow.low < narrow.high < wide.high


def test_sets_larger_than_a_batch_are_drawn_in_parts() -> None:
    values = np.linspace(0, 1, BATCH_DRAWS // 3).tolist()
    estimate = bootstrap_mean(values, resamples=20)
    # The spread of such a mean is 0.2887 / sqrt(333,333) = 0.0005.
    assert estimate.low == pytest.approx(0.5, abs=0.003)
    assert estimate.low < estimate.high


def test_what_has_no_mean_is_refused() -> None:
    with pytest.raises(UsageError, match="at least one value"):
        bootstrap_mean([])
    with pytest.raises(UsageError, match="at least one value"):
        bootstrap_difference([None], [1.0])
    with pytest.raises(UsageError, match="1 and 2"):
        bootstrap_difference([0.5], [0.5, 0.5])
