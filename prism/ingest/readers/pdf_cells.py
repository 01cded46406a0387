"""Which gaps in a line part table cells.

A gap of several spaces' width may be a column boundary or a stretched space. It is a boundary when it is
very wide, or when a line above or below has a cell that begins at the same place (or a number that ends
there, in a column set flush right).
"""

from __future__ import annotations

from collections.abc import Sequence

from prism.ingest.readers.builder import is_number
from prism.ingest.readers.pdf_line import Line, with_cells

_SURE_GAP_EM = 1.6
_EVEN_SURE_GAP_EM = 3.5
_ALIGNED_PT = 1.5
_NEIGHBOUR_LINES = 2
_NEIGHBOUR_EM = 4.0


def settle_cells(lines: Sequence[Line]) -> list[Line]:
    """The lines with only those cell boundaries that their width or their neighbours bear out."""
    return [_settled(lines, at) for at in range(len(lines))]


def _settled(lines: Sequence[Line], at: int) -> Line:
    line = lines[at]
    if len(line.cells) == 1:
        return line
    around = (*lines[max(at - _NEIGHBOUR_LINES, 0) : at], *lines[at + 1 : at + 1 + _NEIGHBOUR_LINES])
    near = [other for other in around if abs(other.middle - line.middle) < _NEIGHBOUR_EM * line.size]
    sure = (_EVEN_SURE_GAP_EM if line.is_even else _SURE_GAP_EM) * line.size
    kept = [
        cell
        for cell in range(1, len(line.cells))
        if line.lefts[cell] - line.rights[cell - 1] > sure
        or any(_is_aligned(line, cell, other) for other in near)
    ]
    return with_cells(line, [0, *kept])


def _is_aligned(line: Line, cell: int, other: Line) -> bool:
    return any(
        abs(other.lefts[its] - line.lefts[cell]) < _ALIGNED_PT
        or (
            abs(other.rights[its] - line.rights[cell]) < _ALIGNED_PT
            and is_number(line.cells[cell])
            and is_number(other.cells[its])
        )
        for its in range(1, len(other.cells))
    )
