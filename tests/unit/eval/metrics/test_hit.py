"""Hits by hand."""

from __future__ import annotations

import pytest

from eval.metrics.ranked import ranked_metrics
from tests.unit.eval.rows import make_row


@pytest.mark.parametrize(
    ("rank", "expected"),
    [
        (1, [1.0, 1.0, 1.0, 1.0]),
        (3, [0.0, 1.0, 1.0, 1.0]),
        (4, [0.0, 0.0, 1.0, 1.0]),
        (10, [0.0, 0.0, 0.0, 1.0]),
        (11, [0.0, 0.0, 0.0, 0.0]),
    ],
)
def test_any_gold_in_the_first_1_3_5_10(rank: int, expected: list[float]) -> None:
    ranking = (*(f"x{place}" for place in range(1, rank)), "a", "b")
    values = ranked_metrics([make_row(gold={"a": 1, "never": 1}, ranking=ranking)])[0]
    assert [values[f"hit@{k}"] for k in (1, 3, 5, 10)] == expected
