"""What a calibration does on observed questions: areas under the curve, and what thresholds let through."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, Literal

from eval.bootstrap import Estimate
from eval.calibrate.auroc import auroc
from eval.calibrate.fit import can_fit, false_answer_rate, fit_curve, passed_share
from eval.calibrate.folds import folds_of
from eval.calibrate.kinds import ANSWERABLE, KINDS, REFUSABLE, Kind
from eval.calibrate.observe import Observation
from prism.query.calibration import Calibration

THRESHOLDS: Final = tuple(number / 20 for number in range(1, 20))
"""Those of the operating curve, besides the one chosen: .05 to .95."""

ALL_SETS: Final = "all sets"

Scores = Mapping[Kind, Sequence[float]]


@dataclass(frozen=True, slots=True)
class Observed:
    """A set's questions as the gate saw them, and what the set is."""

    name: str
    fingerprint: str
    documents: int
    leaves: int
    observations: tuple[Observation, ...]

    def count(self, kind: Kind) -> int:
        """How many questions are of this kind."""
        return sum(item.kind == kind for item in self.observations)


@dataclass(frozen=True, slots=True)
class Area:
    """How well a set's answerable questions are told from those of each kind, None where that is not known.

    `fitted_on`: no curve has seen the questions that it tells apart. It was fitted on those of all sets that
    are on other documents (in folds), or on the other sets alone.
    """

    set: str
    fitted_on: Literal["other documents", "other sets"]
    by_kind: Mapping[Kind, Estimate | None]


@dataclass(frozen=True, slots=True)
class Point:
    """What a threshold does: the share of the answerable that passes, and of each other kind that is refused,
    None where there are none."""

    threshold: float
    passed: float | None
    refused: Mapping[Kind, float | None]
    false_answer_rate: float


def scores_of(calibration: Calibration, observations: Sequence[Observation]) -> dict[Kind, list[float]]:
    """The probabilities that the calibration gives, by kind."""
    return {
        kind: [calibration.judge(item.features) for item in observations if item.kind == kind]
        for kind in KINDS
    }


def areas(
    calibration: Calibration, observed: Sequence[Observed], weights: Mapping[Kind, float]
) -> list[Area]:
    """Of every set and of all together by curves fitted on other documents, and of every set by curves fitted
    on the other sets, as far as these can teach them.

    Args:
        calibration: says which features its curves are over; they are fitted anew.
    """
    names = [tuple(curve.coefficients) for curve in calibration.curves]
    judged = _held_out([each for item in observed for each in item.observations], names, weights)
    in_order = iter(judged)
    found = [
        Area(item.name, "other documents", _by_kind(list(islice(in_order, len(item.observations)))))
        for item in observed
    ]
    for left_out in observed if len(observed) > 1 else ():
        others = [each for item in observed if item is not left_out for each in item.observations]
        if fitted := _fitted(others, names, weights):
            scores = [(each.kind, fitted.judge(each.features)) for each in left_out.observations]
            found.append(Area(left_out.name, "other sets", _by_kind(scores)))
    return [*found, Area(ALL_SETS, "other documents", _by_kind(judged))]


def operating_curve(
    scores: Scores, thresholds: Sequence[float], weights: Mapping[Kind, float]
) -> list[Point]:
    """What each threshold does, ascending."""
    return [point_at(scores, threshold, weights) for threshold in sorted(set(thresholds))]


def point_at(scores: Scores, threshold: float, weights: Mapping[Kind, float]) -> Point:
    """What a threshold does."""
    passed = {kind: passed_share(scores[kind], threshold) for kind in KINDS}
    return Point(
        threshold=threshold,
        passed=passed[ANSWERABLE],
        refused={kind: None if (share := passed[kind]) is None else 1 - share for kind in REFUSABLE},
        false_answer_rate=false_answer_rate(scores, threshold, weights),
    )


def _held_out(
    observations: Sequence[Observation], names: Sequence[Sequence[str]], weights: Mapping[Kind, float]
) -> list[tuple[Kind, float]]:
    """Kind and score of each question, by curves that no question on its documents had a part in; none at all
    where what is left without them cannot teach a curve."""
    scores: dict[int, float] = {}
    for fold in folds_of([item.documents for item in observations]):
        held_out = frozenset(fold)
        rest = [item for place, item in enumerate(observations) if place not in held_out]
        fitted = _fitted(rest, names, weights)
        if fitted is None:
            return []
        scores |= {place: fitted.judge(observations[place].features) for place in fold}
    return [(observations[place].kind, scores[place]) for place in sorted(scores)]


def _fitted(
    observations: Sequence[Observation], names: Sequence[Sequence[str]], weights: Mapping[Kind, float]
) -> Calibration | None:
    """The curves that these can teach; areas need no threshold."""
    curves = tuple(fit_curve(observations, each, weights) for each in names if can_fit(observations, each))
    return Calibration(curves, threshold=0.0, made_under=None, provenance={}) if curves else None


def _by_kind(judged: Sequence[tuple[Kind, float]]) -> Mapping[Kind, Estimate | None]:
    scores = {kind: [score for its, score in judged if its == kind] for kind in KINDS}
    ours = scores[ANSWERABLE]
    return {kind: auroc(ours, scores[kind]) if ours and scores[kind] else None for kind in REFUSABLE}
