"""Meet: which tokens of a passage meet which tokens of the question, each where it stands in the document.

The same cosines as late interaction's, by place: those of a sentence, whatever leaves it lies in, and those
of single words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from prism.query.late_interaction import Interaction, Matches, cosines
from prism.types import Node

Spans = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Meeting:
    """A passage's tokens beside the question's.

    `spans`: document offsets [start, end) of each row, shape (rows, 2). `cosines`: of each row with each
    token of the question, shape (rows, tokens).
    """

    spans: NDArray[np.intp]
    cosines: Matches

    def best_between(self, start: int, end: int) -> Matches:
        """The best cosine of each token of the question among the rows that begin between these document
        offsets, shape (tokens,); 0 where none do."""
        inside = self.cosines[(self.spans[:, 0] >= start) & (self.spans[:, 0] < end)]
        return inside.max(axis=0) if len(inside) else np.zeros(inside.shape[1], dtype=np.float32)


def meet(leaves: Sequence[Node], interaction: Interaction, spans_of: Callable[[str], Spans]) -> Meeting:
    """The question beside the passage that these leaves make up. What stands before the text of a leaf, its
    context and header, is no part of the passage.

    Args:
        interaction: with the token vectors of each of these leaves.
        spans_of: characters [start, end) of each row in an indexed text.
    """
    spans, rows = [], []
    for leaf in leaves:
        before = len(leaf.indexed_text) - len(leaf.text)
        places = np.array(spans_of(leaf.indexed_text), dtype=np.intp).reshape(-1, 2)
        own = places[:, 0] >= before
        spans.append(places[own] + (leaf.start - before))
        rows.append(interaction.leaves[leaf.node_id][own])
    if not leaves:
        return Meeting(np.empty((0, 2), np.intp), np.empty((0, len(interaction.weights)), np.float32))
    return Meeting(np.concatenate(spans), cosines(interaction.question, np.concatenate(rows)))
