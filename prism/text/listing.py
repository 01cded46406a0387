"""Page numbers as a person writes them: `2, 5–7 and 12 more`."""

from __future__ import annotations

from collections.abc import Sequence

_MOST = 10


def listed(sheets: Sequence[int], *, most: int = _MOST) -> str:
    """Sheets in order, neighbours as ranges; of more than `most` ranges the rest is counted.

    Args:
        sheets: rising, each once.
    """
    ranges: list[list[int]] = []
    for sheet in sheets:
        if ranges and ranges[-1][-1] + 1 == sheet:
            ranges[-1].append(sheet)
        else:
            ranges.append([sheet])
    named = ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in ranges[:most])
    left = sum(map(len, ranges[most:]))
    return f"{named} and {left} more" if left else named
