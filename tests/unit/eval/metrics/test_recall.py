"""Recall by hand."""

from __future__ import annotations

import pytest

from eval.metrics.ranked import ranked_metrics
from tests.unit.eval.rows import make_row


def test_share_of_gold_in_the_first_k_worked_by_hand() -> None:
    # Gold a b c d; a at rank 1, b at 4, c at 6, d nowhere: 1/4, 1/4, 2/4, 3/4, 3/4.
    row = make_row(gold=dict.fromkeys("abcd", 1), ranking=("a", "x", "y", "b", "z", "c"))
    values = ranked_metrics([row])[0]
    found = [values[f"recall@{k}"] for k in (1, 3, 5, 10, 20)]
    assert found == pytest.approx([0.25, 0.25, 0.5, 0.75, 0.75])


def test_more_gold_than_k_keeps_recall_below_1() -> None:
    values = ranked_metrics([make_row(gold={"a": 1, "b": 1}, ranking=("a", "b"))])[0]
    assert values["recall@1"] == pytest.approx(0.5)
    assert values["recall@3"] == pytest.approx(1.0)


def test_grades_do_not_weigh() -> None:
    values = ranked_metrics([make_row(gold={"a": 3, "b": 1}, ranking=("b",))])[0]
    assert values["recall@5"] == pytest.approx(0.5)
