"""What a whole set comes to: means, on how many questions they rest, and how sure they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from eval.bootstrap import bootstrap_mean
from eval.metrics.gold import relevant
from eval.metrics.refusal import refusal
from eval.outcome.result import Summary
from eval.outcome.row import Row


def summarize(rows: Sequence[Row]) -> Mapping[str, Summary]:
    """Mean and 95 % bootstrap interval of every measure over the questions that have a value of it.

    The rows must be scored (`score`). Refusal figures come from the rows themselves. A measure that no
    question has a value of is left out: there is no mean of nothing.
    """
    columns: dict[str, list[float]] = {}
    for row in rows:
        for name, value in _values(row):
            column = columns.setdefault(name, [])
            if value is not None:
                column.append(value)
    return {name: _summary(column) for name, column in columns.items() if column}


def count(rows: Sequence[Row]) -> Mapping[str, int]:
    """How many were asked, scored (they have gold), unscorable, and failed.

    Questions without gold that are not unscorable, as unanswerable ones, are asked only. A question that
    failed is scored too where it has gold.
    """
    return {
        "asked": len(rows),
        "scored": sum(bool(relevant(row)) for row in rows),
        "unscorable": sum(bool(row.unscorable) for row in rows),
        "failed": sum(bool(row.error) for row in rows),
    }


def _values(row: Row) -> Iterator[tuple[str, float | None]]:
    yield from row.metrics.items()
    yield from refusal(row).items()


def _summary(values: Sequence[float]) -> Summary:
    estimate = bootstrap_mean(values)
    return Summary(estimate.mean, estimate.low, estimate.high, len(values))
