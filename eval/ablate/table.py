"""An ablation as a Markdown table: every choice with what it changes, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from eval.ablate.run import METRICS, Trial
from eval.compare.measures import LEAST_QUESTIONS
from eval.metrics.catalogue import describe
from eval.outcome.result import Result

SURE: Final = "**"
"""Stands around a difference whose interval leaves 0 out."""


def ablation_table(base: Result, trials: Sequence[Trial], metrics: Sequence[str] = METRICS) -> str:
    """The table, one row a choice, the base first."""
    shown = [name for name in metrics if name in base.metrics]
    rows = (_row(trial, shown) for trial in trials)
    return "\n".join((*_head(base, shown), *rows, "", *_foot(trials))) + "\n"


def _head(base: Result, shown: Sequence[str]) -> Iterator[str]:
    changed = ", ".join(f"{key} = {value}" for key, value in base.settings.items())
    yield (
        f"{base.dataset}: {base.counts['scored']} questions scored by {base.unit}. Base: "
        f"{changed or 'the defaults'}."
    )
    yield ""
    yield f"| choice | {' | '.join(describe(name).title for name in shown)} | leaves | search p50, ms |"
    yield f"|---|{'---|' * len(shown)}---|---|"
    means = " | ".join(f"{base.metrics[name].mean:.3f}" for name in shown)
    yield f"| base | {means} | {base.index['leaves']:,} | {_p50(base)} |"


def _row(trial: Trial, shown: Sequence[str]) -> str:
    cells = " | ".join(_cell(trial, name) for name in shown)
    return f"| {trial.variant.label} | {cells} | {trial.result.index['leaves']:,} | {_p50(trial.result)} |"


def _cell(trial: Trial, metric: str) -> str:
    difference = trial.differences.get(metric)
    if difference is None:
        return "–"
    pairs = trial.result.metrics[metric].questions
    mark = SURE if pairs >= LEAST_QUESTIONS and (difference.low > 0 or difference.high < 0) else ""
    return f"{mark}{difference.mean:+.3f}{mark} ({difference.low:+.3f} to {difference.high:+.3f})"


def _foot(trials: Sequence[Trial]) -> Iterator[str]:
    yield (
        "Each row changes one thing; figures are differences from the base on the same questions, with the "
        "95 % interval of a paired bootstrap. Bold: the interval leaves 0 out."
    )
    comparisons = sum(len(trial.differences) for trial in trials)
    if comparisons:
        yield (
            f"Of {comparisons} comparisons about {max(1, round(comparisons * 0.05))} would be bold by chance "
            "if no choice mattered."
        )


def _p50(result: Result) -> str:
    return f"{result.latency_ms['total']['p50']:.1f}" if "total" in result.latency_ms else "–"
