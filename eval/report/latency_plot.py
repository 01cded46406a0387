"""How long stages take: a line from p50 to p99 a stage and result, on a logarithmic axis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from eval.report import svg
from eval.report.sides import Side
from eval.wording.figures import milliseconds

FIRST, LAST = 7.0, 96.0
"""Places of the axis' ends in per cent of the width."""

PERCENTILES: Final = {"p50": 0, "p95": 1, "p99": 2}
"""Each with its marker's shape."""

LEAST_MS: Final = 0.01
"""A logarithm needs a time above 0; shorter ones are drawn here."""

LABEL_PX, ROW_PX, GAP_PX, AXIS_PX = 18, 16, 8, 22


def latency_plot(sides: Sequence[Side], stages: Sequence[str]) -> str:
    """The drawing for these stages. A result in which a stage did not run has an empty row."""
    keys = [
        (f'<g class="marker series-0">{svg.SHAPES[shape]}</g>', name) for name, shape in PERCENTILES.items()
    ]
    parts, top_px = svg.key(keys, 0, columns=3)
    if len(sides) > 1:
        named = [(f'<g class="bar series-{side.place}">{_SWATCH}</g>', side.name) for side in sides]
        below, top_px = svg.key(named, top_px)
        parts += below
    block_px = LABEL_PX + ROW_PX * len(sides) + GAP_PX
    height_px = top_px + AXIS_PX + block_px * len(stages)
    powers = _powers_of_ten(sides, stages)
    for power in range(powers[0], powers[1] + 1):
        across = _across(10.0**power, powers)
        parts.append(svg.line("grid", (across, across), (top_px + AXIS_PX, height_px)))
        anchor = "end" if power == powers[1] else "middle"
        parts.append(svg.text(across, top_px + 14, _tick(power), "tick", anchor))
    for place, stage in enumerate(stages):
        down_px = top_px + AXIS_PX + block_px * place
        parts.append(svg.text(0, down_px + 13, stage, "label"))
        for side in sides:
            parts += _row(side, stage, down_px + LABEL_PX + ROW_PX * (side.place + 0.5), powers)
    return svg.drawing(
        "Latency: p50, p95 and p99 of each stage",
        "One row for each stage and result, in milliseconds on a logarithmic axis. The table beside it holds "
        "the numbers.",
        height_px,
        parts,
    )


_SWATCH: Final = '<path d="M-6-3H6v6H-6z"/>'


def _row(side: Side, stage: str, middle_px: float, powers: tuple[int, int]) -> list[str]:
    parts = [svg.text(0, middle_px + 4, side.letter, "tick")] if side.letter else []
    spent_ms = side.result.latency_ms.get(stage, {})
    places = {name: _across(spent_ms[name], powers) for name in PERCENTILES if name in spent_ms}
    if not places:
        return parts
    ends = (min(places.values()), max(places.values()))
    parts.append(svg.line(f"whisker series-{side.place}", ends, (middle_px, middle_px)))
    for name, across in places.items():
        hint = side.headed(f"{stage} {name} {milliseconds(spent_ms[name])} ms")
        parts.append(svg.marker(PERCENTILES[name], side.place, across, middle_px, hint))
    return parts


def _powers_of_ten(sides: Sequence[Side], stages: Sequence[str]) -> tuple[int, int]:
    """The powers of ten between which all times lie."""
    times_ms = [
        max(spent_ms, LEAST_MS)
        for side in sides
        for stage in stages
        for spent_ms in side.result.latency_ms.get(stage, {}).values()
    ] or [1.0]
    low = math.floor(math.log10(min(times_ms)))
    return low, max(math.ceil(math.log10(max(times_ms))), low + 1)


def _across(value_ms: float, powers: tuple[int, int]) -> float:
    low, high = powers
    return FIRST + (math.log10(max(value_ms, LEAST_MS)) - low) / (high - low) * (LAST - FIRST)


def _tick(power: int) -> str:
    return f"{10**power / 1000:,g} s" if power >= 3 else f"{10.0**power:g} ms"
