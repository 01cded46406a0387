"""How much better, how sure: paired ratios with intervals.

Builds take turns, so that each repetition gives one ratio under the same conditions. Ratios are averaged as
logarithms (twice as fast and half as fast cancel out), with Student's t interval of 95 %.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from prism.errors import UsageError

CONFIDENCE = 0.95

Better = Literal["lower", "higher"]
Verdict = Literal["ahead", "even", "behind"]


@dataclass(frozen=True, slots=True)
class Ratio:
    """How many times better Prism is (2.0: half the time, or twice the rate), with its interval."""

    mean: float
    low: float
    high: float


def advantage(prism: Sequence[float], plain: Sequence[float], better: Better) -> Ratio:
    """Geometric mean of the paired ratios, above 1 where Prism is better, with its interval.

    One pair has no interval: it reaches from 0 to infinity.

    Raises:
        UsageError: the lists are empty or of different length, or a value is not positive.
    """
    if not prism or len(prism) != len(plain):
        raise UsageError(f"pairs are needed, not {len(prism)} and {len(plain)} values")
    if min(*prism, *plain) <= 0:
        raise UsageError("ratios need positive values; a quantity of zero cannot be compared so")
    logs = np.log(np.asarray(plain) / np.asarray(prism))
    if better == "higher":
        logs = -logs
    mean = float(logs.mean())
    if len(logs) == 1:
        return Ratio(math.exp(mean), 0.0, math.inf)
    # Slow to import, and the processes that measure need percentiles only.
    from scipy import stats  # type: ignore[import-untyped]

    error = float(logs.std(ddof=1)) / math.sqrt(len(logs))
    reach = float(stats.t.ppf((1 + CONFIDENCE) / 2, len(logs) - 1)) * error
    return Ratio(math.exp(mean), math.exp(mean - reach), math.exp(mean + reach))


def verdict(ratio: Ratio) -> Verdict:
    """`ahead` or `behind` when the whole interval says so, else `even`."""
    if ratio.low > 1:
        return "ahead"
    return "behind" if ratio.high < 1 else "even"


def percentile(values: Sequence[float], percent: float) -> float:
    """The percentile of some values, between two of them in proportion."""
    return float(np.percentile(np.asarray(values), percent))
