"""`python -m eval calibrate`: fit the gate on labelled sets, or judge a calibration on others."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Final, get_args

from eval.calibrate.cases import cases_of
from eval.calibrate.document import provenance_of, write_calibration
from eval.calibrate.fit import (
    aligned,
    feature_names,
    fit_curve,
    passed_share,
    threshold_for_false_answers,
    threshold_for_passing,
    too_few,
)
from eval.calibrate.kinds import ANSWERABLE, WEIGHTS, Kind
from eval.calibrate.measure import THRESHOLDS, Observed, areas, operating_curve, scores_of
from eval.calibrate.observe import MEASURED, journal_of, observe
from eval.calibrate.sets import DEFAULTS, CalibrationSet, calibration_sets
from eval.calibrate.table import calibration_tables, judged_table
from eval.machine import Code, code_now
from eval.options import add_settings_arguments, made_cache, positive, settings_of
from eval.progress import shown_progress
from eval.runs.collection import Collection, collection
from prism.errors import UsageError
from prism.models.protocols import token_embedder
from prism.query.calibration import Calibration, Circumstances, load_calibration
from prism.settings import Settings

LIMIT: Final = 300
FALSE_ANSWER_RATE: Final = 0.15
ALWAYS_THERE: Final = "coverage"
"""A feature that every question has: a curve over it alone decides where the others are absent."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the subcommand."""
    parser.add_argument(
        "--dataset",
        type=Path,
        action="append",
        default=[],
        metavar="DIR",
        help=f"a labelled set; may be repeated (default: {', '.join(DEFAULTS)} below PRISM_DATA)",
    )
    parser.add_argument("--language", help="ask only questions in it (en, hi)")
    parser.add_argument(
        "--limit", type=positive, default=LIMIT, help=f"questions of each kind and set (default {LIMIT})"
    )
    parser.add_argument(
        "--weight",
        action="append",
        default=[],
        metavar="KIND=W",
        help="what a question of a kind counts: "
        + ", ".join(f"{kind}={weight}" for kind, weight in WEIGHTS.items()),
    )
    parser.add_argument(
        "--curve",
        action="append",
        default=[],
        metavar="NAMES",
        help="features of a curve, separated by commas; the first whose features a question has is used "
        f"(default: all there are, then {ALWAYS_THERE} alone)",
    )
    target = parser.add_mutually_exclusive_group()
    target.add_argument(
        "--false-answer-rate",
        type=_share,
        default=FALSE_ANSWER_RATE,
        help=f"most of what should be refused that may pass (default {FALSE_ANSWER_RATE})",
    )
    target.add_argument("--pass-rate", type=_share, help="least of the answerable that must pass")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the calibration here (JSON)")
    parser.add_argument("--tables", type=Path, metavar="FILE", help="write the tables here too (Markdown)")
    parser.add_argument(
        "--judge",
        type=Path,
        metavar="CALIBRATION",
        help="fit nothing: what this calibration passes and refuses of the sets named",
    )
    add_settings_arguments(parser)


def main(given: argparse.Namespace) -> int:
    """Run the subcommand; returns the exit code."""
    if given.judge is not None and not given.dataset:
        raise UsageError("--judge: name the sets to judge the calibration on with --dataset.")
    weights = _weights(given.weight)
    settings, code = settings_of(given), code_now(*MEASURED)
    data = os.environ.get("PRISM_DATA")
    chosen = calibration_sets(
        given.dataset, Path(data) if data else None, made_cache(given) / "corpora", language=given.language
    )
    found = [_observed(item, chosen, settings, code, given) for item in chosen]
    observed, now = [item for item, _ in found], found[0][1]
    text = (
        _judged(given, observed, now)
        if given.judge
        else _fitted(given, observed, now, settings, code, weights)
    )
    print(text, end="")
    if given.tables is not None:
        given.tables.write_text(text, encoding="utf-8")
    return 0


def _observed(
    item: CalibrationSet,
    chosen: list[CalibrationSet],
    settings: Settings,
    code: Code,
    given: argparse.Namespace,
) -> tuple[Observed, Circumstances]:
    """Ask a set's questions, under the models of the settings."""
    cases = cases_of(item, chosen, limit=given.limit)
    if not cases:
        raise UsageError(f"{item.name}: no question of it is labelled, so nothing can be learnt from it.")
    journal = journal_of(given.cache, item.name, cases, item.dataset.fingerprint, settings, code)
    with (
        shown_progress(item.name) as (on_indexing, on_question),
        collection(item.dataset, settings, given.cache, on_indexing) as opened,
    ):
        observations = observe(opened, cases, journal, on_question)
        observed = Observed(
            item.name, item.dataset.fingerprint, opened.documents, opened.leaves, observations
        )
        return observed, _circumstances(settings, opened)


def _circumstances(settings: Settings, opened: Collection) -> Circumstances:
    tokens = token_embedder(opened.embedder) if "late_interaction" in settings.rerank.kinds else None
    return Circumstances.of(
        settings,
        embedder=opened.embedder.name,
        token_recipe=tokens.token_recipe if tokens else None,
        cross_encoder=opened.reranker.name if opened.reranker else None,
    )


def _fitted(
    given: argparse.Namespace,
    observed: list[Observed],
    now: Circumstances,
    settings: Settings,
    code: Code,
    weights: dict[Kind, float],
) -> str:
    everything = [each for item in observed for each in item.observations]
    names = [tuple(text.split(",")) for text in given.curve]
    if not names:
        names = list(dict.fromkeys([feature_names(everything), (ALWAYS_THERE,)]))
    curves = tuple(fit_curve(everything, each, weights) for each in names)
    for warning in filter(None, (too_few(everything, each) for each in names)):
        print(f"eval: {warning}", file=sys.stderr)
    unset = Calibration(curves, threshold=0.0, made_under=now, provenance={})
    scores = scores_of(unset, everything)
    if given.pass_rate is not None:
        target, threshold = {"pass_rate": given.pass_rate}, threshold_for_passing(scores, given.pass_rate)
    else:
        target = {"false_answer_rate": given.false_answer_rate}
        threshold = threshold_for_false_answers(scores, given.false_answer_rate, weights)
    provenance = provenance_of(observed, settings, code, target=target, weights=weights, limit=given.limit)
    first, *others = curves
    share = passed_share(scores[ANSWERABLE], threshold) or 0.0
    calibration = Calibration(
        (first, *(aligned(curve, everything, threshold, share) for curve in others)),
        threshold,
        now,
        provenance,
    )
    found = areas(calibration, observed, weights)
    points = operating_curve(scores, (*THRESHOLDS, threshold), weights)
    if given.out is not None:
        write_calibration(given.out, calibration, found, points)
        print(f"calibration: {given.out}", file=sys.stderr)
    return calibration_tables(calibration, observed, found, points)


def _judged(given: argparse.Namespace, observed: list[Observed], now: Circumstances) -> str:
    calibration = load_calibration(given.judge)
    for difference in calibration.differences(now):
        print(f"eval: {given.judge} was made under another model: {difference}", file=sys.stderr)
    judged = {item.name: scores_of(calibration, item.observations) for item in observed}
    return judged_table(calibration.threshold, judged)


def _weights(texts: list[str]) -> dict[Kind, float]:
    weights = dict(WEIGHTS)
    for text in texts:
        name, _, value = text.partition("=")
        known = next((kind for kind in get_args(Kind) if kind == name), None)
        try:
            weight = float(value)
        except ValueError:
            weight = -1.0
        if known is None or not 0 < weight < float("inf"):
            raise UsageError(
                f"--weight {text!r}: wanted KIND=W, KIND one of {', '.join(WEIGHTS)} and W above 0."
            )
        weights[known] = weight
    return weights


def _share(text: str) -> float:
    value = float(text)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 1")
    return value
