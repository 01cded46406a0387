"""Pools and times made up for the tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eval.rerank_speed.pools import Pool
from eval.rerank_speed.rerank import Timed
from prism.types import Candidate, Node


def make_pool(
    fused: Mapping[str, float],
    *,
    units: Mapping[str, tuple[str, ...]] | None = None,
    gold: Mapping[str, int] | None = None,
    question_id: str = "q1",
    texts: Mapping[str, str] | None = None,
) -> Pool:
    """A pool of leaves by their fused scores; each leaf is a unit of its own unless told otherwise."""
    said = {name: (texts or {}).get(name, name) for name in fused}
    return Pool(
        question_id=question_id,
        question="cap",
        fused=tuple(Candidate(name, score) for name, score in fused.items()),
        leaves=tuple(
            Node(name, "doc", 1, 0, 0, None, 0, len(text), text, context="") for name, text in said.items()
        ),
        units=units or {name: (name,) for name in fused},
        gold={} if gold is None else gold,
    )


def make_timed(
    stored: Sequence[float],
    *,
    fresh: Sequence[float] | None = None,
    projected: Sequence[float] | None = None,
    states: Sequence[float] | None = None,
    stored_ms: float = 2.0,
    fresh_ms: float = 200.0,
) -> Timed:
    """Scores that are the same each way unless told otherwise."""
    return Timed(
        stored_ms,
        fresh_ms,
        tuple(stored),
        tuple(stored if fresh is None else fresh),
        tuple(stored if projected is None else projected),
        tuple(stored if states is None else states),
    )
