"""How well scores tell answerable questions from others, whatever the threshold.

The area under the ROC curve: how often an answerable question scores above one that is not, ties counting
half (Mann & Whitney 1947; Hanley & McNeil 1982). Its interval is the percentile bootstrap, answerable and
unanswerable questions drawn apart (Efron & Tibshirani 1993).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from eval.bootstrap import CONFIDENCE, SEED, Estimate
from prism.errors import UsageError

RESAMPLES: Final = 2000


def auroc(answerable: Sequence[float], others: Sequence[float]) -> Estimate:
    """The area in [0, 1] with its 95 % interval; 0.5 is chance.

    Raises:
        UsageError: one side has no scores.
    """
    if not answerable or not others:
        raise UsageError("an AUROC needs scores of answerable and of other questions")
    ours, theirs = np.asarray(answerable, dtype=np.float64), np.asarray(others, dtype=np.float64)
    differences = ours[:, None] - theirs[None, :]
    wins = ((differences > 0) + 0.5 * (differences == 0)).astype(np.float32)
    generator = np.random.default_rng(SEED)
    ours_drawn = generator.multinomial(len(ours), np.full(len(ours), 1 / len(ours)), RESAMPLES)
    theirs_drawn = generator.multinomial(len(theirs), np.full(len(theirs), 1 / len(theirs)), RESAMPLES)
    areas = ((ours_drawn.astype(np.float32) @ wins) * theirs_drawn).sum(axis=1) / wins.size
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(areas, (tail, 1 - tail))
    return Estimate(float(wins.mean(dtype=np.float64)), float(low), float(high))
