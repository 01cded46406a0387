"""How sure a mean over questions is, and a difference of two: the percentile bootstrap.

Questions are drawn with replacement, as many as there are, ten thousand times; the interval holds the middle
95 % of what comes out (Efron & Tibshirani 1993, chapter 13). Two systems are compared on the same drawn
questions, since how hard a question is weighs more than which system answered it (Smucker, Allan & Carterette
2007). Draws start from a fixed seed: the same values give the same figures on every run.

One value, or values all alike, show no spread; their interval has no width. That is no certainty, only the
absence of anything to judge by.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from prism.errors import UsageError

RESAMPLES: Final = 10_000
"""Enough for the ends of a 95 % interval to be steady to two digits (Efron & Tibshirani 1993, 13.3)."""

CONFIDENCE: Final = 0.95
SEED: Final = 2007
BATCH_DRAWS: Final = 1_000_000
"""Questions drawn at a time: 8 MB of places and 8 MB of values, however large the set."""

ROUNDING: Final = 1e-12
"""Differences of means below this are rounding."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and the ends of its interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Difference:
    """How much higher the second mean is than the first, with the interval.

    `p_value`: how often chance alone would bring a difference as large, were there none.
    """

    mean: float
    low: float
    high: float
    p_value: float


def bootstrap_mean(
    values: Sequence[float], *, resamples: int = RESAMPLES, confidence: float = CONFIDENCE, seed: int = SEED
) -> Estimate:
    """The mean of some values, one a question, with its percentile interval.

    Raises:
        UsageError: there are no values.
    """
    if not values:
        raise UsageError("a mean needs at least one value; leave the measure out where no question has one")
    given = np.asarray(values, dtype=np.float64)
    if given.min() == given.max():
        # Summing copies of one value and dividing may miss it by a rounding.
        return Estimate(float(given[0]), float(given[0]), float(given[0]))
    means = np.concatenate([given[drawn].mean(axis=1) for drawn in _draws(len(given), resamples, seed)])
    return Estimate(float(given.mean()), *_interval(means, confidence))


def bootstrap_difference(
    first: Sequence[float | None],
    second: Sequence[float | None],
    *,
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
    seed: int = SEED,
) -> Difference:
    """The second mean less the first, over the same questions in the same order.

    A figure may be about some questions only (precision among the refused): None leaves a question out of
    that side's mean, and draws that leave a side empty are passed over. The p value is that of the shift
    method: the share of draws as far from the observed difference as that is from 0, the observed one counted
    as a draw so that it is never 0 (Davison & Hinkley 1997, 4.2).

    Raises:
        UsageError: the sides are of different length, or one has no value.
    """
    if len(first) != len(second):
        raise UsageError(f"pairs are needed, not {len(first)} and {len(second)} values")
    sides = (_with_gaps(first), _with_gaps(second))
    observed = _mean_over(*sides[1]) - _mean_over(*sides[0])
    drawn = _draws(len(first), resamples, seed)
    differences = np.concatenate([_differences(*sides[0], *sides[1], places) for places in drawn])
    if not len(differences):
        return Difference(observed, observed, observed, 1.0)
    as_far = np.count_nonzero(np.abs(differences - observed) >= abs(observed) - ROUNDING)
    p_value = (as_far + 1) / (len(differences) + 1)
    return Difference(observed, *_interval(differences, confidence), float(p_value))


def _draws(questions: int, resamples: int, seed: int) -> Iterator[NDArray[np.int64]]:
    """Places of drawn questions, a row a resample, in batches that fit into memory."""
    generator = np.random.default_rng(seed)
    batch = max(1, BATCH_DRAWS // questions)
    for begin in range(0, resamples, batch):
        yield generator.integers(questions, size=(min(batch, resamples - begin), questions))


def _interval(drawn: NDArray[np.float64], confidence: float) -> tuple[float, float]:
    tail = (1 - confidence) / 2
    low, high = np.quantile(drawn, (tail, 1 - tail))
    return float(low), float(high)


def _with_gaps(values: Sequence[float | None]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    present = np.array([value is not None for value in values], dtype=np.bool_)
    if not present.any():
        raise UsageError("a mean needs at least one value; leave the measure out where no question has one")
    return np.array([0.0 if value is None else value for value in values]), present


def _differences(
    first: NDArray[np.float64],
    in_first: NDArray[np.bool_],
    second: NDArray[np.float64],
    in_second: NDArray[np.bool_],
    places: NDArray[np.int64],
) -> NDArray[np.float64]:
    """A difference of means for each row of drawn places, less the rows that leave a side empty."""
    if in_first.all() and in_second.all():
        # The same, and one look-up of all draws instead of four.
        paired: NDArray[np.float64] = (second - first)[places].mean(axis=1)
        return paired
    counts_first, counts_second = in_first[places].sum(axis=1), in_second[places].sum(axis=1)
    usable = (counts_first > 0) & (counts_second > 0)
    sums_first, sums_second = first[places].sum(axis=1), second[places].sum(axis=1)
    found: NDArray[np.float64] = (
        sums_second[usable] / counts_second[usable] - sums_first[usable] / counts_first[usable]
    )
    return found


def _mean_over(values: NDArray[np.float64], present: NDArray[np.bool_]) -> float:
    return float(values.sum() / present.sum())
