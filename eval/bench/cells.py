"""Numbers as the tables show them."""

from __future__ import annotations

import math

from eval.bench.statistics import Ratio


def number(value: float) -> str:
    """Three digits that count, thousands set apart."""
    if value == 0:
        return "0"
    decimals = max(0, 2 - math.floor(math.log10(abs(value))))
    return f"{value:,.{min(decimals, 4)}f}"


def interval(ratio: Ratio) -> str:
    """A ratio and, in brackets, from where to where it lies."""
    high = number(ratio.high) if math.isfinite(ratio.high) else "∞"
    return f"{number(ratio.mean)} ({number(ratio.low)} to {high})"
