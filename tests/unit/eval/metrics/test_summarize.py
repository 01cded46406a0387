"""Means over the questions that have a value."""

from __future__ import annotations

import math

import pytest

from eval.metrics.score import score
from eval.metrics.summarize import count, summarize
from eval.outcome.result import Summary
from tests.unit.eval.rows import make_row

ROWS = score(
    [
        make_row("q1", ranking=("a",)),
        make_row("q2", ranking=("x", "a")),
        make_row("q3", ranking=()),
        make_row("q4", unscorable="the page is missing", ranking=("a",)),
        make_row("q5", gold={}, answerable=False),
    ]
)


def test_mean_is_over_the_questions_with_a_value() -> None:
    # 1, 1/2 and 0; the unscorable and the unanswerable have none.
    summary = summarize(ROWS)["mrr"]
    assert (summary.mean, summary.questions) == (pytest.approx(0.5), 3)
    assert 0.0 <= summary.low < summary.mean < summary.high <= 1.0


def test_measures_without_any_value_are_left_out() -> None:
    summaries = summarize(ROWS)
    assert "expected@5" not in summaries  # the set expects nothing
    assert "abstain_rate" not in summaries  # nothing was judged


def test_one_question_has_an_interval_of_no_width() -> None:
    assert summarize(score([make_row(ranking=("a",))]))["mrr"] == Summary(1.0, 1.0, 1.0, 1)


def test_all_unscorable_or_empty_gives_no_figures_and_no_nan() -> None:
    assert summarize(score([make_row(unscorable="no such file")])) == {}
    assert summarize([]) == {}


def test_figures_are_numbers() -> None:
    for summary in summarize(ROWS).values():
        assert all(math.isfinite(value) for value in (summary.mean, summary.low, summary.high))


def test_same_rows_same_figures() -> None:
    assert summarize(ROWS) == summarize(ROWS)


def test_counts_worked_by_hand() -> None:
    rows = [*ROWS, make_row("q6", error="SearchError: disk gone")]
    # Asked 6; gold that can be found: q1, q2, q3, q6.
    assert count(rows) == {"asked": 6, "scored": 4, "unscorable": 1, "failed": 1}
