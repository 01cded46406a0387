"""A sweep over k as a Markdown table: what more passages find, and what they cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from eval.metrics.gold import holds_gold
from eval.outcome.result import Result


def sweep_table(results: Sequence[Result]) -> str:
    """The table, one row a result, in the order given. The results are of the same questions."""
    return "\n".join((*_head(results[0]), *map(_row, results), "", *_foot())) + "\n"


def _head(first: Result) -> Iterator[str]:
    yield f"{first.dataset}: {first.counts['scored']} questions scored by {first.unit}."
    yield ""
    yield "| k | gold in the passages | passages with gold | tokens, mean | p95 | search p50, ms | p95 |"
    yield "|---|---|---|---|---|---|---|"


def _row(result: Result) -> str:
    right = [held for row in result.rows if row.is_scored for held in holds_gold(row)]
    tokens = [sum(passage.tokens for passage in row.passages) for row in result.rows if not row.error]
    recall = result.metrics.get("context_recall")
    found = f"{recall.mean:.3f} ({recall.low:.3f} to {recall.high:.3f})" if recall else "–"
    share = f"{np.mean(right):.3f}" if right else "–"
    # As latencies: a length that occurred, never one between two.
    lengths = np.percentile(tokens, 95, method="inverted_cdf") if tokens else None
    spent = result.latency_ms.get("total")
    times = f"{spent['p50']:.1f} | {spent['p95']:.1f}" if spent else "– | –"
    size = "– | –" if lengths is None else f"{np.mean(tokens):,.0f} | {lengths:,.0f}"
    return f"| {result.k} | {found} | {share} | {size} | {times} |"


def _foot() -> Iterator[str]:
    yield (
        "Gold in the passages: share of what the answer rests on that the model is given, with its 95 % "
        "interval. Passages with gold: their share of those given. Tokens are the embedder's, of all "
        "passages together."
    )
