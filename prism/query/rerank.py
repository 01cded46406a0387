"""Rerank: order the pool of leaves by a model that reads question and passage together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from prism.models.protocols import Reranker
from prism.types import Candidate, Node


def rerank(
    pool: Sequence[Candidate], *, question: str, nodes: Mapping[str, Node], reranker: Reranker
) -> tuple[Candidate, ...]:
    """The pool by reranker score, best first; equal scores keep their order.

    Args:
        question: the standalone question, never a rephrasing.

    Raises:
        ModelError: the reranker failed.
    """
    scores = reranker.score(question, [nodes[item.node_id].indexed_text for item in pool])
    rescored = [replace(item, score=score) for item, score in zip(pool, scores, strict=True)]
    return tuple(sorted(rescored, key=lambda item: -item.score))
