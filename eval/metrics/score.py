"""Give every row the values of its measures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from eval.metrics import context_precision, context_recall, precision
from eval.metrics.ranked import ranked_metrics
from eval.outcome.row import Row


def score(rows: Sequence[Row]) -> tuple[Row, ...]:
    """The rows with `metrics` filled: every name of `catalogue.PER_QUESTION`, None where there is no value.

    Rows without gold and unscorable rows stay, without values; a question that failed or found nothing has 0.

    Raises:
        UsageError: the library that works out rankings is not installed.
    """
    return tuple(
        replace(
            row,
            metrics={
                **values,
                precision.PRECISION.name: precision.precision(row),
                precision.EXPECTED.name: precision.expected(row),
                context_precision.METRIC.name: context_precision.context_precision(row),
                context_recall.METRIC.name: context_recall.context_recall(row),
            },
        )
        for row, values in zip(rows, ranked_metrics(rows), strict=True)
    )
