"""Rerank: order the pool of leaves by a model that reads question and passage together.

Reading is slow, so the model reads the best leaves of the pool only, and the rest stay below them in the
order they came in.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from prism.models.protocols import Reranker
from prism.types import Candidate, Node


def rerank(
    pool: Sequence[Candidate],
    *,
    question: str,
    nodes: Mapping[str, Node],
    reranker: Reranker,
    leaves: int,
) -> tuple[Candidate, ...]:
    """The pool with its first `leaves` ordered by the reranker; scores as `order_first` says.

    Args:
        pool: best first, by whatever ranked it before.
        question: the standalone question, never a rephrasing.

    Raises:
        ModelError: the reranker failed.
    """
    head, rest = pool[:leaves], pool[leaves:]
    scores = reranker.score(question, [nodes[item.node_id].indexed_text for item in head])
    return order_first(head, scores, rest)


def order_first(
    head: Sequence[Candidate], scores: Sequence[float], rest: Sequence[Candidate]
) -> tuple[Candidate, ...]:
    """`head` ordered by `scores`, and below it `rest` as it was.

    Scores of two makers cannot be compared, yet later stages keep a parent's best leaf's and order by it. So
    the head takes its new scores, and the rest moves as a block: each leaf stands as far below the lowest new
    score as it stood below the last of the head. Scores fall strictly along the result: of equal ones the
    later is lowered by the least step there is, so that scores alone tell the order.

    Args:
        head: best first, by its scores of before.
        scores: one per leaf of the head, higher is better; equal ones keep their order.
        rest: what stood below the head, best first, scored by whatever scored the head before.
    """
    ordered = [replace(item, score=score) for item, score in zip(head, scores, strict=True)]
    ordered.sort(key=lambda item: -item.score)
    shift = ordered[-1].score - head[-1].score if head else 0.0
    return _strictly_falling([*ordered, *(replace(item, score=item.score + shift) for item in rest)])


def _strictly_falling(ordered: Sequence[Candidate]) -> tuple[Candidate, ...]:
    falling: list[Candidate] = []
    ceiling = math.inf
    for item in ordered:
        score = min(item.score, math.nextafter(ceiling, -math.inf))
        falling.append(replace(item, score=score))
        ceiling = score
    return tuple(falling)
