"""Recall against exact comparison, ties and small collections included."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from eval.bench.recall import recall

IDS = ["east", "north-east", "north", "west"]
LEAVES = np.array([[1.0, 0.0], [sqrt(0.5), sqrt(0.5)], [0.0, 1.0], [-1.0, 0.0]], dtype=np.float32)
EAST = LEAVES[0]
NORTH = LEAVES[2]


def test_all_that_are_nearest_found_is_one() -> None:
    assert recall([["north-east", "east"]], [EAST], IDS, LEAVES, k=2) == 1.0


def test_share_of_the_nearest_that_were_found() -> None:
    # Nearest to east: east, north-east. Found: east and one that is not near.
    assert recall([["east", "west"]], [EAST], IDS, LEAVES, k=2) == 0.5


def test_mean_over_the_questions() -> None:
    found = [["east", "north-east"], ["west", "east"]]
    assert recall(found, [EAST, NORTH], IDS, LEAVES, k=2) == 0.5


def test_what_was_not_found_counts_against() -> None:
    assert recall([[]], [EAST], IDS, LEAVES, k=2) == 0.0
    assert recall([["east"]], [EAST], IDS, LEAVES, k=2) == 0.5


def test_only_the_first_k_count() -> None:
    assert recall([["west", "north", "east", "north-east"]], [EAST], IDS, LEAVES, k=2) == 0.0


def test_either_of_two_leaves_at_the_same_distance_counts() -> None:
    leaves = np.array([[1.0, 0.0], [0.6, 0.8], [0.6, -0.8]], dtype=np.float32)
    for second in ("up", "down"):
        assert recall([["here", second]], [EAST], ["here", "up", "down"], leaves, k=2) == 1.0


def test_fewer_leaves_than_k_can_all_be_found() -> None:
    assert recall([IDS], [EAST], IDS, LEAVES, k=10) == pytest.approx(1.0)
