from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pytest

from prism.stores.nearest import COMPARISON_COST, EXACT_LEAVES, WIDEN, cosine, nearest, ranked, unit


class Among:
    """Visible leaves, by their ids."""

    def __init__(self, ids: Iterable[str]) -> None:
        self._ids = list(ids)

    def __len__(self) -> int:
        return len(self._ids)

    def node_ids(self) -> Sequence[str]:
        return self._ids

    def only(self, node_ids: Iterable[str]) -> list[str]:
        return [node_id for node_id in node_ids if node_id in self._ids]


class Store:
    """A thousand leaves in a row: `n0000` is the nearest, each next one is a thousandth farther."""

    def __init__(self) -> None:
        self.scores = {f"n{place:04}": cosine(1 - place / 1000) for place in range(1000)}
        self.walks: list[int] = []
        self.compared = 0

    def walk(self, wanted: int) -> dict[str, float]:
        self.walks.append(wanted)
        return dict(list(self.scores.items())[:wanted])

    def compare(self, node_ids: Sequence[str]) -> dict[str, float]:
        self.compared += len(node_ids)
        return {node_id: self.scores[node_id] for node_id in node_ids}

    def nearest(self, k: int, visible: Iterable[str], *, ef_search: int = 10) -> list[str]:
        hits = nearest(
            k, Among(visible), stored=1000, ef_search=ef_search, walk=self.walk, compare=self.compare
        )
        assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
        return [hit.node_id for hit in hits]


@pytest.mark.parametrize(("k", "visible"), [(0, ["n0001"]), (3, [])])
def test_nothing_wanted_or_nothing_visible_asks_nobody(k: int, visible: list[str]) -> None:
    store = Store()
    assert store.nearest(k, visible) == []
    assert (store.walks, store.compared) == ([], 0)


def test_few_visible_leaves_are_compared_one_by_one() -> None:
    store = Store()
    assert store.nearest(2, ["n0900", "n0500", "n0700"]) == ["n0500", "n0700"]
    assert (store.walks, store.compared) == ([], 3)


def test_many_visible_leaves_are_found_by_one_walk_of_twice_as_many() -> None:
    store = Store()
    even = list(store.scores)[::2]
    assert store.nearest(3, even) == ["n0000", "n0002", "n0004"]
    # 2 * 3 * 1000 / 500 neighbours hold six visible ones where half are visible.
    assert (store.walks, store.compared) == ([12], 0)


def test_a_walk_keeps_what_the_graph_keeps_anyway() -> None:
    store = Store()
    store.nearest(3, store.scores, ef_search=150)
    assert store.walks == [150]


def test_a_walk_that_came_up_short_is_widened_then_given_up() -> None:
    store = Store()
    far = list(store.scores)[-(EXACT_LEAVES + 50) :]
    assert store.nearest(3, far) == far[:3]
    assert store.walks == [24, 24 * WIDEN, 24 * WIDEN**2]
    assert COMPARISON_COST * len(far) <= 24 * WIDEN**3
    assert store.compared == len(far)


def test_ties_go_by_node_id_and_ranks_count_from_one() -> None:
    assert [(hit.node_id, hit.rank) for hit in ranked({"b": 0.5, "c": 0.9, "a": 0.5}, 3)] == [
        ("c", 1),
        ("a", 2),
        ("b", 3),
    ]


@pytest.mark.parametrize(("value", "told"), [(1.0000001, 1.0), (-1.2, -1.0), (0.12345649, 0.123456)])
def test_a_score_is_a_rounded_cosine(value: float, told: float) -> None:
    assert cosine(value) == told


def test_a_vector_is_scaled_to_length_1_and_one_of_zeros_left() -> None:
    assert unit(np.array([3, 4], np.float32)).tolist() == [0.6, 0.8]
    assert unit(np.zeros(2, np.float32)).tolist() == [0, 0]
