"""Where gold stands: a bar a stage and result, stacked by rank, the gold a stage does not hold at its end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from eval.report import svg
from eval.report.ranks import ABSENT, BUCKETS, STAGES, GoldRanks
from eval.report.sides import Side
from eval.wording.escape import as_html
from eval.wording.figures import percent

LABEL_PX, BAR_PX, ROW_PX, GAP_PX = 20, 18, 22, 6
LETTER_WIDTH: Final = 6.0
"""Per cent of the width that a letter takes before its bar."""

LEGIBLE_SHARE: Final = 0.11
"""Shares below it have no number: on a narrow screen it would not fit."""

# Marks on the bars, so that they are told apart without colour: the first is bare, the last hatched.
_PATTERNS: Final = (
    "",
    '<circle class="mark" cx="3" cy="3" r="1"/>',
    '<path class="mark" d="M0 6 6 0"/>',
    '<path class="mark" d="M0 3H6"/>',
    '<path class="mark" d="M3 0V6"/>',
    '<path class="mark" d="M0 0 6 6M0 6 6 0"/>',
    '<path class="mark strong" d="M0 0 6 6"/>',
)


def ranks_plot(sides: Sequence[Side], ranks: Sequence[Sequence[GoldRanks]]) -> str:
    """The drawing; `ranks` are the stages of each side."""
    names = [f"rank {name}" if name[0].isdigit() else name for name, _ in BUCKETS] + [ABSENT]
    keys = [
        (_piece(bucket, 'x="-7" y="-7" width="14" height="14"'), name) for bucket, name in enumerate(names)
    ]
    key, key_px = svg.key(keys, 0, columns=3)
    parts = [_patterns(), *key]
    down_px = key_px + GAP_PX
    for stage in STAGES:
        shown = [
            (side, item)
            for side, items in zip(sides, ranks, strict=True)
            for item in items
            if item.stage == stage
        ]
        if not shown:
            continue
        parts.append(svg.text(0, down_px + 14, stage, "label"))
        for row, (side, item) in enumerate(shown):
            parts += _bar(side, item, names, down_px + LABEL_PX + ROW_PX * row)
        down_px += LABEL_PX + ROW_PX * len(shown) + GAP_PX
    return svg.drawing(
        "Where each stage holds the gold",
        "One bar for each stage and result, split by the rank of the gold units. The table beside it holds "
        "the numbers.",
        down_px,
        parts,
    )


def _bar(side: Side, item: GoldRanks, names: Sequence[str], top_px: float) -> list[str]:
    first = LETTER_WIDTH if side.letter else 0.0
    parts = [svg.text(0, top_px + 13, side.letter, "tick")] if side.letter else []
    for bucket, count in enumerate((*item.counts, item.absent)):
        share = count / item.units
        if not count:
            continue
        width = share * (100 - (LETTER_WIDTH if side.letter else 0.0))
        place = f'x="{first:.3f}%" y="{top_px:g}" width="{width:.3f}%" height="{BAR_PX}"'
        hint = side.headed(f"{item.stage}, {names[bucket]}: {count} of {item.units} gold units")
        parts.append(_piece(bucket, place, hint))
        if share >= LEGIBLE_SHARE:
            parts.append(_number(bucket, first + width / 2, top_px, percent(share)))
        first += width
    return parts


def _number(bucket: int, across: float, top_px: float, words: str) -> str:
    return (
        f'<text class="share on-{bucket}" x="{across:.2f}%" y="{top_px + 13:g}" '
        f'text-anchor="middle">{words}</text>'
    )


def _piece(bucket: int, place: str, hint: str = "") -> str:
    """A rectangle of the bucket's colour, and over it one of its pattern."""
    title = f"<title>{as_html(hint)}</title>" if hint else ""
    pattern = f'<rect fill="url(#rank-{bucket})" {place}/>' if _PATTERNS[bucket] else ""
    return f'<g>{title}<rect class="rank-{bucket}" {place}/>{pattern}</g>'


def _patterns() -> str:
    made = "".join(
        f'<pattern id="rank-{bucket}" width="6" height="6" patternUnits="userSpaceOnUse">{inside}</pattern>'
        for bucket, inside in enumerate(_PATTERNS)
        if inside
    )
    return f"<defs>{made}</defs>"
