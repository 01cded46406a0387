"""Fewer repetitions where each of them takes minutes."""

from __future__ import annotations

import pytest

from eval.bench.schedule import schedule_for


@pytest.mark.parametrize("leaves", [100, 1000, 10_000])
def test_small_indexes_are_changed_and_opened_several_times(leaves: int) -> None:
    schedule = schedule_for(leaves)
    assert schedule.changes >= 3
    assert schedule.reopenings >= 3


def test_large_indexes_are_changed_at_least_once() -> None:
    assert 1 <= schedule_for(100_000).changes <= schedule_for(10_000).changes


def test_questions_are_many_enough_for_a_95th_percentile() -> None:
    assert min(schedule_for(leaves).questions for leaves in (1000, 100_000)) >= 100
