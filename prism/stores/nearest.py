"""Nearest: the best visible leaves, by walking the whole graph or by comparing one by one.

The HNSW graph (Malkov & Yashunin 2018) knows nothing of visibility, so it is walked for so many neighbours
that enough visible ones are among them; where comparing the visible leaves themselves is cheaper, or the walk
came up short, they are compared. Scores are cosines rounded to six decimals, which is what float32 arithmetic
supports: equal vectors therefore tie, and ties go by node id.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from typing import Final

import numpy as np
from numpy.typing import NDArray

from prism.stores.visible import VisibleLeaves
from prism.types import LeafHit

EXACT_LEAVES: Final = 200
"""Up to this many visible leaves are compared one by one: at most 6 ms."""

COMPARISON_COST: Final = 4
"""One comparison with a leaf fetched by its id takes as long as the graph takes for this many neighbours
(28 µs and 6.5 µs among 100,000 leaves)."""

WIDEN: Final = 4
"""How much more is fetched when a round brought fewer than k visible leaves."""

DECIMALS: Final = 6

Scores = Mapping[str, float]
"""Cosine by node id."""


def nearest(
    k: int,
    visible: VisibleLeaves,
    *,
    stored: int,
    ef_search: int,
    walk: Callable[[int], Scores],
    compare: Callable[[Sequence[str]], Scores],
) -> tuple[LeafHit, ...]:
    """The `k` nearest visible leaves, best first, or all of them when there are fewer.

    Args:
        stored: how many leaves the graph has, visible or not.
        ef_search: neighbours a walk keeps anyway.
        walk: the so many nearest leaves of the graph.
        compare: the scores of these leaves, so far as they are stored.
    """
    if k <= 0 or not len(visible):
        return ()
    # Twice k settles ties at rank k.
    wanted = max(ef_search, ceil(2 * k * stored / len(visible)))
    while len(visible) > EXACT_LEAVES and wanted < COMPARISON_COST * len(visible):
        scores = walk(min(wanted, stored))
        shown = visible.only(scores)
        if len(shown) >= k or len(scores) >= stored:
            return ranked({node_id: scores[node_id] for node_id in shown}, k)
        wanted *= WIDEN
    return ranked(compare(visible.node_ids()), k)


def ranked(scores: Scores, k: int) -> tuple[LeafHit, ...]:
    """The `k` best, ties by node id."""
    best = sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:k]
    return tuple(LeafHit(node_id, rank, score) for rank, (node_id, score) in enumerate(best, start=1))


def cosine(value: float) -> float:
    """Within [-1, 1], rounded."""
    return round(min(1.0, max(-1.0, value)), DECIMALS)


def unit(vector: NDArray[np.float32]) -> NDArray[np.float64]:
    """The vector at length 1; one of zeros stays as it is."""
    wide = np.asarray(vector, dtype=np.float64)
    length = float(np.linalg.norm(wide))
    return wide / length if length else wide
