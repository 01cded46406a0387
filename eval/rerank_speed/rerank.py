"""Score one pool from stored token vectors, by a fresh model pass, and by what both were made of.

It is the same formula over the same leaves each time. The stored vectors and those of a fresh pass are the
same bytes but for roundings. What they were made of are the last hidden states of the network, in float32: as
they are, and projected but not quantized.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from eval.rerank_speed.pools import Pool
from eval.rerank_speed.turns import medians_ms
from prism.errors import PrismError
from prism.models.embedder import FolderEmbedder
from prism.models.folders import fingerprint
from prism.models.protocols import QueryTokens, TokenVectors, Vectors
from prism.models.token_projection import States, TokenProjection, find_projection, unit_rows
from prism.query.interact import interact
from prism.query.late_interaction import Interaction
from prism.query.token_weights import Words, weigh_tokens
from prism.stores.token_vectors import WorkspaceTokens


@dataclass(frozen=True, slots=True)
class Desk:
    """What reranking works with. `embedder` must remember questions: their pass is the dense search's and is
    counted on no side. `projection` is that of its token vectors."""

    embedder: FolderEmbedder
    projection: TokenProjection
    tokens: WorkspaceTokens
    words: Words


@dataclass(frozen=True, slots=True)
class Timed:
    """Median milliseconds of reranking a pool, and the scores: of stored vectors, of a fresh pass, of the
    projected states before they are quantized, of the states themselves."""

    stored_ms: float
    fresh_ms: float
    stored: tuple[float, ...]
    fresh: tuple[float, ...]
    projected: tuple[float, ...]
    states: tuple[float, ...]


def projection_of(embedder: FolderEmbedder) -> TokenProjection:
    """The projection of an embedder's token vectors: packaged, or made of its states. Loads the model."""
    model = embedder.llama_index
    return find_projection(
        fingerprint(embedder.folder),
        None,
        lambda texts: np.concatenate([batch.states for batch in model.with_states(texts, "text")]),
    )


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
    return Timed(stored_ms, fresh_ms, stored, fresh, *full_scores(pool, desk))


def full_scores(pool: Pool, desk: Desk) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The same formula in float32: over the projected states, and over the states themselves."""
    model = desk.embedder.llama_index
    (question,) = model.with_states([pool.question], "query")
    rows: dict[str, States] = {}
    for batch in model.with_states([leaf.indexed_text for leaf in pool.leaves], "text"):
        ends = np.cumsum([len(spans) for spans in batch.spans])[:-1]
        for place, states in zip(batch.rows, np.split(batch.states, ends), strict=True):
            rows[pool.node_ids[place]] = states

    def scores(to_rows: Callable[[States], Vectors]) -> tuple[float, ...]:
        asked = QueryTokens(to_rows(question.states), question.spans[0])
        # A row is a direction, of whatever numbers it is made.
        leaves = {name: cast(TokenVectors, to_rows(states)) for name, states in rows.items()}
        return Interaction(asked, _weights(pool, asked, desk), leaves).scores(pool.node_ids)

    return scores(desk.projection.unit), scores(unit_rows)


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
