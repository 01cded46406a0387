"""recall@k: the share of the gold units among the first k (Manning, Raghavan & Schütze 2008, 8.3)."""

from __future__ import annotations

from typing import Final

from eval.metrics.metric import Metric

CUTOFFS: Final = (1, 3, 5, 10, 20)
METRICS: Final = tuple(
    Metric(
        f"recall@{k}",
        f"recall in the first {k}" if k > 1 else "recall in first place",
        f"share of the gold that is among the first {k}",
        measure=f"R@{k}",
    )
    for k in CUTOFFS
)
