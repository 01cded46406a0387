"""Blend: the order fusion gave and the order a reranker gives, joined by weight.

Late interaction sees which words meet, fusion how the whole leaf stands to the question; each errs where the
other does not, and together they order better than either (docs/retrieval.md). Both are scaled by their
spread over the pool, as in distribution-based fusion.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from prism.query.fuse import by_deviation
from prism.types import Candidate


def blend(pool: Sequence[Candidate], scores: Sequence[float], *, weight: float) -> tuple[Candidate, ...]:
    """The pool by `(1 - weight) * its own score + weight * scores`, each scaled, best first; ties by node id.

    Args:
        pool: with the scores fusion gave.
        scores: the reranker's, one per leaf of the pool.
        weight: of the reranker in [0, 1]; 1 orders by it alone.
    """
    before = _scaled([item.score for item in pool])
    after = _scaled(scores)
    blended = [
        replace(item, score=(1 - weight) * one + weight * other)
        for item, one, other in zip(pool, before, after, strict=True)
    ]
    return tuple(sorted(blended, key=lambda item: (-item.score, item.node_id)))


def _scaled(scores: Sequence[float]) -> list[float]:
    return by_deviation(scores) if len(set(scores)) > 1 else [1.0 for _ in scores]
