"""Score one pool three ways: from stored token vectors, by a fresh model pass, and by the states themselves.

All three are the same formula over the same leaves. The stored vectors and those of a fresh pass are the same
bytes but for roundings; the states are what both were before they were projected and quantized.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from eval.rerank_speed.pools import Pool
from eval.rerank_speed.turns import medians_ms
from prism.errors import PrismError
from prism.models.embedder import FolderEmbedder
from prism.models.protocols import QueryTokens, TokenVectors
from prism.models.token_projection import States, unit_rows
from prism.query.interact import interact
from prism.query.late_interaction import Interaction
from prism.query.token_weights import Words, weigh_tokens
from prism.stores.token_vectors import WorkspaceTokens


@dataclass(frozen=True, slots=True)
class Desk:
    """What reranking works with. `embedder` must remember questions: their pass is the dense search's and is
    counted on no side."""

    embedder: FolderEmbedder
    tokens: WorkspaceTokens
    words: Words


@dataclass(frozen=True, slots=True)
class Timed:
    """Median milliseconds of reranking a pool, and the scores: of stored vectors, of a fresh pass, of the
    states at full precision."""

    stored_ms: float
    fresh_ms: float
    stored: tuple[float, ...]
    fresh: tuple[float, ...]
    full: tuple[float, ...]


def rerank_each_way(pool: Pool, desk: Desk, rounds: int) -> Timed:
    """Time and score one pool.

    Raises:
        PrismError: leaves lack their stored vectors, so that reading them would be no reading.
    """
    groups = {leaf.node_id: (leaf.document_id, leaf.generation) for leaf in pool.leaves}
    if lacking := groups.keys() - desk.tokens.get(groups).keys():
        raise PrismError(
            f"{len(lacking)} leaves of the pool of {pool.question_id!r} lack token vectors. Remove the "
            "indexes below --cache and run again."
        )
    # Once each before the clock runs; the question's own pass is made here.
    stored, fresh = _from_store(pool, desk), _by_model(pool, desk)
    stored_ms, fresh_ms = medians_ms((lambda: _from_store(pool, desk), lambda: _by_model(pool, desk)), rounds)
    return Timed(stored_ms, fresh_ms, stored, fresh, full_scores(pool, desk))


def full_scores(pool: Pool, desk: Desk) -> tuple[float, ...]:
    """The same formula over the last hidden states, float32 and not projected."""
    model = desk.embedder.llama_index
    (question,) = model.with_states([pool.question], "query")
    asked = QueryTokens(unit_rows(question.states), question.spans[0])
    rows: dict[str, States] = {}
    for batch in model.with_states([leaf.indexed_text for leaf in pool.leaves], "text"):
        ends = np.cumsum([len(spans) for spans in batch.spans])[:-1]
        for place, states in zip(batch.rows, np.split(unit_rows(batch.states), ends), strict=True):
            rows[pool.node_ids[place]] = states
    # A row is a direction, of whatever numbers it is made.
    leaves = cast(Mapping[str, TokenVectors], rows)
    return Interaction(asked, _weights(pool, asked, desk), leaves).scores(pool.node_ids)


def _from_store(pool: Pool, desk: Desk) -> tuple[float, ...]:
    found = interact(pool.question, pool.leaves, embedder=desk.embedder, tokens=desk.tokens, words=desk.words)
    return found.scores(pool.node_ids)


def _by_model(pool: Pool, desk: Desk) -> tuple[float, ...]:
    asked = desk.embedder.query_tokens(pool.question)
    _, rows = desk.embedder.embed_with_tokens([leaf.indexed_text for leaf in pool.leaves])
    leaves = dict(zip(pool.node_ids, rows, strict=True))
    return Interaction(asked, _weights(pool, asked, desk), leaves).scores(pool.node_ids)


def _weights(pool: Pool, asked: QueryTokens, desk: Desk) -> NDArray[np.float64]:
    return weigh_tokens(pool.question, asked.spans, desk.words)
