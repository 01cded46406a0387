"""What a calibration does on observed questions: areas under the curve, and what thresholds let through."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from eval.bootstrap import Estimate
from eval.calibrate.auroc import auroc
from eval.calibrate.fit import can_fit, false_answer_rate, fit_curve, passed_share
from eval.calibrate.kinds import ANSWERABLE, KINDS, REFUSABLE, Kind
from eval.calibrate.observe import Observation
from prism.query.calibration import Calibration, Curve

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
    """How well a set's answerable questions are told from those of each kind, None where it has none.

    `is_held_out`: the curve was fitted on the other sets alone.
    """

    set: str
    is_held_out: bool
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
    """Of every set, of every set by curves fitted on the others (as far as these can teach them), and of all
    sets together."""
    found = [_area(item.name, calibration, item.observations) for item in observed]
    for left_out in observed if len(observed) > 1 else ():
        others = [each for item in observed if item is not left_out for each in item.observations]
        names = [tuple(curve.coefficients) for curve in calibration.curves]
        curves = tuple(fit_curve(others, each, weights) for each in names if can_fit(others, each))
        if curves:
            found.append(_area(left_out.name, _with(curves), left_out.observations, is_held_out=True))
    everything = [each for item in observed for each in item.observations]
    return [*found, _area(ALL_SETS, calibration, everything)]


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


def _area(
    name: str, calibration: Calibration, observations: Sequence[Observation], *, is_held_out: bool = False
) -> Area:
    scores = scores_of(calibration, observations)
    ours = scores[ANSWERABLE]
    return Area(
        set=name,
        is_held_out=is_held_out,
        by_kind={kind: auroc(ours, scores[kind]) if ours and scores[kind] else None for kind in REFUSABLE},
    )


def _with(curves: tuple[Curve, ...]) -> Calibration:
    """Areas need no threshold."""
    return Calibration(curves, threshold=0.0, made_under=None, provenance={})
