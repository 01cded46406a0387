"""Align: set each passage found beside the question, token by token, for whoever chooses words of it.

A parent holds leaves that the search had not in its pool: their token vectors are read from the store, too,
and no text goes through the model.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Final

import numpy as np
from numpy.typing import NDArray

from prism.errors import ModelError, StoreError
from prism.models.protocols import QueryTokens, token_embedder
from prism.query.descend import descend
from prism.query.interact import widen
from prism.query.meet import Meeting, meet
from prism.query.parts import Found, QueryParts
from prism.trace import Trace

SKIPPED: Final = "words_not_compared"


@dataclass(frozen=True, slots=True)
class Alignment:
    """A question's tokens, what each is worth, shape (tokens,), and how they meet each passage, by rank."""

    question: QueryTokens
    weights: NDArray[np.float64]
    meetings: Mapping[int, Meeting]


def align(found: Found, parts: QueryParts, trace: Trace) -> Alignment | None:
    """The question beside each passage found. None where late interaction did not run for this question, or,
    with a notice, where token vectors cannot be had."""
    embedder, interaction = token_embedder(parts.embedder), found.interaction
    if interaction is None or embedder is None or parts.tokens is None:
        return None
    try:
        below = descend(
            (passage.node_id for passage in found.passages), parts.catalogue, parts.snapshot.generations
        )
        leaves = tuple(chain.from_iterable(below.values()))
        wide = widen(interaction, leaves, embedder=embedder, tokens=parts.tokens)
        meetings = {
            passage.rank: meet(below[passage.node_id], wide, embedder.token_spans)
            for passage in found.passages
            if passage.node_id in below
        }
    except (ModelError, StoreError) as error:
        trace.notice(SKIPPED, f"The passages could not be compared with the question word by word ({error}).")
        return None
    return Alignment(interaction.question, interaction.weights, meetings)
