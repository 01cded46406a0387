"""Late interaction: how well the tokens of a leaf meet each token of a question.

MaxSim of ColBERT (Khattab & Zaharia 2020): each token of the question looks for its best match among the
leaf's tokens, and the leaf's score is the mean of those, here weighted by what a token is worth
(`token_weights.py`). Which words of the leaf meet which words of the question is known besides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from prism.models.protocols import QueryTokens, TokenVectors

Matches = NDArray[np.float32]
"""Cosines with each question token: of its best match, shape (leaves, tokens), or of each row, shape
(rows, tokens)."""

BLOCK_COSINES: Final = 8192
"""How many are worked out at once: few enough that the matrix library starts no threads. It would for a whole
pool, which takes 0.2 ms either way, and on a busy machine they wait for each other for milliseconds."""


@dataclass(frozen=True, slots=True)
class Interaction:
    """A question's tokens, what each is worth (shape (tokens,), not negative), and the leaves they may meet,
    by node id."""

    question: QueryTokens
    weights: NDArray[np.float64]
    leaves: Mapping[str, TokenVectors]

    def scores(self, node_ids: Sequence[str]) -> tuple[float, ...]:
        """The relevance of these leaves in [-1, 1], in the order given; all of them must be known."""
        matches = best_matches(self.question, [self.leaves[node_id] for node_id in node_ids])
        return relevance(matches, self.weights)


def best_matches(question: QueryTokens, leaves: Sequence[TokenVectors]) -> Matches:
    """The best cosine of each question token in each leaf; 0 in a leaf without tokens.

    Args:
        leaves: int8 (tokens, d) each.
    """
    counts = np.array([len(leaf) for leaf in leaves], dtype=np.intp)
    matches = np.zeros((len(leaves), len(question.vectors)), dtype=np.float32)
    filled = np.flatnonzero(counts)
    if not len(filled) or not len(question.vectors):
        return matches
    starts = np.concatenate(([0], np.cumsum(counts[filled])[:-1]))
    matches[filled] = np.maximum.reduceat(cosines(question, np.concatenate(leaves)), starts, axis=0)
    return matches


def cosines(question: QueryTokens, rows: TokenVectors) -> Matches:
    """The cosine of each row with each question token, shape (rows, tokens); of a row of zeros 0."""
    tokens = np.ascontiguousarray(question.vectors.T)
    found = np.empty((len(rows), tokens.shape[1]), dtype=np.float32)
    block_rows = max(1, BLOCK_COSINES // max(1, tokens.shape[1]))
    for start in range(0, len(rows), block_rows):
        directions = rows[start : start + block_rows].astype(np.float32)
        block = np.matmul(directions, tokens, out=found[start : start + block_rows])
        # A row is a direction: its length is divided out, whatever the quantization made of it.
        lengths = np.sqrt(np.einsum("ij,ij->i", directions, directions))
        block /= np.maximum(lengths, 1.0)[:, np.newaxis]
    return found


def relevance(matches: Matches, weights: NDArray[np.float64]) -> tuple[float, ...]:
    """The weighted mean of each leaf's matches, `Σ w_t · match_t / Σ w_t`; 0 when nothing weighs anything."""
    total = float(weights.sum())
    if not total:
        return (0.0,) * len(matches)
    return tuple((matches.astype(np.float64) @ weights / total).tolist())
