"""Fit the logistic curve, and list what each threshold would let through."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from sklearn.linear_model import LogisticRegression

from eval.calibrate.kinds import ANSWERABLE, KINDS, REFUSABLE, Kind
from eval.calibrate.observe import Observation
from prism.errors import UsageError
from prism.query.calibration import Curve

INVERSE_PENALTY: Final = 100.0
"""Of the squared coefficients, features scaled to deviation 1. With hundreds of questions it is next to none:
it only keeps a feature that separates them without error from getting an endless slope."""

QUESTIONS_PER_FEATURE: Final = 10
"""How many questions on the smaller side a curve wants for each of its features, lest its coefficients be
chance (Peduzzi et al. 1996, "A simulation study of the number of events per variable in logistic regression
analysis")."""


def too_few(observations: Sequence[Observation], names: Sequence[str]) -> str:
    """What a person should be told of a curve over these features; empty when there are questions enough."""
    usable = _with_all(observations, names)
    answerable = sum(item.kind == ANSWERABLE for item in usable)
    fewest, wanted = min(answerable, len(usable) - answerable), QUESTIONS_PER_FEATURE * len(names)
    if fewest >= wanted:
        return ""
    return (
        f"{fewest} questions that can be answered, or that cannot, are few for a curve over {len(names)} "
        f"features: from {wanted} on its coefficients mean something. Name more sets with --dataset, raise "
        "--limit, or name fewer features with --curve."
    )


def fit_curve(
    observations: Sequence[Observation], names: Sequence[str], weights: Mapping[Kind, float]
) -> Curve:
    """The curve over the named features under which the labels are likeliest, each question with its weight.

    Questions that lack one of the features are left out. Coefficients are those of the features as they are.

    Raises:
        UsageError: no question of one of the two sides is left.
    """
    if not can_fit(observations, names):
        raise UsageError(
            f"No curve over {', '.join(names)}: answerable and other questions must have these features. "
            "Name others with --curve, or more sets with --dataset."
        )
    usable = _with_all(observations, names)
    answers = [item.kind == ANSWERABLE for item in usable]
    values = np.array([[item.features[name] for name in names] for item in usable], dtype=np.float64)
    centre, scale = values.mean(axis=0), values.std(axis=0)
    scale[scale == 0] = 1.0
    model = LogisticRegression(C=INVERSE_PENALTY, max_iter=1000)
    model.fit((values - centre) / scale, answers, sample_weight=[weights[item.kind] for item in usable])
    slopes = model.coef_[0] / scale
    bias = float(model.intercept_[0] - slopes @ centre)
    return Curve({name: float(slope) for name, slope in zip(names, slopes, strict=True)}, bias)


def aligned(curve: Curve, observations: Sequence[Observation], threshold: float, share: float) -> Curve:
    """The curve moved by its bias so that at `threshold` it passes this share of the answerable, too.

    One threshold serves all curves, while one over fewer features tells less and stays nearer to the middle:
    left as fitted it would pass almost everything, or nothing.
    """
    answerable = [item for item in observations if item.kind == ANSWERABLE]
    scores = {ANSWERABLE: [curve.judge(item.features) for item in answerable if curve.fits(item.features)]}
    own = threshold_for_passing(scores, share)
    if not (0.0 < own < 1.0 and 0.0 < threshold < 1.0):
        return curve
    return Curve(curve.coefficients, curve.bias + _logit(threshold) - _logit(own))


def can_fit(observations: Sequence[Observation], names: Sequence[str]) -> bool:
    """Whether answerable and other questions have the features."""
    return len({item.kind == ANSWERABLE for item in _with_all(observations, names)}) == 2


def feature_names(observations: Sequence[Observation]) -> tuple[str, ...]:
    """The features that at least nine in ten questions have, in the order they were first seen."""
    seen = dict.fromkeys(name for item in observations for name in item.features)
    return tuple(
        name
        for name in seen
        if sum(item.features.get(name) is not None for item in observations) >= 0.9 * len(observations)
    )


def passed_share(scores: Sequence[float], threshold: float) -> float | None:
    """The share of scores at or above the threshold, None without scores."""
    return sum(score >= threshold for score in scores) / len(scores) if scores else None


def false_answer_rate(
    scores: Mapping[Kind, Sequence[float]], threshold: float, weights: Mapping[Kind, float]
) -> float:
    """Of the questions that should be refused, the share that passes; each counts its kind's weight."""
    total = sum(weights[kind] * len(scores.get(kind, ())) for kind in REFUSABLE)
    passed = sum(
        weights[kind] * sum(score >= threshold for score in scores.get(kind, ())) for kind in REFUSABLE
    )
    return passed / total if total else 0.0


def threshold_for_false_answers(
    scores: Mapping[Kind, Sequence[float]], most: float, weights: Mapping[Kind, float]
) -> float:
    """The threshold that passes most of the answerable while at most the share `most` of what should be
    refused passes; of those that do the same for the answerable, the highest."""
    for _, at in _steps(scores):
        if false_answer_rate(scores, at, weights) <= most:
            return threshold_for_passing(scores, passed_share(scores.get(ANSWERABLE, ()), at) or 0.0)
    return 1.0


def threshold_for_passing(scores: Mapping[Kind, Sequence[float]], least: float) -> float:
    """The highest threshold at which at least the share `least` of the answerable passes, half-way between
    two scores that occur."""
    for below, at in reversed(_steps(scores)):
        if (passed_share(scores.get(ANSWERABLE, ()), at) or 0.0) >= least:
            return (below + at) / 2
    return 0.0


def _logit(probability: float) -> float:
    return math.log(probability / (1.0 - probability))


def _with_all(observations: Sequence[Observation], names: Sequence[str]) -> list[Observation]:
    return [item for item in observations if all(item.features.get(name) is not None for name in names)]


def _steps(scores: Mapping[Kind, Sequence[float]]) -> list[tuple[float, float]]:
    """Every score that occurs with the one below it, ascending: between the two thresholds do the same."""
    levels = sorted({score for kind in KINDS for score in scores.get(kind, ())})
    return list(zip([0.0, *levels], [*levels, 1.0], strict=True)) if levels else []
