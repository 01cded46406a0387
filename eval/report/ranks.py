"""At which rank each stage holds the gold, and how much of it each stage has lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from eval.metrics.gold import relevant
from eval.outcome.row import Row

STAGES: Final = ("dense", "keyword", "fused", "reranked", "merged")

BUCKETS: Final = (
    ("1", 1),
    ("2–3", 3),
    ("4–5", 5),
    ("6–10", 10),
    ("11–20", 20),
    ("deeper", None),
)
"""Names of ranges of ranks with the last rank of each. What no stage's list holds is absent."""

ABSENT: Final = "absent"


@dataclass(frozen=True, slots=True)
class GoldRanks:
    """Gold units of a stage: how many stand at the ranks of each bucket in order, how many are absent."""

    stage: str
    counts: tuple[int, ...]
    absent: int

    @property
    def units(self) -> int:
        """All of them."""
        return sum(self.counts) + self.absent

    @property
    def found(self) -> int:
        """Those that the stage's list holds at any rank."""
        return sum(self.counts)


def gold_ranks(rows: Sequence[Row]) -> tuple[GoldRanks, ...]:
    """For each stage that ran, in order, where the relevant units of its questions stand.

    A stage that ran in some questions only (a leg that cannot read a script) is counted over these. A
    question that failed counts in every stage, its gold as absent.
    """
    ran = [stage for stage in STAGES if any(stage in row.stages and relevant(row) for row in rows)]
    return tuple(_of_stage(stage, rows) for stage in ran)


def _of_stage(stage: str, rows: Sequence[Row]) -> GoldRanks:
    ranks = [
        None if row.error else row.stages[stage].get(unit)
        for row in rows
        if row.error or stage in row.stages
        for unit in relevant(row)
    ]
    counts = [0] * len(BUCKETS)
    for rank in ranks:
        if rank is not None:
            counts[_bucket(rank)] += 1
    return GoldRanks(stage, tuple(counts), ranks.count(None))


def _bucket(rank: int) -> int:
    return next(place for place, (_, last) in enumerate(BUCKETS) if last is None or rank <= last)
