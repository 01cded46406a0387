"""How long questions take: p50, p95 and p99 of each stage and of the whole, in milliseconds.

By the nearest-rank method: the p-th percentile of n times is the ceil(p n / 100)-th smallest (Hyndman & Fan
1996, definition 1). It is always a time that was measured, never one between two; of fewer than a hundred
questions the p99 is the slowest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from eval.outcome.row import Row

PERCENTS: Final = (50, 95, 99)


def latency(rows: Sequence[Row]) -> Mapping[str, Mapping[str, float]]:
    """Milliseconds by stage and `p50`, `p95`, `p99`, over the questions in which the stage ran.

    Stages come in the order in which they ran. Questions that failed are left out: where they broke off says
    nothing of speed.
    """
    spent_ms: dict[str, list[float]] = {}
    for row in rows:
        if not row.error:
            for stage, stage_ms in row.timings_ms.items():
                spent_ms.setdefault(stage, []).append(stage_ms)
    return {stage: _percentiles(values) for stage, values in spent_ms.items()}


def _percentiles(values: Sequence[float]) -> Mapping[str, float]:
    found = np.percentile(values, PERCENTS, method="inverted_cdf")
    return {f"p{percent}": float(value) for percent, value in zip(PERCENTS, found, strict=True)}
