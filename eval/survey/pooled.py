"""How far two choices are apart over several sets, each counting once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from eval.bootstrap import CONFIDENCE, RESAMPLES, SEED, Estimate
from prism.errors import UsageError

Values = Sequence[float | None]
"""A measure of every question of a set, None where it has none."""


def pooled_difference(pairs: Sequence[tuple[Values, Values]]) -> Estimate:
    """The mean over sets of (second less first), with the interval of a stratified bootstrap: questions are
    drawn within their sets, so that a large set weighs no more than a small one (Efron & Tibshirani 1993,
    chapter 8).

    Args:
        pairs: for each set both choices' values, over the same questions in the same order.

    Raises:
        UsageError: there are no sets, or one has no question with both values.
    """
    if not pairs:
        raise UsageError("a pooled difference needs at least one set")
    random = np.random.default_rng(SEED)
    observed, drawn = [], np.zeros(RESAMPLES)
    for first, second in pairs:
        differences = np.array(
            [b - a for a, b in zip(first, second, strict=True) if a is not None and b is not None]
        )
        if not len(differences):
            raise UsageError("a set has no question with both values; leave it out")
        observed.append(differences.mean())
        drawn += random.choice(differences, (RESAMPLES, len(differences))).mean(axis=1)
    outside = (1 - CONFIDENCE) / 2 * 100
    low, high = np.percentile(drawn / len(pairs), [outside, 100 - outside])
    return Estimate(float(np.mean(observed)), float(low), float(high))
