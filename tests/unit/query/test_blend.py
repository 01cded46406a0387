"""Two orders joined by weight. Scaled by spread, `.5 + (score - mean) / (6 · deviation)`, by hand:
.9 .5 .1 become .704 .5 .296 (deviation .3266), and 0 0 3, equal ones counting once, ⅓ ⅓ ⅔ (deviation 1.5)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from prism.query.blend import blend
from prism.types import Candidate

BEFORE = (0.9, 0.5, 0.1)
STEP = 0.4 / (6 * math.sqrt(0.32 / 3))
LOW, HIGH = 0.5 - 1.5 / (6 * 1.5), 0.5 + 1.5 / (6 * 1.5)


def pool(*scores: float, names: str = "abcdef") -> list[Candidate]:
    return [Candidate(name, score, {"dense": 1}) for name, score in zip(names, scores, strict=False)]


def blended(
    before: Sequence[float], after: Sequence[float], weight: float, names: str = "abcdef"
) -> list[tuple[str, float]]:
    found = blend(pool(*before, names=names), after, weight=weight)
    assert all(item.legs == {"dense": 1} for item in found)
    return [(item.node_id, item.score) for item in found]


def close(*expected: tuple[str, float]) -> list[tuple[str, object]]:
    return [(name, pytest.approx(score)) for name, score in expected]


def test_weight_0_keeps_the_order_that_fusion_gave() -> None:
    assert blended(BEFORE, (0, 0, 3), 0.0) == close(("a", 0.5 + STEP), ("b", 0.5), ("c", 0.5 - STEP))


def test_weight_1_orders_by_the_reranker_alone_and_ties_by_id() -> None:
    assert blended(BEFORE, (0, 0, 3), 1.0) == close(("c", HIGH), ("a", LOW), ("b", LOW))


def test_between_them_each_counts_by_its_weight() -> None:
    expected = {
        "a": 0.75 * (0.5 + STEP) + 0.25 * LOW,
        "b": 0.75 * 0.5 + 0.25 * LOW,
        "c": 0.75 * (0.5 - STEP) + 0.25 * HIGH,
    }
    found = blended(BEFORE, (0, 0, 3), 0.25)
    assert dict(found) == pytest.approx(expected)
    assert [name for name, _ in found] == ["a", "b", "c"]
    assert [name for name, _ in blended(BEFORE, (0, 0, 3), 0.5)] == ["a", "c", "b"]


def test_how_large_the_scores_of_either_are_means_nothing() -> None:
    once = blended(BEFORE, (0, 0, 3), 0.5)
    assert blended((90, 50, 10), (-7, -7, -6.97), 0.5) == close(*once)


def test_equal_scores_of_one_leave_the_order_to_the_other() -> None:
    assert blended((0.4, 0.4, 0.4), (0, 0, 3), 0.5) == close(
        ("c", (1 + HIGH) / 2), ("a", (1 + LOW) / 2), ("b", (1 + LOW) / 2)
    )
    assert [name for name, _ in blended(BEFORE, (0.7, 0.7, 0.7), 0.9)] == ["a", "b", "c"]


def test_leaves_that_neither_tells_apart_come_by_id() -> None:
    assert blended((0.4, 0.4), (2, 2), 0.5, names="ba") == close(("a", 1.0), ("b", 1.0))


def test_a_single_leaf_and_an_empty_pool() -> None:
    assert blended((0.1,), (-0.3,), 0.5) == close(("a", 1.0))
    assert blend([], [], weight=0.5) == ()


def test_too_few_scores_are_an_error_and_no_shorter_pool() -> None:
    with pytest.raises(ValueError, match="shorter"):
        blend(pool(*BEFORE), (1.0, 2.0), weight=0.5)
