"""Where gold is found and lost: the stages' tables of ranks, with their drawing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from eval.report.blocks import Figure, Paragraph, Section, Table
from eval.report.ranks import ABSENT, BUCKETS, gold_ranks
from eval.report.ranks_plot import ranks_plot
from eval.report.sides import Side
from eval.wording.figures import share

TITLE: Final = "Where gold is found and lost"


def stages_section(sides: Sequence[Side]) -> Section:
    """For each stage the share of gold units in its list, and at which rank."""
    ranks = [gold_ranks(side.result.rows) for side in sides]
    rows = tuple(
        (
            side.headed(item.stage),
            share(item.found, item.units),
            *map(str, item.counts),
            str(item.absent),
        )
        for side, items in zip(sides, ranks, strict=True)
        for item in items
    )
    if not rows:
        return Section(TITLE, (Paragraph("No stage ran on a question with gold."),))
    heads = [f"rank {name}" if name[0].isdigit() else name for name, _ in BUCKETS]
    return Section(
        TITLE,
        (
            Paragraph(
                "Dense and keyword are the two legs, side by side; the others follow one another. Gold that "
                "a leg holds and a later stage does not was lost there. Merging may gain some, since a "
                "parent holds more than its leaves."
            ),
            Figure("Ranks of the gold units by stage", ranks_plot(sides, ranks)),
            Table(
                "Gold units by stage and rank. Found: those anywhere in the stage's list",
                ("stage", "found", *heads, ABSENT),
                rows,
            ),
        ),
    )
