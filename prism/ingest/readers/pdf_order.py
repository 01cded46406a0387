"""The order in which a page's lines are read.

Programs mostly draw text in reading order, and for columns of prose that order is better than any guess.
Table pages are the exception: some programs draw them column by column, so that a row's cells lie far
apart in the file. Such a page is put in visual order: row by row, left to right.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from prism.ingest.readers.pdf_line import Line

_SAME_ROW_EM = 0.4
_LARGE = 1.15
_TOP = 0.8
_MAX_CELL_WIDTH = 0.25
_MIN_SCATTERED_SHARE = 0.5
_MIN_LINES = 12


def visual_order(lines: Sequence[Line]) -> list[Line]:
    """`lines` as drawn, or row by row when the page is a table drawn column by column."""
    if len(lines) < _MIN_LINES or not _is_drawn_by_column(lines):
        return list(lines)
    return by_rows(lines)


def title_first(lines: Sequence[Line], height: float) -> list[Line]:
    """`lines` with large print across the middle of the page's top before what was drawn earlier but stands
    below it. (Large print at one side heads a column.)"""
    if not lines:
        return []
    centre = (min(line.left for line in lines) + max(line.right for line in lines)) / 2
    large = _LARGE * sorted(line.size for line in lines)[len(lines) // 2]
    is_large = [
        line.size >= large and line.middle > _TOP * height and line.left < centre < line.right
        for line in lines
    ]
    below = max((line.top for line, found in zip(lines, is_large, strict=True) if not found), default=height)
    is_title = [found and line.middle > below for line, found in zip(lines, is_large, strict=True)]
    titles = [line for line, found in zip(lines, is_title, strict=True) if found]
    return [*titles, *(line for line, found in zip(lines, is_title, strict=True) if not found)]


def by_rows(lines: Sequence[Line]) -> list[Line]:
    """`lines` row by row from the top, each from left to right."""
    return [line for row in _rows(lines) for line in row]


def left_to_right(lines: Sequence[Line]) -> list[Line]:
    """`lines` as drawn, with those that follow each other in one row put from left to right."""
    rows: list[list[Line]] = []
    for line in lines:
        if rows and abs(rows[-1][0].middle - line.middle) < _SAME_ROW_EM * line.size:
            rows[-1].append(line)
        else:
            rows.append([line])
    return [line for row in rows for line in sorted(row, key=lambda line: line.left)]


def beside_labels(lines: Sequence[Line], filled: Sequence[Line]) -> list[Line]:
    """`lines` with what is filled in on a form after the line to the left of it, else above the first one
    below it."""
    result = list(lines)
    for field in filled:
        labels = [
            at
            for at, line in enumerate(result)
            if line.left < field.left and line.bottom < field.middle and field.bottom < line.middle
        ]
        below = (at for at, line in enumerate(result) if line.top < field.middle)
        place = max(labels, key=lambda at: result[at].left) + 1 if labels else next(below, len(result))
        result.insert(place, field)
    return result


def _is_drawn_by_column(lines: Sequence[Line]) -> bool:
    """Whether most lines are narrow and share their row with a line drawn far from them."""
    width = max(line.right for line in lines) - min(line.left for line in lines)
    narrow = [line.right - line.left < _MAX_CELL_WIDTH * width for line in lines]
    place = {id(line): at for at, line in enumerate(lines)}
    scattered = sum(
        len(row)
        for row in _rows(lines)
        if len(row) > 1 and any(abs(place[id(a)] - place[id(b)]) > len(row) for a, b in pairwise(row))
    )
    return sum(narrow) > _MIN_SCATTERED_SHARE * len(lines) < scattered


def _rows(lines: Sequence[Line]) -> list[list[Line]]:
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: -line.middle):
        if rows and abs(rows[-1][0].middle - line.middle) < _SAME_ROW_EM * line.size:
            rows[-1].append(line)
        else:
            rows.append([line])
    return [sorted(row, key=lambda line: line.left) for row in rows]
