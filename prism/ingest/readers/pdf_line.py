"""One line of a PDF page: its words and where they stand."""

from __future__ import annotations

from dataclasses import dataclass

HYPHEN_AT_END = "\x02"
"""Marks a line whose last word PDFium says goes on in the next line."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a page. Places in points from the page's lower left corner; `size` is the height of
    its characters' em box; `cells` are its parts between wide gaps, `lefts` where each begins."""

    cells: tuple[str, ...]
    lefts: tuple[float, ...]
    right: float
    bottom: float
    top: float
    size: float
    is_bold: bool

    @property
    def text(self) -> str:
        """The line as running text."""
        return " ".join(self.cells)

    @property
    def left(self) -> float:
        """Where the line begins."""
        return self.lefts[0]

    @property
    def middle(self) -> float:
        """Half way between bottom and top."""
        return (self.bottom + self.top) / 2
