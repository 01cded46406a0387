"""Every measure there is, in the order in which reports show them."""

from __future__ import annotations

from typing import Final

from eval.metrics import context_precision, context_recall, precision, ranked, refusal
from eval.metrics.metric import Metric

PER_QUESTION: Final = (
    *ranked.METRICS,
    *precision.METRICS,
    context_precision.METRIC,
    context_recall.METRIC,
)
"""Measures that every row with gold has a value of."""

CATALOGUE: Final = {metric.name: metric for metric in (*PER_QUESTION, *refusal.METRICS)}


def describe(name: str) -> Metric:
    """The measure of that name; one of another version tells its name only."""
    return CATALOGUE.get(name, Metric(name, name, "not known to this version"))
