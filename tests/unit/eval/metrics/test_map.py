"""Average precision by hand."""

from __future__ import annotations

import pytest

from eval.metrics.ranked import ranked_metrics
from tests.unit.eval.rows import make_row


def test_precision_at_each_gold_over_all_gold_worked_by_hand() -> None:
    # Gold at ranks 1, 3 and 6: (1/1 + 2/3 + 3/6) / 3 = 0.72222.
    row = make_row(gold=dict.fromkeys("abc", 1), ranking=("a", "x", "b", "y", "z", "c"))
    assert ranked_metrics([row])[0]["map"] == pytest.approx(13 / 18)


def test_gold_that_was_not_found_counts_as_0() -> None:
    # (1/1 + 2/2 + 0) / 3
    row = make_row(gold=dict.fromkeys("abc", 1), ranking=("a", "b"))
    assert ranked_metrics([row])[0]["map"] == pytest.approx(2 / 3)
