"""How many of the truly nearest leaves a graph finds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from prism.models.protocols import Vectors

TIE = 1e-6
"""Cosines this close are one: float32 does not tell them apart, and either leaf counts as found."""


def recall(
    found: Sequence[Sequence[str]], questions: Sequence[Vectors], ids: Sequence[str], leaves: Vectors, k: int
) -> float:
    """Mean share of the k nearest that were found.

    Args:
        found: leaf ids per question, as the graph gave them.
        questions: float32 (d,) each, of length 1.
        ids: of the leaves.
        leaves: float32 (leaves, d), rows of length 1, in the order of `ids`.
    """
    row_of = {node_id: row for row, node_id in enumerate(ids)}
    shares = []
    for hits, question in zip(found, questions, strict=True):
        cosines = leaves @ question
        wanted = min(k, len(ids))
        least = np.partition(cosines, -wanted)[-wanted] - TIE
        good = sum(cosines[row_of[node_id]] >= least for node_id in list(hits)[:k])
        shares.append(good / wanted)
    return float(np.mean(shares))
