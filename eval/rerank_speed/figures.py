"""What the measurements come to: ratios of paired times, differences of paired nDCG, with intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

from eval.bootstrap import Difference, Estimate, bootstrap_difference, bootstrap_mean
from eval.rerank_speed.ingest import BlockTimes, Disk
from eval.rerank_speed.pools import Pool, ndcg_at_10, ranked_by
from eval.rerank_speed.rerank import Timed
from prism.errors import UsageError


@dataclass(frozen=True, slots=True)
class Reference:
    """What the stored vectors are held against: its nDCG@10, and how much higher theirs is."""

    name: str
    mean: Estimate
    difference: Difference


@dataclass(frozen=True, slots=True)
class Quality:
    """nDCG@10 of one way to order by the scores, over the questions with gold: of the stored vectors, and of
    what they were made of. `stored` is None, and nothing else is there, without any such question."""

    way: str
    weight: float
    questions: int
    stored: Estimate | None
    references: tuple[Reference, ...]


@dataclass(frozen=True, slots=True)
class Figures:
    """All that is told. Times are medians over questions or blocks; ratios are geometric means of paired
    ones: how many times faster the stored vectors are, and how many times longer an ingest takes.

    `largest_gap`: between a score of the stored vectors and the same one of a fresh pass.
    """

    questions: int
    pool_leaves: float
    stored_ms: float
    fresh_ms: float
    times_faster: Estimate
    largest_gap: float
    qualities: tuple[Quality, ...]
    disk: Disk
    embedded_leaves: int
    leaf_without_ms: float
    leaf_with_ms: float
    leaf_written_ms: float
    with_tokens: Estimate
    with_tokens_written: Estimate


def figures(
    pools: Sequence[Pool], timed: Sequence[Timed], blocks: Sequence[BlockTimes], disk: Disk, *, weight: float
) -> Figures:
    """The figures.

    Args:
        timed: one per pool.
        weight: `rerank.weight`, by which `order` blends the scores with fusion's.

    Raises:
        UsageError: nothing was measured.
    """
    if not pools or not blocks:
        raise UsageError("Nothing to measure: the set has no question that the embedder reads and finds for.")
    without = [block.without_ms / block.leaves for block in blocks]
    with_tokens = [block.with_ms / block.leaves for block in blocks]
    written = [block.written_ms / block.leaves for block in blocks]
    stored_ms, fresh_ms = [item.stored_ms for item in timed], [item.fresh_ms for item in timed]
    return Figures(
        questions=len(pools),
        pool_leaves=median(len(pool.leaves) for pool in pools),
        stored_ms=median(stored_ms),
        fresh_ms=median(fresh_ms),
        times_faster=ratio(fresh_ms, stored_ms),
        largest_gap=max(
            abs(one - other) for item in timed for one, other in zip(item.stored, item.fresh, strict=True)
        ),
        qualities=(
            quality("late interaction alone", pools, timed, 1.0),
            quality("blended with fusion", pools, timed, weight),
        ),
        disk=disk,
        embedded_leaves=sum(block.leaves for block in blocks),
        leaf_without_ms=median(without),
        leaf_with_ms=median(with_tokens),
        leaf_written_ms=median(written),
        with_tokens=ratio(with_tokens, without),
        with_tokens_written=ratio(written, without),
    )


def ratio(numerators: Sequence[float], denominators: Sequence[float]) -> Estimate:
    """The geometric mean of paired ratios with its interval: twice and half cancel out.

    Raises:
        UsageError: a value is not positive, or there are none.
    """
    if min(*numerators, *denominators) <= 0:
        raise UsageError("ratios need positive values; measure again on a machine with a finer clock")
    logs = [math.log(one / other) for one, other in zip(numerators, denominators, strict=True)]
    found = bootstrap_mean(logs)
    return Estimate(math.exp(found.mean), math.exp(found.low), math.exp(found.high))


def quality(way: str, pools: Sequence[Pool], timed: Sequence[Timed], weight: float) -> Quality:
    """Stored vectors against what they were made of, paired by question."""
    with_gold = [(pool, item) for pool, item in zip(pools, timed, strict=True) if pool.gold]
    if not with_gold:
        return Quality(way, weight, 0, None, ())

    def ndcg(scores_of: Callable[[Timed], Sequence[float]]) -> list[float]:
        return ndcg_at_10([(pool, ranked_by(pool, scores_of(item), weight)) for pool, item in with_gold])

    stored = ndcg(lambda item: item.stored)
    references = {
        "projected, in float32": ndcg(lambda item: item.projected),
        "the states themselves": ndcg(lambda item: item.states),
    }
    return Quality(
        way,
        weight,
        len(with_gold),
        bootstrap_mean(stored),
        tuple(
            Reference(name, bootstrap_mean(values), bootstrap_difference(values, stored))
            for name, values in references.items()
        ),
    )
