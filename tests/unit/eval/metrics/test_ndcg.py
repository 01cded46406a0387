"""nDCG by hand."""

from __future__ import annotations

import math

import pytest

from eval.metrics.ranked import ranked_metrics
from tests.unit.eval.rows import make_row


def test_graded_gold_out_of_order_worked_by_hand() -> None:
    # Gains 1, 0, 3 at ranks 1, 2, 3: 1/log2(2) + 3/log2(4) = 1 + 1.5.
    # The best order: 3/log2(2) + 1/log2(3) = 3.63093.
    row = make_row(gold={"a": 3, "b": 1}, ranking=("b", "x", "a"))
    assert ranked_metrics([row])[0]["ndcg@5"] == pytest.approx(2.5 / 3.6309297535714573)


def test_best_order_is_1() -> None:
    row = make_row(gold={"a": 3, "b": 1}, ranking=("a", "b", "x"))
    assert ranked_metrics([row])[0]["ndcg@10"] == pytest.approx(1.0)


def test_gold_below_the_cutoff_does_not_count() -> None:
    # The only gold at rank 6: nothing in the first 5, 1/log2(7) in the first 10.
    values = ranked_metrics([make_row(ranking=("p", "q", "r", "s", "t", "a"))])[0]
    assert values["ndcg@5"] == 0.0
    assert values["ndcg@10"] == pytest.approx(1 / math.log2(7))


def test_best_possible_is_cut_too() -> None:
    # Six gold units, five of them first: the best that five places can do.
    values = ranked_metrics([make_row(gold=dict.fromkeys("abcdef", 1), ranking=tuple("abcde"))])[0]
    assert values["ndcg@5"] == pytest.approx(1.0)
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, 7))
    assert values["ndcg@10"] == pytest.approx((ideal - 1 / math.log2(7)) / ideal)
