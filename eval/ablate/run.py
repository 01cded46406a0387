"""Run every choice on the same questions, and set each beside the settings it departs from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from eval.ablate.axes import Variant
from eval.bootstrap import Difference, bootstrap_difference
from eval.metrics.refusal import refusal
from eval.outcome.result import Result
from eval.outcome.row import Row
from prism.settings import Settings

METRICS: Final = ("ndcg@10", "recall@5", "recall@20", "hit@1", "context_recall", "wrongly_refused")
"""What the table shows: order, what is found near the top and at all, the first place, what a model sees,
and what the gate turns away."""

RunOne = Callable[[Settings, str], Result]
"""Ask the questions under some settings, under a name."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A choice, its result, and per metric how far it is from the base on the same questions."""

    variant: Variant
    result: Result
    differences: dict[str, Difference]


def ablate(
    base: Settings,
    tried: Iterable[tuple[Variant, Settings]],
    run_one: RunOne,
    metrics: Sequence[str] = METRICS,
) -> tuple[Result, tuple[Trial, ...]]:
    """The base's result, and each choice's beside it."""
    first = run_one(base, "base")
    trials = []
    for variant, settings in tried:
        result = run_one(settings, variant.label)
        trials.append(Trial(variant, result, _differences(first, result, metrics)))
    return first, tuple(trials)


def _differences(base: Result, other: Result, metrics: Sequence[str]) -> dict[str, Difference]:
    return {
        name: bootstrap_difference(
            [_value(row, name) for row in base.rows], [_value(row, name) for row in other.rows]
        )
        for name in metrics
        if name in base.metrics and name in other.metrics
    }


def _value(row: Row, metric: str) -> float | None:
    return row.metrics[metric] if metric in row.metrics else refusal(row).get(metric)
