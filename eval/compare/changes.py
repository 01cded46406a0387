"""The questions on which two results part, and how far each carried the gold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from eval.compare.pairing import Pair
from eval.metrics.gold import ranked, relevant
from eval.metrics.hit import CUTOFFS
from eval.metrics.refusal import is_judged
from eval.outcome.row import Row
from prism.errors import UsageError

STAGES: Final = ("dense", "keyword", "fused", "reranked", "merged")
SHOWN_EACH_WAY: Final = 5
"""Questions shown in full that became worse, and as many that became better, unless all are asked for."""


@dataclass(frozen=True, slots=True)
class Change:
    """A question whose measure or hits changed. `gained` and `lost`: the cutoffs k where B alone, or A alone,
    has gold among the first k."""

    pair: Pair
    value_a: float
    value_b: float
    gained: tuple[int, ...]
    lost: tuple[int, ...]

    @property
    def difference(self) -> float:
        """B's value less A's."""
        return self.value_b - self.value_a

    @property
    def is_worse(self) -> bool:
        """Whether B is the worse one."""
        return self.difference < 0 or (self.difference == 0 and bool(self.lost))


@dataclass(frozen=True, slots=True)
class Flips:
    """How many questions B has among the first k and A has not, and the other way round."""

    k: int
    gained: int
    lost: int


def find_changes(pairs: Sequence[Pair], metric: str) -> tuple[Change, ...]:
    """Questions that changed, the largest change of `metric` first, whichever way; then in order of the set.

    Raises:
        UsageError: the rows know no such measure.
    """
    names = dict.fromkeys(name for pair in pairs for name in pair.a.metrics if name in pair.b.metrics)
    if metric not in names:
        raise UsageError(
            f"--metric {metric}: not a measure of questions in both results. "
            f"They have: {', '.join(names) or 'none; run them again'}."
        )
    values = [(pair, pair.a.metrics.get(metric), pair.b.metrics.get(metric)) for pair in pairs]
    known = [(pair, a, b) for pair, a, b in values if a is not None and b is not None]
    changes = [_change(pair, a, b) for pair, a, b in known]
    changed = [change for change in changes if change.difference or change.gained or change.lost]
    return tuple(sorted(changed, key=lambda change: -abs(change.difference)))


def worse_and_better(
    changes: Sequence[Change], *, shows_all: bool = False
) -> tuple[Sequence[Change], Sequence[Change]]:
    """The changes to be shown: those to the worse, those to the better, the first few unless `shows_all`.

    Where the measure stayed as it was, hits decide.
    """
    worse = [change for change in changes if change.is_worse]
    better = [change for change in changes if not change.is_worse]
    limit = None if shows_all else SHOWN_EACH_WAY
    return worse[:limit], better[:limit]


def count_flips(pairs: Sequence[Pair]) -> tuple[Flips, ...]:
    """For each cutoff of hit@k, the questions that flipped."""
    sides = [
        (first_rank(pair.a), first_rank(pair.b)) for pair in pairs if relevant(pair.a) and relevant(pair.b)
    ]
    return tuple(
        Flips(k, sum(b <= k < a for a, b in sides), sum(a <= k < b for a, b in sides)) for k in CUTOFFS
    )


def refused_by_one(pairs: Sequence[Pair]) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
    """Questions that A alone refused, and those that B alone did."""
    judged = [pair for pair in pairs if is_judged(pair.a) and is_judged(pair.b)]
    return (
        tuple(pair.a for pair in judged if pair.a.abstained and not pair.b.abstained),
        tuple(pair.b for pair in judged if pair.b.abstained and not pair.a.abstained),
    )


def first_rank(row: Row) -> float:
    """Rank of the first gold; infinity where there is none."""
    gold = relevant(row)
    ranks = (rank for rank, unit in enumerate(ranked(row), start=1) if unit in gold)
    return next(ranks, float("inf"))


def stages_of(*rows: Row) -> tuple[str, ...]:
    """The stages that ran in any of the rows, in order."""
    return tuple(stage for stage in STAGES if any(stage in row.stages for row in rows))


def _change(pair: Pair, value_a: float, value_b: float) -> Change:
    a, b = first_rank(pair.a), first_rank(pair.b)
    return Change(
        pair,
        value_a,
        value_b,
        gained=tuple(k for k in CUTOFFS if b <= k < a),
        lost=tuple(k for k in CUTOFFS if a <= k < b),
    )
