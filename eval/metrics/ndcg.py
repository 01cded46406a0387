"""nDCG@k, normalized discounted cumulative gain (Järvelin & Kekäläinen 2002), as trec_eval works it out.

A unit of grade g at rank r gives g / log2(r + 1). The sum over the first k ranks is divided by the most it
could be, that of all gold in order of grade.
"""

from __future__ import annotations

from typing import Final

from eval.metrics.metric import Metric

CUTOFFS: Final = (5, 10, 20)
METRICS: Final = tuple(
    Metric(
        f"ndcg@{k}",
        f"nDCG in the first {k}",
        f"how near the order of the first {k} comes to the best possible one; higher grades count more, "
        "deeper ranks less",
        measure=f"nDCG@{k}",
    )
    for k in CUTOFFS
)
