"""Outcomes made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from eval.outcome.result import Summary
from eval.survey.choices import BASE
from eval.survey.outcome import Outcome


def make_outcome(
    set_: str = "sample",
    choice: str = BASE,
    ndcg: Sequence[float | None] = (1.0, 0.0),
    ms: float | None = 7.25,
) -> Outcome:
    """An outcome whose nDCG@10 is the mean of these values, with an interval of 0 to 1."""
    values = [value for value in ndcg if value is not None]
    metrics = {"ndcg@10": Summary(fmean(values), 0.0, 1.0, len(values))} if values else {}
    return Outcome(set_, choice, len(values), 1234, metrics, ms, ms, tuple(ndcg))
