"""hit@k, also success@k: 1 where any gold unit is among the first k, else 0 (Craswell & Hawking 2004)."""

from __future__ import annotations

from typing import Final

from eval.metrics.metric import Metric

CUTOFFS: Final = (1, 3, 5, 10)
METRICS: Final = tuple(
    Metric(
        f"hit@{k}",
        f"hit in the first {k}" if k > 1 else "hit in first place",
        f"share of questions with at least one gold among the first {k}",
        measure=f"Success@{k}",
    )
    for k in CUTOFFS
)
