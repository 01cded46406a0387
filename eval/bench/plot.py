"""A result as a drawing, readable on light and dark paper: how each cost grows with the number of leaves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from eval.bench.log import Record
from eval.bench.quantities import BUILDS, BY_NAME, BuildName
from eval.bench.result import Comparison, compare

PANELS: Final = ("add", "delete", "reopen", "scoped_tenth_p50", "query_p50", "indexing_rate")
COLUMNS, PANEL_WIDTH, PANEL_HEIGHT = 3, 270, 190
LEFT, RIGHT, TOP, BOTTOM = 54, 24, 34, 30
HEAD = 44

STYLE: Final = """
text{font:12px system-ui,sans-serif;fill:#333}.title{font-weight:600}.tick{font-size:10px;fill:#666}
.grid{stroke:#ddd}.prism{stroke:#0b6bcb;fill:#0b6bcb}.plain{stroke:#b4541a;fill:#b4541a}
polyline{stroke-width:2}polyline.prism,polyline.plain{fill:none}polyline.plain{stroke-dasharray:5 3}
text.prism,text.plain{stroke:none;font-weight:600}
@media (prefers-color-scheme:dark){text{fill:#ddd}.tick{fill:#aaa}.grid{stroke:#444}
.prism{stroke:#6db3ff;fill:#6db3ff}.plain{stroke:#ffa366;fill:#ffa366}}
"""


def write_plot(file: Path, records: Sequence[Record]) -> None:
    """Write the drawing as SVG."""
    file.write_text(draw(compare(records)), encoding="utf-8")


def draw(comparisons: Sequence[Comparison]) -> str:
    """One panel per quantity, both axes logarithmic, a line per build."""
    shown = [name for name in PANELS if any(item.quantity == name and item.leaves for item in comparisons)]
    width = COLUMNS * PANEL_WIDTH
    height = HEAD + math.ceil(len(shown) / COLUMNS) * PANEL_HEIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
        "<title>Prism beside the plain LlamaIndex build, by number of leaves</title>",
        f"<style>{STYLE}</style>",
        f'<text class="prism" x="{LEFT}" y="22">Prism</text>',
        f'<text class="plain" x="{LEFT + 54}" y="22">plain LlamaIndex (dashed)</text>',
        f'<text class="tick" x="{width - RIGHT}" y="22" text-anchor="end">'
        "leaves → (both axes logarithmic)</text>",
    ]
    for place, name in enumerate(shown):
        rows = sorted(
            (item for item in comparisons if item.quantity == name and item.leaves),
            key=lambda item: item.leaves,
        )
        row, column = divmod(place, COLUMNS)
        parts.append(f'<g transform="translate({column * PANEL_WIDTH} {HEAD + row * PANEL_HEIGHT})">')
        parts += _panel(name, rows)
        parts.append("</g>")
    return "\n".join((*parts, "</svg>")) + "\n"


def _panel(name: str, rows: Sequence[Comparison]) -> list[str]:
    quantity = BY_NAME[name]
    across = _Scale([row.leaves for row in rows], LEFT, PANEL_WIDTH - RIGHT, decades=False)
    up = _Scale(
        [value for row in rows for value in (row.prism, row.plain)], PANEL_HEIGHT - BOTTOM, TOP, decades=True
    )
    better = "less is better" if quantity.better == "lower" else "more is better"
    parts = [
        f'<text class="title" x="{LEFT}" y="14">{quantity.title}</text>',
        f'<text class="tick" x="{LEFT}" y="27">{quantity.unit}, {better}</text>',
    ]
    for value in up.ticks():
        parts.append(
            f'<line class="grid" x1="{LEFT}" x2="{PANEL_WIDTH - RIGHT}" '
            f'y1="{up(value):.1f}" y2="{up(value):.1f}"/>'
        )
        parts.append(
            f'<text class="tick" x="{LEFT - 5}" y="{up(value) + 3:.1f}" text-anchor="end">{value:,g}</text>'
        )
    parts += [
        f'<text class="tick" x="{across(row.leaves):.1f}" y="{PANEL_HEIGHT - BOTTOM + 14}" '
        f'text-anchor="middle">{_thousands(row.leaves)}</text>'
        for row in rows
    ]
    for build in BUILDS:
        points = [(across(row.leaves), up(_value(row, build))) for row in rows]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline class="{build}" points="{path}"/>')
        parts += [f'<circle class="{build}" cx="{x:.1f}" cy="{y:.1f}" r="3"/>' for x, y in points]
    return parts


class _Scale:
    """Values to places, by their logarithm; `decades` widens the range to whole powers of ten."""

    def __init__(self, values: Sequence[float], first: float, last: float, *, decades: bool) -> None:
        low, high = math.log10(min(values)), math.log10(max(values))
        if decades:
            low, high = math.floor(low), max(math.ceil(high), math.floor(low) + 1)
        self._low, self._high = low, high
        self._first, self._last = first, last

    def __call__(self, value: float) -> float:
        if self._high == self._low:
            return (self._first + self._last) / 2
        share = (math.log10(value) - self._low) / (self._high - self._low)
        return self._first + share * (self._last - self._first)

    def ticks(self) -> list[float]:
        """The powers of ten within the range."""
        return [10.0**power for power in range(math.ceil(self._low), math.floor(self._high) + 1)]


def _value(row: Comparison, build: BuildName) -> float:
    return row.prism if build == "prism" else row.plain


def _thousands(leaves: int) -> str:
    return f"{leaves // 1000}k" if leaves >= 1000 else str(leaves)
