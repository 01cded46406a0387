"""One line of a PDF page: its words and where they stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

HYPHEN_AT_END = "\x02"
"""Marks a line whose last word PDFium says goes on in the next line."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a page. Places in points from the page's lower left corner; `size` is the height of
    its characters' em box; `cells` are its parts between wide gaps, `lefts` and `rights` where their ink
    begins and ends. `is_even`: all its gaps are alike, as in a justified line. `is_running`: it is the first
    of a header or footer that comes back. `unreadable`: the share of its letters that have no meaning outside
    their font. `paragraph`: which one of its page a recognized line belongs to, None for own text."""

    cells: tuple[str, ...]
    lefts: tuple[float, ...]
    rights: tuple[float, ...]
    bottom: float
    top: float
    size: float
    is_bold: bool
    is_even: bool = False
    is_running: bool = False
    unreadable: float = 0.0
    paragraph: int | None = None

    @property
    def text(self) -> str:
        """The line as running text."""
        return " ".join(self.cells)

    @property
    def left(self) -> float:
        """Where the line begins."""
        return self.lefts[0]

    @property
    def right(self) -> float:
        """Where the line ends."""
        return self.rights[-1]

    @property
    def middle(self) -> float:
        """Half way between bottom and top."""
        return (self.bottom + self.top) / 2


def with_cells(line: Line, starts: Sequence[int]) -> Line:
    """The line with only the cell boundaries before the cells numbered in `starts` (the first is 0)."""
    ends = [*starts[1:], len(line.cells)]
    return replace(
        line,
        cells=tuple(" ".join(line.cells[start:end]) for start, end in zip(starts, ends, strict=True)),
        lefts=tuple(line.lefts[start] for start in starts),
        rights=tuple(line.rights[end - 1] for end in ends),
    )
