"""Parts of drawings that fit any width.

Places across are percentages of the drawing's width, heights are pixels, and text keeps its size: on a narrow
screen the drawing gets narrower, not its letters smaller. Colours are custom properties of the page
(`style.py`). Each series has a shape besides its colour.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from eval.wording.escape import as_html, one_line

SHAPES: Final = (
    '<circle r="4.5"/>',
    '<path d="M0-6 6 0 0 6-6 0z"/>',
    '<path d="M-4.5-4.5h9v9h-9z"/>',
    '<path d="M0-5.5 6 4.5H-6z"/>',
    '<path d="M0 5.5 6-4.5H-6z"/>',
    '<path d="M-2-6h4v4h4v4h-4v4h-4v-4h-4v-4h4z"/>',
)
"""Markers around 0, 0, one a series."""

KEY_ROW_PX: Final = 20
LABEL_MOST: Final = 44
"""Letters of a label; so many fit into 340 px."""


def drawing(title: str, description: str, height_px: float, parts: Sequence[str]) -> str:
    """An SVG element as wide as its place, named for those who do not see it."""
    return "\n".join(
        (
            f'<svg class="plot" width="100%" height="{height_px:g}" role="img" '
            f'aria-label="{as_html(f"{title}. {description}")}">',
            f"<title>{as_html(title)}</title>",
            *parts,
            "</svg>",
        )
    )


def text(
    across: float, down_px: float, words: str, name: str, anchor: str = "start", width: int = LABEL_MOST
) -> str:
    """Words, cut at `width` letters, as a `<text>` of class `name` with its start, middle or end here."""
    return (
        f'<text class="{name}" x="{across:.2f}%" y="{down_px:g}" text-anchor="{anchor}">'
        f"{as_html(shortened(words, width))}</text>"
    )


def line(name: str, across: tuple[float, float], down_px: tuple[float, float]) -> str:
    """A straight line."""
    return (
        f'<line class="{name}" x1="{across[0]:.2f}%" x2="{across[1]:.2f}%" '
        f'y1="{down_px[0]:g}" y2="{down_px[1]:g}"/>'
    )


def marker(shape: int, series: int, across: float, down_px: float, title: str = "") -> str:
    """A marker with its middle here. `shape` and `series` (its colour) are places in `SHAPES`."""
    named = f"<title>{as_html(title)}</title>" if title else ""
    return (
        f'<svg class="marker series-{series}" x="{across:.2f}%" y="{down_px:g}" overflow="visible">'
        f"{named}{SHAPES[shape]}</svg>"
    )


def key(entries: Sequence[tuple[str, str]], top_px: float, columns: int = 1) -> tuple[list[str], float]:
    """Markers with what they mean, row by row, and where the drawing goes on below.

    An entry is a drawn marker's inside and its words. Three columns hold some ten letters each.
    """
    parts = []
    for place, (inside, words) in enumerate(entries):
        row, column = divmod(place, columns)
        down_px = top_px + KEY_ROW_PX * row
        parts.append(
            f'<svg x="{100 * column / columns:.2f}%" y="{down_px:g}" overflow="visible">'
            f'<g transform="translate(10 10)">{inside}</g>'
            f'<text class="label" x="26" y="14">{as_html(shortened(words, LABEL_MOST))}</text></svg>'
        )
    rows = math.ceil(len(entries) / columns)
    return parts, top_px + KEY_ROW_PX * rows


def shortened(words: str, most: int) -> str:
    """The words on one line, with an ellipsis where they were cut to `most` letters."""
    flat = one_line(words)
    return flat if len(flat) <= most else flat[: most - 1].rstrip() + "…"
