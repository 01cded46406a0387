"""How often each thing is done within a repetition, by size: often enough to be steady, few enough to end."""

from __future__ import annotations

from dataclasses import dataclass

LARGE_LEAVES = 50_000


@dataclass(frozen=True, slots=True)
class Schedule:
    """Times per repetition; the median (of queries: the percentiles) is one value.

    `indexings`: in how many repetitions the corpus is indexed; the others use a copy of the last.
    """

    indexings: int
    changes: int
    reopenings: int
    questions: int
    scoped_questions: int


def schedule_for(leaves: int) -> Schedule:
    """At 100,000 leaves indexing takes minutes, and one change of the plain build up to a minute."""
    if leaves >= LARGE_LEAVES:
        return Schedule(indexings=3, changes=1, reopenings=1, questions=200, scoped_questions=30)
    return Schedule(indexings=100, changes=3, reopenings=3, questions=200, scoped_questions=50)
