"""Is what the answerer is given enough, and is it good?

Told by context recall (how much of the gold is in the passages) and context precision (whether gold comes
before the rest); precision at a fixed number of passages would blame a set for having one gold passage each.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from eval.diagnose.finding import Finding, setting
from eval.diagnose.lost import advise, count_losses, describe_losses
from eval.outcome.result import Result

LOW_RECALL: Final = 0.7
"""Below it an answerer lacks three in ten of the passages that it needs."""

LOW_PRECISION: Final = 0.6
"""Gold always first is 1, always second 0.5: below it most questions show something else first."""


def diagnose_coverage(result: Result) -> Iterator[Finding]:
    """One finding where recall, precision or both are low."""
    recall, precision = (result.metrics.get(f"context_{name}") for name in ("recall", "precision"))
    if recall is None or precision is None:
        return
    figures = f"context recall is {recall.mean:.2f}, context precision {precision.mean:.2f}"
    losses = count_losses(result.rows, result.k)
    lost = describe_losses(losses)
    if recall.mean >= LOW_RECALL and precision.mean < LOW_PRECISION:
        names = ("rerank.kind", "retrieval.max_per_document", "retrieval.k")
        reranker, limit, k = (setting(result, name) for name in names)
        yield Finding(
            "noise",
            f"Gold is found, but other passages stand before it: {figures}.",
            f"A reranker: {reranker}; fewer passages of one document: {limit}; or fewer in all: {k}.",
        )
    elif recall.mean < LOW_RECALL and precision.mean >= LOW_PRECISION:
        yield Finding(
            "narrow",
            _joined(f"What is given is right, but much is missing: {figures}.", lost),
            "Look further and give more: "
            f"{setting(result, 'retrieval.retrieve_k')}, {setting(result, 'retrieval.k')}, both higher.",
        )
    elif recall.mean < LOW_RECALL:
        places = advise(result, losses)
        yield Finding(
            "not_found",
            _joined(f"Much is missing, and what is given is not right: {figures}.", lost),
            f"Most was lost in one place; its settings: {places}." if places else "",
        )


def _joined(*sentences: str) -> str:
    return " ".join(filter(None, sentences))
