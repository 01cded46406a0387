"""Gate: is the evidence good enough to answer at all?

Until a reranker judges passages, two signals do: the best cosine of the dense leg, and the IDF-weighted
share of the question's terms that the best passages hold. A logistic curve joins them into a score in
[0, 1]; its coefficients come from `python -m eval.calibrate_gate` (docs/gate.md has the table).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

COSINE_WEIGHT = 9.0
COVERAGE_WEIGHT = 5.0
BIAS = -6.8
COVERAGE_ONLY_WEIGHT = 8.0
COVERAGE_ONLY_BIAS = -3.6


@dataclass(frozen=True, slots=True)
class Verdict:
    """The gate's decision with what it rests on. `top_cosine` is None when no dense leg could read the
    question."""

    abstain: bool
    score: float
    threshold: float
    top_cosine: float | None
    coverage: float


def gate(*, top_cosine: float | None, coverage: float, threshold: float) -> Verdict:
    """Abstain when the calibrated score is below the threshold.

    Args:
        top_cosine: best cosine similarity of the dense leg in [-1, 1], or None.
        coverage: IDF-weighted share of the question's terms found, in [0, 1].
        threshold: in [0, 1]; 0 never abstains.
    """
    if top_cosine is None:
        logit = COVERAGE_ONLY_WEIGHT * coverage + COVERAGE_ONLY_BIAS
    else:
        logit = COSINE_WEIGHT * top_cosine + COVERAGE_WEIGHT * coverage + BIAS
    score = 1.0 / (1.0 + math.exp(-logit))
    return Verdict(score < threshold, score, threshold, top_cosine, coverage)
