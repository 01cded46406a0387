"""Fusion: several legs' rankings become one, keyed by node id.

`rrf` is reciprocal rank fusion (Cormack, Clarke & Büttcher 2009) with a weight per leg kind:
score = Σ w / (k + rank), rank counted from 1, k = 60 in the paper. `min_max` adds the legs' scores, each
ranking scaled to [0, 1] first, times the leg's weight. `dist_based` is distribution-based score fusion
(Mazzeschi 2023): as `min_max`, but each ranking is scaled by its own mean and standard deviation, so that it
counts how far a score stands out, not only where it lies between first and last.

What counts as found: a keyword hit needs a score above 0, and a leg needs a weight above 0. Anything else
earns no credit and brings no candidate in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import fmean, pstdev
from typing import Final, Literal, get_args

from prism.types import Candidate, LeafHit, LegKind, Ranking

FusionKind = Literal["rrf", "min_max", "dist_based"]

DEVIATIONS: Final = 3.0
"""`dist_based` maps this many standard deviations below the mean to 0, as many above it to 1."""

LEG_KINDS: Final[tuple[LegKind, ...]] = get_args(LegKind)


def fuse(
    rankings: Sequence[Ranking],
    *,
    kind: FusionKind = "rrf",
    weights: Mapping[LegKind, float],
    rrf_k: float = 60.0,
) -> tuple[Candidate, ...]:
    """One ranking from many, best first, ties by node id.

    Args:
        rankings: one per leg and phrasing; phrasings of one leg kind are pooled, see `pool`.
        weights: per leg kind; a kind that is absent weighs 0.
        rrf_k: how much the first ranks stand out (lower: more); only for `rrf`.

    Returns:
        one candidate per node; `legs` holds its best rank for every leg kind (None: not found by it), so
        that an `rrf` score can be worked out again from it.
    """
    counted = [_found(ranking) for ranking in rankings if weights.get(ranking.leg, 0.0) > 0]
    if kind != "rrf":
        counted = [_scaled(ranking, kind) for ranking in counted]
    legs = {ranking.leg: {hit.node_id: hit for hit in ranking.hits} for ranking in pool(counted)}

    def score(node_id: str) -> float:
        credits = (
            weights[leg] * _credit(hits[node_id], kind, rrf_k)
            for leg, hits in legs.items()
            if node_id in hits
        )
        return sum(credits, 0.0)

    candidates = (
        Candidate(node_id, score(node_id), {leg: _rank(legs, leg, node_id) for leg in LEG_KINDS})
        for node_id in {node_id for hits in legs.values() for node_id in hits}
    )
    return tuple(sorted(candidates, key=lambda candidate: (-candidate.score, candidate.node_id)))


def pool(rankings: Iterable[Ranking]) -> tuple[Ranking, ...]:
    """One ranking per leg kind: each node with its best rank and its best score over all phrasings.

    Nodes that did equally well for different phrasings share a rank. Hits are ordered by rank, then id;
    rankings by leg kind. The pooled query is the first phrasing's.
    """
    pooled: dict[LegKind, dict[str, LeafHit]] = {}
    queries: dict[LegKind, str] = {}
    for ranking in rankings:
        queries.setdefault(ranking.leg, ranking.query)
        best = pooled.setdefault(ranking.leg, {})
        for hit in ranking.hits:
            known = best.get(hit.node_id, hit)
            best[hit.node_id] = LeafHit(hit.node_id, min(known.rank, hit.rank), max(known.score, hit.score))
    return tuple(
        Ranking(
            leg, queries[leg], tuple(sorted(pooled[leg].values(), key=lambda hit: (hit.rank, hit.node_id)))
        )
        for leg in LEG_KINDS
        if leg in pooled
    )


def _found(ranking: Ranking) -> Ranking:
    """Without the rows that matched no term: their rank says nothing."""
    if ranking.leg != "keyword":
        return ranking
    return replace(ranking, hits=tuple(hit for hit in ranking.hits if hit.score > 0))


def _scaled(ranking: Ranking, kind: Literal["min_max", "dist_based"]) -> Ranking:
    """With scores that compare across legs; all 1 when they are equal.

    Equal scores, a single hit's above all, give no spread to scale by. They get what the best of a ranking
    gets, since nothing in theirs is worse than them: the one leaf that holds a term is no mediocre find.
    """
    scores = [hit.score for hit in ranking.hits]
    # Not told by the deviation, which rounding may keep above 0.
    if len(set(scores)) < 2:
        scaled = [1.0 for _ in scores]
    else:
        scaled = _by_range(scores) if kind == "min_max" else by_deviation(scores)
    return replace(
        ranking,
        hits=tuple(replace(hit, score=score) for hit, score in zip(ranking.hits, scaled, strict=True)),
    )


def _by_range(scores: Sequence[float]) -> list[float]:
    """The lowest becomes 0, the highest 1."""
    low, high = min(scores), max(scores)
    return [(score - low) / (high - low) for score in scores]


def by_deviation(scores: Sequence[float]) -> list[float]:
    """(s - (mean - 3 sd)) / (6 sd), written so that a very small deviation is not lost beside the mean.

    Not clipped, as in LlamaIndex: an outlier ends above 1 and stays ahead, or below 0 and behind. Equal
    scores count once: forty copies of one text are no reason to take the one other text for a marvel. The
    scores must not all be equal.
    """
    different = sorted(set(scores))
    mean = fmean(different)
    width = 2 * DEVIATIONS * pstdev(different, mean)
    return [0.5 + (score - mean) / width for score in scores]


def _credit(hit: LeafHit, kind: FusionKind, rrf_k: float) -> float:
    return 1.0 / (rrf_k + hit.rank) if kind == "rrf" else hit.score


def _rank(legs: Mapping[LegKind, Mapping[str, LeafHit]], leg: LegKind, node_id: str) -> int | None:
    hit = legs.get(leg, {}).get(node_id)
    return hit.rank if hit else None
