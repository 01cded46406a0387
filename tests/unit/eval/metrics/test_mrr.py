"""Reciprocal rank by hand."""

from __future__ import annotations

import pytest

from eval.metrics.ranked import ranked_metrics
from tests.unit.eval.rows import make_row


@pytest.mark.parametrize(
    ("ranking", "expected"),
    [("ax", 1.0), ("xa", 1 / 2), ("xyzab", 1 / 4), ("bxa", 1.0), ("xyz", 0.0), ("", 0.0)],
)
def test_one_divided_by_the_rank_of_the_first_gold(ranking: str, expected: float) -> None:
    row = make_row(gold={"a": 1, "b": 2}, ranking=tuple(ranking))
    assert ranked_metrics([row])[0]["mrr"] == pytest.approx(expected)


def test_gold_beyond_every_cutoff_still_counts() -> None:
    row = make_row(ranking=(*(f"x{place}" for place in range(39)), "a"))
    assert ranked_metrics([row])[0]["mrr"] == pytest.approx(1 / 40)
