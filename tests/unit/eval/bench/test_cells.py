"""Numbers with three digits that count."""

from __future__ import annotations

import math

import pytest

from eval.bench.cells import interval, number
from eval.bench.statistics import Ratio


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0, "0"),
        (0.01234, "0.0123"),
        (0.00001, "0.0000"),
        (1.234, "1.23"),
        (56.78, "56.8"),
        (12345.6, "12,346"),
    ],
)
def test_three_digits_count(value: float, shown: str) -> None:
    assert number(value) == shown


def test_an_interval_may_have_no_end() -> None:
    assert interval(Ratio(2.0, 1.5, 2.5)) == "2.00 (1.50 to 2.50)"
    assert interval(Ratio(2.0, 0.0, math.inf)) == "2.00 (0 to ∞)"
