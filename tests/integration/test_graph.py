"""The table behind the search graph's defaults, over a real but small graph."""

from __future__ import annotations

import numpy as np

from eval.graph import measure


def test_every_graph_is_asked_at_every_search_and_few_leaves_are_found_all() -> None:
    leaves = np.random.default_rng(1).normal(size=(300, 16)).astype(np.float32)
    leaves /= np.linalg.norm(leaves, axis=1, keepdims=True)
    rows = list(measure([f"n{at}" for at in range(300)], leaves, leaves[:5], [(8, 20), (32, 200)], [40, 300]))
    assert [(row.hnsw_m, row.ef_construction, row.ef_search) for row in rows] == [
        (8, 20, 40),
        (8, 20, 300),
        (32, 200, 40),
        (32, 200, 300),
    ]
    assert [row.recall for row in rows[1::2]] == [1.0, 1.0]
    assert all(row.leaves_per_s > 0 and row.search_p50_ms > 0 for row in rows)
