"""Means with intervals: a row a measure and result, its marker at the mean on the whisker of the interval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from eval.metrics.catalogue import describe
from eval.report import svg
from eval.report.sides import Side
from eval.wording.figures import decimal, interval, measure_title

ZERO, ONE = 7.0, 84.0
"""Places of the values 0 and 1, in per cent of the width; letters stand left of them, values right."""

TICKS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
LABEL_PX, ROW_PX, GAP_PX, AXIS_PX = 18, 18, 8, 22
CAP_PX = 4


def interval_plot(sides: Sequence[Side], metrics: Sequence[str]) -> str:
    """The drawing for these measures. A result without a value of one has a row that says so."""
    keys = [_key(side) for side in sides] if len(sides) > 1 else []
    parts, top_px = svg.key(keys, 0)
    block_px = LABEL_PX + ROW_PX * len(sides) + GAP_PX
    height_px = top_px + AXIS_PX + block_px * len(metrics)
    for tick in TICKS:
        parts.append(svg.line("grid", (_across(tick), _across(tick)), (top_px + AXIS_PX, height_px)))
        parts.append(svg.text(_across(tick), top_px + 14, f"{tick:g}", "tick", "middle"))
    for place, name in enumerate(metrics):
        parts += _block(sides, name, top_px + AXIS_PX + block_px * place)
    return svg.drawing(
        "Quality: means with 95 % intervals",
        "One row for each measure and result, from 0 to 1. The table beside it holds the numbers.",
        height_px,
        parts,
    )


def _block(sides: Sequence[Side], name: str, top_px: float) -> list[str]:
    parts = [svg.text(0, top_px + 13, measure_title(name), "label")]
    for side in sides:
        middle_px = top_px + LABEL_PX + ROW_PX * side.place + ROW_PX / 2
        if side.letter:
            parts.append(svg.text(0, middle_px + 4, side.letter, "tick"))
        summary = side.result.metrics.get(name)
        if summary is None:
            parts.append(svg.text(ZERO, middle_px + 4, "no value", "tick"))
            continue
        low, high = _across(summary.low), _across(summary.high)
        whisker = f"whisker series-{side.place}"
        parts.append(svg.line(whisker, (low, high), (middle_px, middle_px)))
        parts += [
            svg.line(whisker, (end, end), (middle_px - CAP_PX, middle_px + CAP_PX)) for end in (low, high)
        ]
        hint = side.headed(f"{describe(name).title} {interval(summary)}")
        parts.append(svg.marker(side.place, side.place, _across(summary.mean), middle_px, hint))
        parts.append(svg.text(100, middle_px + 4, decimal(summary.mean), "value", "end"))
    return parts


def _key(side: Side) -> tuple[str, str]:
    return f'<g class="marker series-{side.place}">{svg.SHAPES[side.place]}</g>', side.name


def _across(value: float) -> float:
    return ZERO + value * (ONE - ZERO)
