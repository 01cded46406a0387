"""MAP, mean average precision (Buckley & Voorhees 2000; Manning, Raghavan & Schütze 2008, 8.4).

The precision at the rank of each gold unit, summed and divided by the number of *all* gold units, so that
one not found counts as 0.
"""

from __future__ import annotations

from typing import Final

from eval.metrics.metric import Metric

METRIC: Final = Metric(
    "map",
    "average precision",
    "precision at the rank of each gold, averaged over all gold; what was not found counts as 0",
    measure="AP",
)
