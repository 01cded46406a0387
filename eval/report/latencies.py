"""How long the stages took, as drawing and table."""

from __future__ import annotations

from collections.abc import Sequence

from eval.report.blocks import Figure, Paragraph, Section, Table
from eval.report.latency_plot import PERCENTILES, latency_plot
from eval.report.sides import Side
from eval.wording.figures import NONE, milliseconds


def latency_section(sides: Sequence[Side]) -> Section:
    """p50, p95 and p99 of every stage in milliseconds, stages in the order in which they ran."""
    stages = tuple(dict.fromkeys(stage for side in sides for stage in side.result.latency_ms))
    if not stages:
        return Section("Latency", (Paragraph("No times were taken."),))
    heads = [side.headed(name) for side in sides for name in PERCENTILES]
    rows = tuple((stage, *(cell for side in sides for cell in _cells(side, stage))) for stage in stages)
    return Section(
        "Latency",
        (
            Figure("p50, p95 and p99 by stage", latency_plot(sides, stages)),
            Table("Milliseconds by stage", ("stage", *heads), rows),
        ),
    )


def _cells(side: Side, stage: str) -> list[str]:
    spent_ms = side.result.latency_ms.get(stage, {})
    return [milliseconds(spent_ms[name]) if name in spent_ms else NONE for name in PERCENTILES]
