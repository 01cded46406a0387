"""How far each result is from the baseline, on the questions that both asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from eval.compare.measures import Measured, compare_measures
from eval.compare.pairing import pair
from eval.report.blocks import Block, Paragraph, Section, Table
from eval.report.sides import Side
from eval.wording.figures import difference, measure_title
from prism.errors import UsageError

UNPAIRED: Final = (
    "cannot be compared question by question: they are of different datasets, have no question in common, or "
    "one of them has a question twice. 'python -m eval compare' says which."
)


def baseline_section(sides: Sequence[Side]) -> Section:
    """A table a result after the first. What cannot be compared says why."""
    first, *others = sides
    words = (
        "Differences are of pairs, the same question in both results. Of twenty measures without a true "
        "difference, one excludes 0 by chance."
    )
    blocks = [block for side in others for block in _against(first, side)]
    return Section("Against the baseline", (Paragraph(words), *blocks))


def _against(first: Side, side: Side) -> list[Block]:
    try:
        pairing = pair(first.result, side.result)
    except UsageError:
        # Its words call the two A and B, which here may be the letters of others.
        return [Paragraph(f"{side.letter} and {first.letter} {UNPAIRED}", is_warning=True)]
    name = f"{side.letter} less {first.letter}"
    rows = tuple(map(_row, compare_measures(pairing.pairs)))
    blocks: list[Block] = []
    if rows:
        head = ("measure", "verdict", f"{name} (95 % interval)", "questions")
        blocks.append(Table(f"{name}: paired differences", head, rows, text_columns=2))
    else:
        blocks.append(Paragraph(f"{name}: no question has a value in both."))
    alone = len(pairing.only_a) + len(pairing.only_b)
    if alone:
        blocks.append(Paragraph(f"{name}: {alone} questions that only one of them asked are left out."))
    return blocks


def _row(measured: Measured) -> tuple[str, ...]:
    change = measured.difference
    reach = f"{difference(change.mean)} ({difference(change.low)} to {difference(change.high)})"
    return measure_title(measured.metric.name), measured.verdict, reach, str(measured.questions)
