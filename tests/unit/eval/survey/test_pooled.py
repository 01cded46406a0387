"""Two choices over several sets, each counting once."""

from __future__ import annotations

import pytest

from eval.bootstrap import bootstrap_difference
from eval.survey.pooled import pooled_difference
from prism.errors import UsageError

BETTER = ([0.0, 0.5, 1.0, None], [0.5, 0.5, 1.0, 1.0])
"""Differences 0.5, 0 and 0: mean 1/6; the last question has one value only."""
WORSE = ([1.0] * 10, [0.9] * 10)
"""Ten times 0.1 less."""


def test_sets_count_the_same_however_many_questions_they_have() -> None:
    # (1/6 - 0.1) / 2
    assert pooled_difference([BETTER, WORSE]).mean == pytest.approx((1 / 6 - 0.1) / 2)


def test_a_difference_that_is_the_same_everywhere_has_no_width() -> None:
    found = pooled_difference([WORSE, WORSE])
    assert (found.mean, found.low, found.high) == pytest.approx((-0.1, -0.1, -0.1))


def test_of_one_set_it_is_what_the_paired_bootstrap_says() -> None:
    first = [0.1 * (number % 7) for number in range(60)]
    second = [0.1 * (number % 5) + 0.1 for number in range(60)]
    alone, pooled = bootstrap_difference(first, second), pooled_difference([(first, second)])
    assert pooled.mean == pytest.approx(alone.mean)
    assert (pooled.low, pooled.high) == pytest.approx((alone.low, alone.high), abs=0.01)


def test_sets_that_agree_are_surer_together_than_each_alone() -> None:
    one = ([0.0, 0.2, 0.4, 0.6] * 5, [0.1, 0.2, 0.3, 0.9] * 5)
    alone, both = pooled_difference([one]), pooled_difference([one, one, one])
    assert both.mean == pytest.approx(alone.mean)
    assert both.high - both.low < alone.high - alone.low


def test_the_same_values_give_the_same_interval_each_time() -> None:
    assert pooled_difference([BETTER, WORSE]) == pooled_difference([BETTER, WORSE])


@pytest.mark.parametrize("pairs", [[], [([None], [1.0])]])
def test_nothing_to_compare_is_refused(pairs: list) -> None:
    with pytest.raises(UsageError):
        pooled_difference(pairs)
