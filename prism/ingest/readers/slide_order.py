"""In which order a slide's shapes are read: by where they stand, for files list them as they were drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

_MARGIN: Final = 0.08
"""Share of a frame's width and height that may overlap its neighbour: frames are larger than their text."""

_MIN_ROWS: Final = 3
"""So many aligned rows are a table drawn with boxes (a label, its value); fewer are columns side by side."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Where a shape stands, in any unit, from the top left."""

    left: float
    top: float
    right: float
    bottom: float


def reading_order(frames: Sequence[Frame | None]) -> list[int]:
    """Indices in reading order: the slide is cut along its widest gaps (recursive X-Y cut, Nagy & Seth 1984),
    columns before rows. Where one frame is not known, the file's order stands."""
    known = [_shrunk(frame) for frame in frames if frame is not None]
    if len(known) < len(frames):
        return list(range(len(frames)))
    return _cut(list(range(len(frames))), known)


def _shrunk(frame: Frame) -> Frame:
    across, down = (frame.right - frame.left) * _MARGIN, (frame.bottom - frame.top) * _MARGIN
    return Frame(frame.left + across, frame.top + down, frame.right - across, frame.bottom - down)


def _cut(indices: list[int], frames: Sequence[Frame]) -> list[int]:
    if len(indices) < 2:
        return indices
    if rows := _aligned_rows(indices, frames):
        return [index for row in rows for index in row]
    columns, column_gap = _widest(indices, lambda place: (frames[place].left, frames[place].right))
    rows, row_gap = _widest(indices, lambda place: (frames[place].top, frames[place].bottom))
    best = columns if column_gap >= row_gap else rows
    if not best:
        return sorted(indices, key=lambda place: (frames[place].top, frames[place].left))
    return [index for group in best for index in _cut(group, frames)]


def _widest(indices: list[int], sides: Callable[[int], tuple[float, float]]) -> tuple[list[list[int]], float]:
    """The two groups on either side of the widest gap, and its width; none and -1 where there is no gap."""
    ordered = sorted(indices, key=sides)
    best, place, reach = -1.0, 0, sides(ordered[0])[1]
    for at, index in enumerate(ordered[1:], 1):
        start, end = sides(index)
        if start - reach > best and start >= reach:
            best, place = start - reach, at
        reach = max(reach, end)
    return ([ordered[:place], ordered[place:]], best) if place else ([], -1.0)


def _aligned_rows(indices: list[int], frames: Sequence[Frame]) -> list[list[int]]:
    """The rows of boxes that stand like the cells of a table, or nothing."""
    rows: list[list[int]] = []
    for index in sorted(indices, key=lambda place: frames[place].top):
        frame = frames[index]
        last = frames[rows[-1][0]] if rows else None
        if last is not None and abs(frame.top - last.top) <= 0.25 * (last.bottom - last.top):
            rows[-1].append(index)
        else:
            rows.append([index])
    rows = [sorted(row, key=lambda place: frames[place].left) for row in rows]
    width = len(rows[0])
    if len(rows) < _MIN_ROWS or width < 2 or any(len(row) != width for row in rows):
        return []
    columns = list(zip(*rows, strict=True))
    tolerance = 0.25 * min(frames[index].right - frames[index].left for index in indices)
    is_table = all(
        max(frames[index].left for index in column) - min(frames[index].left for index in column) <= tolerance
        for column in columns
    )
    return rows if is_table else []
