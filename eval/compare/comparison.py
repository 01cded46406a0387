"""All that is said of two results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from eval.compare.changes import Change, Flips, count_flips, find_changes, refused_by_one
from eval.compare.differences import Differing, differences
from eval.compare.measures import Measured, compare_measures
from eval.compare.pairing import Pairing, pair
from eval.outcome.result import Result
from eval.outcome.row import Row

DEFAULT_METRIC: Final = "ndcg@10"
"""What BEIR and MTEB rank systems by (Thakur et al. 2021)."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Result B beside result A.

    `changes` are in order of how much `metric` changed, the largest first; `refused_by_a` and `refused_by_b`
    are the questions that one alone refused.
    """

    a: Result
    b: Result
    metric: str
    differing: tuple[Differing, ...]
    pairing: Pairing
    measures: tuple[Measured, ...]
    flips: tuple[Flips, ...]
    changes: tuple[Change, ...]
    refused_by_a: tuple[Row, ...]
    refused_by_b: tuple[Row, ...]


def compare(a: Result, b: Result, metric: str = DEFAULT_METRIC) -> Comparison:
    """Compare B with A, question by question.

    Args:
        metric: the measure whose largest changes come first.

    Raises:
        UsageError: they are of different datasets, share no question, or know no such measure.
    """
    pairing = pair(a, b)
    refused_by_a, refused_by_b = refused_by_one(pairing.pairs)
    return Comparison(
        a=a,
        b=b,
        metric=metric,
        differing=differences(a, b),
        pairing=pairing,
        measures=compare_measures(pairing.pairs),
        flips=count_flips(pairing.pairs),
        changes=find_changes(pairing.pairs, metric),
        refused_by_a=refused_by_a,
        refused_by_b=refused_by_b,
    )
