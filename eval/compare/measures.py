"""Each measure in both results: the means, their difference, and whether it can be believed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from eval.bootstrap import Difference, bootstrap_difference
from eval.compare.pairing import Pair
from eval.metrics.catalogue import CATALOGUE, describe
from eval.metrics.metric import Metric
from eval.metrics.refusal import is_judged, refusal

Verdict = Literal["better", "worse", "higher", "lower", "no evidence"]

NO_EVIDENCE: Final = "no evidence"
LEAST_QUESTIONS: Final = 6
"""With fewer pairs nothing is evidence: even if all five changed the same way, that has a chance of
2 / 2**5 = 6 % where there is no difference (sign test), while an interval over them may have no width."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A measure over the questions that have a value of it in both results.

    `verdict` is B's: `better` or `worse` when the interval of the difference excludes 0, `higher` or `lower`
    for a measure that has no good direction.
    """

    metric: Metric
    questions: int
    mean_a: float
    mean_b: float
    difference: Difference
    verdict: Verdict


def compare_measures(pairs: Sequence[Pair]) -> tuple[Measured, ...]:
    """Every measure that both have, in the order of the catalogue.

    Refusal figures are over the questions judged in both. Each counts the questions it is about: refusal
    precision those that A refused in A's mean and those that B refused in B's; `questions` is then the
    smaller number.
    """
    found: dict[str, tuple[list[float | None], list[float | None]]] = {}
    for pair in pairs:
        for name, values in _both(pair).items():
            for column, value in zip(found.setdefault(name, ([], [])), values, strict=True):
                column.append(value)
    names = sorted(
        found, key=lambda name: list(CATALOGUE).index(name) if name in CATALOGUE else len(CATALOGUE)
    )
    measured = (_measured(describe(name), *found[name]) for name in names)
    return tuple(item for item in measured if item is not None)


def judge(metric: Metric, difference: Difference, questions: int) -> Verdict:
    """What a difference says of B."""
    if questions < LEAST_QUESTIONS or difference.low <= 0 <= difference.high:
        return NO_EVIDENCE
    is_higher = difference.low > 0
    if metric.higher_is_better is None:
        return "higher" if is_higher else "lower"
    return "better" if is_higher is metric.higher_is_better else "worse"


def _both(pair: Pair) -> Mapping[str, tuple[float | None, float | None]]:
    a, b = pair.a.metrics, pair.b.metrics
    values = {name: (a[name], b[name]) for name in a if a[name] is not None and b.get(name) is not None}
    if not (is_judged(pair.a) and is_judged(pair.b)):
        return values
    refusals_a, refusals_b = refusal(pair.a), refusal(pair.b)
    return {**values, **{name: (refusals_a[name], refusals_b[name]) for name in refusals_a}}


def _measured(metric: Metric, a: Sequence[float | None], b: Sequence[float | None]) -> Measured | None:
    known = [[value for value in side if value is not None] for side in (a, b)]
    if not all(known):
        return None
    questions = min(len(side) for side in known)
    difference = bootstrap_difference(a, b)
    mean_a, mean_b = (sum(side) / len(side) for side in known)
    return Measured(metric, questions, mean_a, mean_b, difference, judge(metric, difference, questions))
