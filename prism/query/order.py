"""Order: bring the pool of leaves into the order the rerankers of the settings give it, one after another.

A reranker that fails leaves the order as it was, with a notice: it is no reason to go without an answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from prism.errors import ModelError, StoreError
from prism.models.protocols import token_embedder
from prism.query.blend import blend
from prism.query.climb import Tree
from prism.query.condense import Standalone
from prism.query.exact import TIE_BREAK_SHARE
from prism.query.interact import interact
from prism.query.late_interaction import Interaction
from prism.query.parts import QueryParts
from prism.query.rerank import rerank
from prism.trace import Trace
from prism.types import Candidate

LATE_INTERACTION, CROSS_ENCODER = "late_interaction", "cross_encoder"
SKIPPED = "rerank_skipped"


@dataclass(frozen=True, slots=True)
class Ordered:
    """The pool, best first, and what late interaction saw of it; None where it did not run."""

    pool: tuple[Candidate, ...]
    interaction: Interaction | None = None


def order(
    question: Standalone,
    fused: Sequence[Candidate],
    tree: Tree,
    parts: QueryParts,
    trace: Trace,
    *,
    holds_code: bool,
) -> Ordered:
    """The fused pool, reordered by each reranker that `rerank.kind` names.

    Args:
        holds_code: the question names a code that some passages hold: late interaction, to which codes look
            alike, then breaks ties only.
    """
    ordered = Ordered(tuple(fused))
    for kind in _kinds(parts) if fused else ():
        try:
            if kind == LATE_INTERACTION:
                ordered = _by_late_interaction(
                    question, ordered.pool, tree, parts, trace, holds_code=holds_code
                )
            else:
                pool = _by_cross_encoder(question, ordered.pool, tree, parts, trace)
                ordered = Ordered(pool, ordered.interaction)
        except (ModelError, StoreError) as error:
            name = kind.replace("_", " ")
            trace.notice(SKIPPED, f"Reranking by {name} failed, so the order before it stands ({error}).")
    if ordered.pool != tuple(fused):
        trace.candidates("reranked", ordered.pool)
    return ordered


def _kinds(parts: QueryParts) -> tuple[str, ...]:
    """Those of the settings; a reranker that was handed in runs, last, also where they do not ask for one."""
    kinds = parts.settings.rerank.kinds
    is_extra = parts.reranker is not None and CROSS_ENCODER not in kinds
    return (*kinds, CROSS_ENCODER) if is_extra else kinds


def _by_late_interaction(
    question: Standalone,
    pool: tuple[Candidate, ...],
    tree: Tree,
    parts: QueryParts,
    trace: Trace,
    *,
    holds_code: bool,
) -> Ordered:
    embedder = token_embedder(parts.embedder)
    if embedder is None or parts.tokens is None or not parts.embedder.can_read(question.text):
        return Ordered(pool)
    interaction = interact(
        question.text,
        [tree.nodes[item.node_id] for item in pool],
        embedder=embedder,
        tokens=parts.tokens,
        words=parts.snapshot.keywords,
    )
    if not interaction.weights.any():
        return Ordered(pool)
    weight = parts.settings.rerank.weight * (TIE_BREAK_SHARE if holds_code else 1.0)
    scores = interaction.scores([item.node_id for item in pool])
    trace.late_interaction([item.node_id for item in pool], scores, weight=weight)
    return Ordered(blend(pool, scores, weight=weight), interaction)


def _by_cross_encoder(
    question: Standalone, pool: tuple[Candidate, ...], tree: Tree, parts: QueryParts, trace: Trace
) -> tuple[Candidate, ...]:
    if parts.reranker is None:
        return pool
    ranked = rerank(
        pool,
        question=question.text,
        nodes=tree.nodes,
        reranker=parts.reranker,
        leaves=parts.settings.rerank.cross_encoder_leaves,
    )
    for notice in parts.reranker.notices:
        trace.notice(notice.code, notice.message)
    return ranked
