from __future__ import annotations

import pytest
from scipy.stats import binomtest

from eval.calibrate.wilson import wilson


@pytest.mark.parametrize(("part", "whole"), [(0, 7), (7, 7), (1, 3), (45, 50), (850, 1000)])
def test_bounds_are_those_of_scipy(part: int, whole: int) -> None:
    low, high = binomtest(part, whole).proportion_ci(confidence_level=0.95, method="wilson")
    assert wilson(part, whole) == pytest.approx((low, high), abs=1e-6)


def test_of_no_questions_nothing_is_known() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
