"""The calibration as Markdown: the features, how well they tell, the curve, and what thresholds do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from eval.bootstrap import Estimate
from eval.calibrate.kinds import ANSWERABLE, KINDS, REFUSABLE
from eval.calibrate.measure import Area, Observed, Point, Scores
from eval.calibrate.wilson import wilson
from eval.wording.escape import as_markdown
from eval.wording.figures import NONE, decimal, percent, share
from prism.query.calibration import Calibration

QUANTILES: Final = (0.05, 0.5, 0.95)


def calibration_tables(
    calibration: Calibration, observed: Sequence[Observed], areas: Sequence[Area], points: Sequence[Point]
) -> str:
    """All tables."""
    parts = [
        *_questions(observed),
        "",
        *_features(observed),
        "",
        *_curves(calibration),
        "",
        *_areas(areas),
        "",
        *_points(points, calibration.threshold),
    ]
    return "\n".join(parts) + "\n"


def judged_table(threshold: float, judged: Mapping[str, Scores]) -> str:
    """By set: how many questions of each kind the threshold treats rightly, with the share's interval."""
    lines = [
        f"At threshold {decimal(threshold)}, with 95 % intervals (Wilson):",
        "",
        f"| set | answerable passed | {' | '.join(f'{kind} refused' for kind in REFUSABLE)} |",
        f"|---|---|{'---|' * len(REFUSABLE)}",
    ]
    for name, scores in judged.items():
        cells = [_rightly(scores[kind], threshold, passing=kind == ANSWERABLE) for kind in KINDS]
        lines.append(f"| {as_markdown(name)} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _questions(observed: Sequence[Observed]) -> Iterator[str]:
    yield f"| set | documents | leaves | {' | '.join(KINDS)} |"
    yield f"|---|---|---|{'---|' * len(KINDS)}"
    for item in observed:
        counts = " | ".join(str(item.count(kind) or NONE) for kind in KINDS)
        yield f"| {as_markdown(item.name)} | {item.documents:,} | {item.leaves:,} | {counts} |"


def _features(observed: Sequence[Observed]) -> Iterator[str]:
    everything = [each for item in observed for each in item.observations]
    names = dict.fromkeys(name for item in everything for name in item.features)
    yield f"| feature, 5 / 50 / 95 % | {' | '.join(KINDS)} |"
    yield f"|---|{'---|' * len(KINDS)}"
    for name in names:
        cells = []
        for kind in KINDS:
            held = [item.features.get(name) for item in everything if item.kind == kind]
            cells.append(_spread([value for value in held if value is not None]))
        yield f"| {as_markdown(name)} | {' | '.join(cells)} |"


def _spread(values: Sequence[float]) -> str:
    if not values:
        return NONE
    return " / ".join(f"{value:.2f}" for value in np.quantile(np.asarray(values), QUANTILES))


def _curves(calibration: Calibration) -> Iterator[str]:
    for number, curve in enumerate(calibration.curves):
        terms = " ".join(f"{weight:+.2f} · {name}" for name, weight in curve.coefficients.items())
        where = "where a feature of it is absent: " if number else ""
        yield f"- {where}`{f'{terms} {curve.bias:+.2f}'.removeprefix('+').replace('-', '−')}`"


def _areas(areas: Sequence[Area]) -> Iterator[str]:
    yield f"| AUROC of | by curves fitted on | {' | '.join(REFUSABLE)} |"
    yield f"|---|---|{'---|' * len(REFUSABLE)}"
    for area in areas:
        cells = " | ".join(_interval(area.by_kind[kind]) for kind in REFUSABLE)
        yield f"| {as_markdown(area.set)} | {area.fitted_on} | {cells} |"


def _points(points: Sequence[Point], chosen: float) -> Iterator[str]:
    refused = " | ".join(f"{kind} refused" for kind in REFUSABLE)
    yield f"| threshold | answerable passed | {refused} | false answers |"
    yield f"|---|---|{'---|' * len(REFUSABLE)}---|"
    for point in points:
        shown = f"{point.threshold:.3f}" if point.threshold == chosen else f"{point.threshold:.2f}"
        mark = "**" if point.threshold == chosen else ""
        shares = [point.passed, *(point.refused[kind] for kind in REFUSABLE), point.false_answer_rate]
        cells = " | ".join(NONE if value is None else decimal(value) for value in shares)
        yield f"| {mark}{shown}{mark} | {cells} |"


def _interval(estimate: Estimate | None) -> str:
    if estimate is None:
        return NONE
    return f"{decimal(estimate.mean)} ({decimal(estimate.low)} to {decimal(estimate.high)})"


def _rightly(scores: Sequence[float], threshold: float, *, passing: bool) -> str:
    if not scores:
        return NONE
    right = sum((score >= threshold) == passing for score in scores)
    low, high = wilson(right, len(scores))
    return f"{share(right, len(scores))}, {percent(low)} to {percent(high)}"
