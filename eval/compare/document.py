"""A comparison as one JSON document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from eval.bootstrap import CONFIDENCE
from eval.compare.changes import Change, stages_of, worse_and_better
from eval.compare.comparison import Comparison
from eval.compare.measures import Measured
from eval.compare.question import SHOWN_RANKS
from eval.metrics.gold import ranked, relevant
from eval.outcome.result import Result
from eval.outcome.row import Row


def as_document(comparison: Comparison, *, shows_all: bool = False) -> dict[str, Any]:
    """The comparison as JSON values, with the questions that the words would show."""
    worse, better = worse_and_better(comparison.changes, shows_all=shows_all)
    pairing = comparison.pairing
    return {
        "a": _result(comparison.a),
        "b": _result(comparison.b),
        "differences": [asdict(item) for item in comparison.differing],
        "questions": {
            "both": len(pairing.pairs),
            "only_a": list(pairing.only_a),
            "only_b": list(pairing.only_b),
        },
        "confidence": CONFIDENCE,
        "metrics": {item.metric.name: _measured(item) for item in comparison.measures},
        "flips": [asdict(item) for item in comparison.flips],
        "refused_by_a_alone": [row.question_id for row in comparison.refused_by_a],
        "refused_by_b_alone": [row.question_id for row in comparison.refused_by_b],
        "changed_by": comparison.metric,
        "changed": len(comparison.changes),
        "worse": [_change(change) for change in worse],
        "better": [_change(change) for change in better],
    }


def _result(result: Result) -> dict[str, Any]:
    names = ("name", "date", "commit", "dirty", "dataset", "unit", "fingerprint", "settings_hash", "k")
    return {name: getattr(result, name) for name in names}


def _measured(item: Measured) -> Mapping[str, Any]:
    found = item.difference
    return {
        "questions": item.questions,
        "a": item.mean_a,
        "b": item.mean_b,
        "difference": found.mean,
        "low": found.low,
        "high": found.high,
        "p_value": found.p_value,
        "verdict": item.verdict,
    }


def _change(change: Change) -> Mapping[str, Any]:
    row = change.pair.a
    return {
        "question_id": row.question_id,
        "question": row.question,
        "kind": row.kind,
        "difference": change.difference,
        "gained": list(change.gained),
        "lost": list(change.lost),
        "a": _side(change.pair.a, change.value_a),
        "b": _side(change.pair.b, change.value_b),
    }


def _side(row: Row, value: float) -> Mapping[str, Any]:
    gold = relevant(row)
    return {
        "value": value,
        "gold": dict(gold),
        "ranking": [{"unit": unit, "gold": unit in gold} for unit in ranked(row)[:SHOWN_RANKS]],
        "stages": {stage: dict(row.stages[stage]) for stage in stages_of(row)},
        "error": row.error,
    }
