"""Interact: bring a question's tokens together with those of the pool's leaves.

The leaves' token vectors were made when they were ingested and are read; a leaf whose vectors are lacking or
damaged is read by the model once more, which costs time and changes no score.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace

from prism.models.protocols import TokenEmbedder, TokenVectors
from prism.query.late_interaction import Interaction
from prism.query.token_weights import Words, weigh_tokens
from prism.stores.token_vectors import WorkspaceTokens
from prism.types import Node

logger = logging.getLogger(__name__)


def interact(
    question: str, leaves: Sequence[Node], *, embedder: TokenEmbedder, tokens: WorkspaceTokens, words: Words
) -> Interaction:
    """Everything late interaction needs to score these leaves.

    Args:
        question: the standalone question, never a rephrasing.

    Raises:
        ModelError: the embedder failed.
        StoreError: the token vectors cannot be read.
    """
    asked = embedder.query_tokens(question)
    return Interaction(asked, weigh_tokens(question, asked.spans, words), _read(leaves, embedder, tokens))


def widen(
    interaction: Interaction, leaves: Sequence[Node], *, embedder: TokenEmbedder, tokens: WorkspaceTokens
) -> Interaction:
    """The interaction with these leaves, too. Raises as `interact`."""
    new = [leaf for leaf in leaves if leaf.node_id not in interaction.leaves]
    known = {**interaction.leaves, **_read(new, embedder, tokens)}
    return replace(interaction, leaves=known)


def _read(
    leaves: Sequence[Node], embedder: TokenEmbedder, tokens: WorkspaceTokens
) -> Mapping[str, TokenVectors]:
    kept = tokens.get({leaf.node_id: (leaf.document_id, leaf.generation) for leaf in leaves})
    lacking = [leaf for leaf in leaves if leaf.node_id not in kept]
    if not lacking:
        return kept
    logger.warning("token vectors of %d leaves are lacking; the model reads them again", len(lacking))
    _, made = embedder.embed_with_tokens([leaf.indexed_text for leaf in lacking])
    return {**kept, **{leaf.node_id: rows for leaf, rows in zip(lacking, made, strict=True)}}
