"""A question that changed, so that a person sees at which stage its gold was lost or won."""

from __future__ import annotations

from itertools import zip_longest
from typing import Final

from eval.compare.changes import Change, stages_of
from eval.compare.columns import line_up
from eval.compare.pairing import Pair
from eval.metrics.gold import passages, ranked, relevant
from eval.outcome.row import Row
from eval.wording.escape import one_line
from eval.wording.figures import NONE, decimal, difference

SHOWN_RANKS: Final = 10
GOLD_MARK: Final = "*"


def describe_change(change: Change, metric: str) -> list[str]:
    """Question, gold, its rank at every stage in A and in B, and both rankings with gold marked."""
    row = change.pair.a
    kind = f" [{one_line(row.kind)}]" if row.kind else ""
    lines = [
        f"{one_line(row.question_id)}{kind}: {one_line(row.question)}",
        f"  {metric} {decimal(change.value_a)} in A, {decimal(change.value_b)} in B "
        f"({difference(change.difference)}){_hits(change)}",
    ]
    lines += [
        f"  {letter} failed: {one_line(side.error)}"
        for letter, side in (("A", change.pair.a), ("B", change.pair.b))
        if side.error
    ]
    return [*lines, *line_up(_ranks(change.pair), indent=2), *line_up(_rankings(change.pair), indent=2)]


def _hits(change: Change) -> str:
    parts = [
        f"gold among the first {', '.join(map(str, cutoffs))} in {letter} alone"
        for letter, cutoffs in (("B", change.gained), ("A", change.lost))
        if cutoffs
    ]
    return f"; {'; '.join(parts)}" if parts else ""


def _ranks(pair: Pair) -> list[tuple[str, ...]]:
    """A line for each gold unit and result: its rank at each stage, in the ranking, in the passages."""
    stages = stages_of(pair.a, pair.b)
    lines = [("gold, by rank at", "", *stages, "ranking", "passages")]
    for unit in dict.fromkeys((*relevant(pair.a), *relevant(pair.b))):
        grade = relevant(pair.a).get(unit) or relevant(pair.b)[unit]
        name = one_line(unit) if grade == 1 else f"{one_line(unit)} (grade {grade})"
        lines += [
            (name if letter == "A" else "", letter, *_ranks_of(unit, row, stages))
            for letter, row in (("A", pair.a), ("B", pair.b))
        ]
    return lines


def _ranks_of(unit: str, row: Row, stages: tuple[str, ...]) -> tuple[str, ...]:
    places = ranked(row)
    held = next((passage.rank for passage in passages(row) if unit in passage.units), None)
    ranks = (
        *(row.stages.get(stage, {}).get(unit) for stage in stages),
        places.index(unit) + 1 if unit in places else None,
        held,
    )
    return tuple(NONE if rank is None else str(rank) for rank in ranks)


def _rankings(pair: Pair) -> list[tuple[str, ...]]:
    """The first units of both, side by side."""
    first_a, first_b = (_marked(row) for row in (pair.a, pair.b))
    lines: list[tuple[str, ...]] = [("rank", f"A ({GOLD_MARK} gold)", "B")]
    both = zip_longest(first_a, first_b, fillvalue="")
    lines += [(str(rank), a, b) for rank, (a, b) in enumerate(both, start=1)]
    return lines if len(lines) > 1 else [("", "neither found anything", "")]


def _marked(row: Row) -> list[str]:
    gold = relevant(row)
    return [f"{GOLD_MARK if unit in gold else ' '} {one_line(unit)}" for unit in ranked(row)[:SHOWN_RANKS]]
