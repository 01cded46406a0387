"""Ratios and differences, worked by hand from made-up times and scores."""

from __future__ import annotations

import math

import pytest

from eval.rerank_speed.figures import figures, quality, ratio
from eval.rerank_speed.ingest import BlockTimes, Disk
from prism.errors import UsageError
from tests.unit.eval.rerank_speed.made import make_pool, make_timed

DISK = Disk(leaves=10, tokens=1000, bytes=65_000)
SECOND = 1 / math.log2(3)


def test_a_ratio_is_the_geometric_mean_of_the_pairs() -> None:
    # Twice and half cancel out; the mean of the ratios would be 1.25.
    found = ratio([2.0, 1.0], [1.0, 2.0])
    assert found.mean == pytest.approx(1.0)
    assert (found.low, found.high) == pytest.approx((0.5, 2.0))
    alike = ratio([30.0, 60.0, 90.0], [10.0, 20.0, 30.0])
    assert (alike.mean, alike.low, alike.high) == pytest.approx((3.0, 3.0, 3.0))


def test_a_ratio_needs_times_above_zero() -> None:
    with pytest.raises(UsageError, match="positive"):
        ratio([1.0], [0.0])


def test_quality_is_paired_over_the_questions_with_gold() -> None:
    gold = {"a": 1}
    pools = [
        make_pool({"a": 0.5, "b": 0.4}, gold=gold, question_id="1"),
        make_pool({"a": 0.5, "b": 0.4}, gold=gold, question_id="2"),
        make_pool({"a": 0.5, "b": 0.4}, question_id="without gold"),
    ]
    timed = [make_timed((0.2, 0.1)), make_timed((0.1, 0.2), states=(0.2, 0.1)), make_timed((0.1, 0.2))]
    found = quality("alone", pools, timed, 1.0)
    assert found.questions == 2
    assert found.stored.mean == pytest.approx((1 + SECOND) / 2)
    projected, states = found.references
    assert (projected.mean, projected.difference.mean) == (found.stored, 0.0)
    assert states.mean.mean == pytest.approx(1.0)
    assert states.difference.mean == pytest.approx((SECOND - 1) / 2)
    assert states.difference.low <= states.difference.mean <= states.difference.high
    # Fusion alone puts the gold first, whatever the scores say.
    assert quality("fusion", pools, timed, 0.0).stored.mean == pytest.approx(1.0)


def test_without_gold_there_is_no_quality() -> None:
    found = quality("alone", [make_pool({"a": 0.5})], [make_timed((0.1,))], 1.0)
    assert (found.questions, found.stored, found.references) == (0, None, ())


def test_all_figures_together() -> None:
    pools = [make_pool(dict.fromkeys(names, 0.5), question_id=names) for names in ("ab", "abc", "abcd")]
    timed = [
        make_timed((0.2, 0.1), fresh=(0.2, 0.13), stored_ms=1.0, fresh_ms=100.0),
        make_timed((0.2, 0.1, 0.0), stored_ms=2.0, fresh_ms=200.0),
        make_timed((0.2, 0.1, 0.0, 0.0), fresh=(0.2, 0.1, 0.01, 0.0), stored_ms=9.0, fresh_ms=900.0),
    ]
    blocks = [BlockTimes(10, 100.0, 110.0, 120.0), BlockTimes(5, 100.0, 110.0, 120.0)]
    found = figures(pools, timed, blocks, DISK, weight=0.5)
    assert (found.questions, found.pool_leaves, found.stored_ms, found.fresh_ms) == (3, 3, 2.0, 200.0)
    assert found.times_faster.mean == pytest.approx(100.0)
    assert found.largest_gap == pytest.approx(0.03)
    assert [(item.way, item.weight) for item in found.qualities] == [
        ("late interaction alone", 1.0),
        ("blended with fusion", 0.5),
    ]
    # A leaf of the first block takes 10 ms, of the second 20.
    assert (found.embedded_leaves, found.leaf_without_ms) == (15, 15.0)
    assert found.with_tokens.mean == pytest.approx(1.1)
    assert found.with_tokens_written.mean == pytest.approx(1.2)


def test_nothing_measured_is_told() -> None:
    with pytest.raises(UsageError, match="Nothing to measure"):
        figures([], [], [], DISK, weight=0.5)
