"""Context recall: the share of the gold that an answerer was given (Ragas; Es et al. 2023).

Ragas has a language model attribute the claims of a reference answer; labelled units need none.
"""

from __future__ import annotations

from typing import Final

from eval.metrics.gold import passages, relevant
from eval.metrics.metric import Metric
from eval.outcome.row import Row

METRIC: Final = Metric(
    "context_recall", "context recall", "share of the gold that is in the passages of the answer"
)


def context_recall(row: Row) -> float | None:
    """Gold units held by any passage, divided by all; None where the row has no gold."""
    gold = relevant(row)
    if not gold:
        return None
    held = {unit for passage in passages(row) for unit in passage.units}
    return len(gold.keys() & held) / len(gold)
