"""Percentiles by the nearest rank."""

from __future__ import annotations

from eval.metrics.latency import latency
from tests.unit.eval.rows import make_row


def test_nearest_rank_of_a_hundred_and_one_times() -> None:
    # Of 1 to 101 ms: ceil(50.5) = 51st, ceil(95.95) = 96th, ceil(99.99) = 100th, whatever their order.
    rows = [make_row(timings_ms={"total": float(ms)}) for ms in range(101, 0, -1)]
    assert latency(rows) == {"total": {"p50": 51.0, "p95": 96.0, "p99": 100.0}}


def test_nearest_rank_of_few_times_is_one_of_them() -> None:
    # Of 10, 20, 30, 40: ceil(2) = 2nd, ceil(3.8) = 4th, ceil(3.96) = 4th.
    rows = [make_row(timings_ms={"rerank": ms}) for ms in (40.0, 10.0, 30.0, 20.0)]
    assert latency(rows)["rerank"] == {"p50": 20.0, "p95": 40.0, "p99": 40.0}


def test_a_stage_that_ran_once_is_told_of_that_once() -> None:
    rows = [make_row(timings_ms={"retrieve": 5.0, "total": 6.0}), make_row(timings_ms={"total": 2.0})]
    assert latency(rows) == {
        "retrieve": {"p50": 5.0, "p95": 5.0, "p99": 5.0},
        "total": {"p50": 2.0, "p95": 6.0, "p99": 6.0},
    }
    assert list(latency(rows)) == ["retrieve", "total"]


def test_failed_questions_say_nothing_of_speed() -> None:
    assert latency([make_row(timings_ms={"total": 9.0}, error="SearchError: disk gone")]) == {}


def test_no_rows_no_figures() -> None:
    assert latency([]) == {}
