"""Numbers and measures as a reader sees them, the same everywhere."""

from __future__ import annotations

import math

from eval.metrics.catalogue import describe
from eval.outcome.result import Summary

NONE = "–"
"""Stands where there is no value."""


def measure_title(name: str) -> str:
    """What a measure is called, and which way is better where that is down."""
    metric = describe(name)
    return f"{metric.title} (less is better)" if metric.higher_is_better is False else metric.title


def decimal(value: float) -> str:
    """A mean of something between 0 and 1, three decimals: 0.713."""
    return f"{value:.3f}"


def difference(value: float) -> str:
    """A difference of such means with its sign: +0.012, −0.004, 0.000."""
    text = f"{value:+.3f}".replace("-", "−")
    return "0.000" if text[1:] == "0.000" else text


def interval(summary: Summary) -> str:
    """A mean with its 95 % interval: 0.713 (0.690 to 0.740)."""
    return f"{decimal(summary.mean)} ({decimal(summary.low)} to {decimal(summary.high)})"


def share(part: int, whole: int) -> str:
    """A part of a whole with its percentage: 9/10 (90 %); without a whole there is no share."""
    return f"{part}/{whole} ({percent(part / whole)})" if whole else NONE


def percent(ratio: float) -> str:
    """A ratio in whole per cent, which says 100 or 0 only where it is all or nothing."""
    rounded = round(100 * ratio)
    if rounded == 100 and ratio < 1:
        return ">99 %"
    return "<1 %" if rounded == 0 and ratio > 0 else f"{rounded} %"


def milliseconds(value_ms: float) -> str:
    """A time of three digits that count, at most two decimals: <0.01, 0.04, 1.53, 41.2, 1,240."""
    if value_ms < 0.005:
        return "<0.01" if value_ms > 0 else "0"
    decimals = min(2, max(0, 2 - math.floor(math.log10(value_ms))))
    return f"{value_ms:,.{decimals}f}"
