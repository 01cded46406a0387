"""precision@5 of the passages an answerer was given (Manning, Raghavan & Schütze 2008, 8.3).

Always divided by 5: a question with two passages, both gold, has 0.4. That is what precision at a fixed
cutoff means in trec_eval, and a search cannot gain by finding less.
"""

from __future__ import annotations

from typing import Final

from eval.metrics.gold import holds_gold, passages, relevant
from eval.metrics.metric import Metric
from eval.outcome.row import Row

CUTOFF: Final = 5
PRECISION: Final = Metric(
    f"precision@{CUTOFF}",
    f"precision of the first {CUTOFF} passages",
    f"passages among the first {CUTOFF} that hold gold, divided by {CUTOFF}",
)
EXPECTED: Final = Metric(
    f"expected@{CUTOFF}",
    f"as expected in the first {CUTOFF} passages",
    f"passages among the first {CUTOFF} from an expected source or with an expected keyword, "
    f"divided by {CUTOFF}",
)
METRICS: Final = (PRECISION, EXPECTED)


def precision(row: Row) -> float | None:
    """The share of five passages that hold a gold unit; None where the row has no gold."""
    return sum(holds_gold(row)[:CUTOFF]) / CUTOFF if relevant(row) else None


def expected(row: Row) -> float | None:
    """The share of five passages that are as expected; None where nothing is expected or it is unscorable."""
    names_any = row.names_expected or any(passage.expected is not None for passage in row.passages)
    if row.unscorable or not names_any:
        return None
    return sum(passage.expected is True for passage in passages(row)[:CUTOFF]) / CUTOFF
