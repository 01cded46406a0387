"""Columns of text that line up, in whatever script."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len


def line_up(rows: Sequence[Sequence[str]], *, numbers: Sequence[int] = (), indent: int = 0) -> list[str]:
    """Rows as lines, two spaces between columns, by the width that a terminal gives each text.

    Args:
        rows: of equal length.
        numbers: places of the columns that are set flush right.
        indent: spaces before each line.
    """
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    return [
        " " * indent
        + "  ".join(
            _padded(cell, width, is_number=place in numbers)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _padded(text: str, width: int, *, is_number: bool) -> str:
    spaces = " " * (width - cell_len(text))
    return spaces + text if is_number else text + spaces
