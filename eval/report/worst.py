"""The questions that went worst, with all that is needed to see why."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from eval.metrics.catalogue import describe
from eval.metrics.gold import ranked, relevant
from eval.outcome.row import Row
from eval.report.blocks import Block, Paragraph, QuestionDetails, Ranked, Section
from eval.report.ranks import ABSENT, STAGES
from eval.report.sides import Side, under_headings
from eval.wording.figures import decimal

MEASURE: Final = "ndcg@10"
TIE_BREAK: Final = "mrr"
MOST_QUESTIONS: Final = 10
MOST_RANKS: Final = 10

_LANGUAGE: Final = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")


def worst_section(sides: Sequence[Side]) -> Section:
    """For each side the questions of lowest nDCG@10, to unfold."""
    return Section("Questions that went worst", under_headings(sides, [_blocks(side) for side in sides]))


def worst(rows: Sequence[Row]) -> tuple[Row, ...]:
    """The questions of lowest nDCG@10 that are not perfect, worst first, at most `MOST_QUESTIONS`.

    Among equals the lower reciprocal rank comes first, and then the order of the set. Questions without a
    value are not among them.
    """
    imperfect = [
        (value, row) for row in rows if (value := row.metrics.get(MEASURE)) is not None and value < 1
    ]
    imperfect.sort(key=lambda pair: (pair[0], pair[1].metrics.get(TIE_BREAK) or 0.0))
    return tuple(row for _, row in imperfect[:MOST_QUESTIONS])


def _blocks(side: Side) -> tuple[Block, ...]:
    rows = worst(side.result.rows)
    if not rows:
        scored = any(row.metrics.get(MEASURE) is not None for row in side.result.rows)
        words = "Every scored question was answered perfectly." if scored else "No question was scored."
        return (Paragraph(words),)
    words = f"By {describe(MEASURE).title}, lowest first. Gold units are marked."
    return (Paragraph(words), *(_details(row) for row in rows))


def _details(row: Row) -> QuestionDetails:
    gold, places = relevant(row), ranked(row)
    facts = {
        "id": row.question_id,
        "kind": row.kind,
        "failed": row.error,
        "gold": "; ".join(f"{unit} (grade {grade})" if grade != 1 else unit for unit, grade in gold.items()),
        "gold by stage": _by_stage(row),
        "gate": _gate(row),
    }
    below = [f"{place}" for place, unit in enumerate(places, 1) if unit in gold and place > MOST_RANKS]
    facts["gold below these ranks"] = ", ".join(below)
    return QuestionDetails(
        value=decimal(row.metrics[MEASURE] or 0.0),
        question=row.question,
        language=row.language if _LANGUAGE.fullmatch(row.language) else "",
        facts=tuple((label, value) for label, value in facts.items() if value),
        ranking=tuple(Ranked(unit, unit in gold) for unit in places[:MOST_RANKS]),
    )


def _by_stage(row: Row) -> str:
    """The rank of each gold unit at each stage: `dense 3, absent; fused 7, absent`."""
    parts = []
    for stage in STAGES:
        if stage in row.stages:
            ranks = [row.stages[stage].get(unit) for unit in relevant(row)]
            parts.append(f"{stage} " + ", ".join(ABSENT if rank is None else str(rank) for rank in ranks))
    return "; ".join(parts)


def _gate(row: Row) -> str:
    if row.abstained is None:
        return ""
    did = "refused" if row.abstained else "answered"
    return did if row.gate_score is None else f"{did} at {decimal(row.gate_score)}"
