"""Whether the right questions were refused: a two-by-two table a result, and the questions it got wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from eval.metrics.refusal import is_answerable, is_judged
from eval.outcome.row import Row
from eval.report.blocks import Block, Bullets, Paragraph, Section, Table
from eval.report.sides import Side, under_headings
from eval.wording.figures import decimal, share

MOST_LISTED: Final = 10


def refusals_section(sides: Sequence[Side]) -> Section:
    """The tables, and below each the questions wrongly refused and wrongly answered."""
    return Section("Abstention", under_headings(sides, [_blocks(side) for side in sides]))


def _blocks(side: Side) -> tuple[Block, ...]:
    judged = [row for row in side.result.rows if is_judged(row) and is_answerable(row) is not None]
    if not judged:
        return (Paragraph("The gate judged no question of which it is known whether it has an answer."),)
    wrongly_refused = [row for row in judged if is_answerable(row) and row.abstained]
    wrongly_answered = [row for row in judged if not is_answerable(row) and not row.abstained]
    blocks: list[Block] = [_two_by_two(side, judged)]
    unknown = len(side.result.rows) - len(judged)
    if unknown:
        blocks.append(
            Paragraph(
                f"{unknown} of {len(side.result.rows)} questions are not in the table: they were not judged, "
                "or it is not known whether the collection answers them."
            )
        )
    blocks += _listed("Refused, though the collection has an answer", wrongly_refused)
    blocks += _listed("Answered, though the collection has no answer", wrongly_answered)
    return tuple(blocks)


def _two_by_two(side: Side, judged: Sequence[Row]) -> Table:
    rows = []
    for words, answerable in (("has an answer", True), ("has no answer", False)):
        alike = [row for row in judged if is_answerable(row) is answerable]
        refused = sum(row.abstained is True for row in alike)
        rows.append((words, share(len(alike) - refused, len(alike)), share(refused, len(alike))))
    caption = side.headed(
        "What the gate did with questions that have an answer and with those that have none"
    )
    return Table(caption, ("question", "answered", "refused"), tuple(rows))


def _listed(title: str, rows: Sequence[Row]) -> list[Block]:
    if not rows:
        return []
    shown = tuple(f"{row.question_id}: {row.question}{_gate(row)}" for row in rows[:MOST_LISTED])
    rest = len(rows) - len(shown)
    more = (f"and {rest} more",) if rest else ()
    return [Paragraph(f"{title} ({len(rows)}):"), Bullets((*shown, *more))]


def _gate(row: Row) -> str:
    return "" if row.gate_score is None else f" (gate {decimal(row.gate_score)})"
