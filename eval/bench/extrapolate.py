"""Extrapolate: what a size nobody measured would cost, on a straight line through the two largest measured.

A cost that grows with the logarithm, as walking the graph does, is told too high by it. None is told too low
as long as everything a question touches fits into memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from eval.bench.log import Record
from eval.bench.quantities import BUILDS, QUANTITIES, BuildName, Quantity
from prism.errors import UsageError

FIXED: Final = ("embedding_rate", "embedding_share", "recall")
"""What does not grow with the corpus, or not on a line."""


@dataclass(frozen=True, slots=True)
class Extrapolated:
    """One quantity of one build: medians at the two largest sizes, and the value on paper.

    A rate is told as the seconds that all leaves take together, since those are what grows.
    """

    build: BuildName
    title: str
    unit: str
    smaller: float
    larger: float
    on_paper: float


def two_largest_sizes(records: Sequence[Record]) -> tuple[int, int]:
    """The sizes the line goes through. Raises `UsageError` where there are no two."""
    sizes = sorted({record.leaves for record in records if record.leaves})
    if len(sizes) < 2:
        raise UsageError("extrapolating needs a result of at least two sizes: python -m eval bench --leaves")
    return sizes[-2], sizes[-1]


def extrapolate(records: Sequence[Record], leaves: int) -> tuple[Extrapolated, ...]:
    """Every quantity that grows with the corpus, at `leaves`, in the order of `QUANTITIES`.

    Raises:
        UsageError: fewer than two sizes were measured, or `leaves` is within what was.
    """
    sizes = two_largest_sizes(records)
    if leaves <= sizes[1]:
        raise UsageError(f"{leaves:,} leaves: {sizes[1]:,} were measured; extrapolate to more")
    growing = (quantity for quantity in QUANTITIES if quantity.name not in FIXED)
    found = (_extrapolated(records, sizes, leaves, build, each) for each in growing for build in BUILDS)
    return tuple(each for each in found if each is not None)


def on_line(first: tuple[float, float], second: tuple[float, float], at: float) -> float:
    """The line through two points at a place beyond the second; a cost that fell is held where it was."""
    (x1, y1), (x2, y2) = first, second
    return y2 + max(0.0, (y2 - y1) / (x2 - x1)) * (at - x2)


def _extrapolated(
    records: Sequence[Record], sizes: tuple[int, int], leaves: int, build: BuildName, quantity: Quantity
) -> Extrapolated | None:
    smaller, larger = (_cost(records, size, build, quantity) for size in sizes)
    if smaller is None or larger is None:
        return None
    is_rate = quantity.better == "higher"
    return Extrapolated(
        build,
        f"{quantity.title}, all" if is_rate else quantity.title,
        "s" if is_rate else quantity.unit,
        smaller,
        larger,
        on_line((sizes[0], smaller), (sizes[1], larger), leaves),
    )


def _cost(records: Sequence[Record], leaves: int, build: BuildName, quantity: Quantity) -> float | None:
    values = [
        record.value
        for record in records
        if (record.leaves, record.build, record.quantity) == (leaves, build, quantity.name)
    ]
    if not values:
        return None
    return leaves / median(values) if quantity.better == "higher" else median(values)
