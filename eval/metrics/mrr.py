"""MRR, mean reciprocal rank (Voorhees 1999): 1 / rank of the first gold unit; 0 where none was found."""

from __future__ import annotations

from typing import Final

from eval.metrics.metric import Metric

METRIC: Final = Metric(
    "mrr",
    "reciprocal rank",
    "one divided by the rank of the first gold; 0 where none was found",
    measure="RR",
)
