"""Context precision: does gold come first in what an answerer is given? (Ragas; Es et al. 2023)

The precision at every rank that holds gold, averaged over those ranks. Unlike average precision it says
nothing of gold that was not found: that is `context_recall`.
"""

from __future__ import annotations

from typing import Final

from eval.metrics.gold import holds_gold, relevant
from eval.metrics.metric import Metric
from eval.outcome.row import Row

METRIC: Final = Metric(
    "context_precision",
    "context precision",
    "precision at each passage that holds gold, averaged over those passages; 0 where none does",
)


def context_precision(row: Row) -> float | None:
    """Mean of precision@i over the ranks i that hold gold, 0 without any; None where the row has no gold."""
    if not relevant(row):
        return None
    ranks = [rank for rank, holds in enumerate(holds_gold(row), start=1) if holds]
    return sum(found / rank for found, rank in enumerate(ranks, start=1)) / len(ranks) if ranks else 0.0
