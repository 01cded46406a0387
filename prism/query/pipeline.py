"""From a question to passages: condense > retrieve > fuse > rerank > merge > limit > gate > assemble.

Answering from the passages goes on in `respond.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from prism.query.assemble import assemble
from prism.query.climb import Tree, climb
from prism.query.condense import Standalone
from prism.query.exact import names_held_code
from prism.query.fuse import fuse
from prism.query.judge import judge
from prism.query.legs import choose_legs, documents_in_scope, weigh_legs
from prism.query.limit import Limited, limit, line_up
from prism.query.merge import grow, merge
from prism.query.order import order
from prism.query.parts import Found, QueryParts
from prism.query.reads import reads
from prism.query.retrieve import retrieve
from prism.settings import Settings
from prism.text.tokens import query_terms
from prism.trace import Trace
from prism.types import Candidate, LegKind, Merged


def search(
    question: Standalone, parts: QueryParts, trace: Trace, *, k: int, leaves_only: bool = False
) -> Found:
    """Find the k best passages.

    Args:
        leaves_only: give the leaves as ranked, unmerged.

    Raises:
        SearchError: retrieval itself failed.
    """
    settings = parts.settings
    depth = max(settings.retrieval.retrieve_k, k)
    legs = choose_legs(question, parts)
    terms = query_terms(question.focus, parts.snapshot.keywords.languages)
    holds_code = names_held_code(terms, parts.snapshot.keywords, most=settings.retrieval.retrieve_k)
    is_read = reads(question.text, parts)
    weights = weigh_legs(legs, settings.retrieval, holds_code=holds_code, reads=is_read)
    trace.note(reads=is_read)
    _note_setup(question, weights, k, depth, parts, trace)

    with trace.stage("retrieve"):
        retrieved = retrieve(legs, question.searches, k=depth)
    trace.legs(retrieved.rankings)
    for kind, spent_ms in retrieved.spent_ms.items():
        trace.took(f"retrieve.{kind}", spent_ms)
    for leg, reason in retrieved.failures:
        trace.notice(
            "reduced_search", f"The {leg} search failed, so results come from the other one ({reason})."
        )

    with trace.stage("fuse"):
        fused = fuse(
            retrieved.rankings,
            kind=settings.retrieval.fusion,
            weights=weights,
            rrf_k=settings.retrieval.rrf_k,
        )[:depth]
    trace.candidates("fused", fused)

    with trace.stage("climb"):
        tree = climb((item.node_id for item in fused), parts.catalogue, parts.snapshot.generations)
        pool = tuple(item for item in fused if item.node_id in tree.nodes)

    with trace.stage("rerank"):
        ordered = order(question, pool, tree, parts, trace, holds_code=holds_code)
        ranked = ordered.pool

    with trace.stage("merge"):
        merged = _unmerged(ranked) if leaves_only else _merge(ranked, tree, settings)
        limited = limit(
            merged,
            nodes=tree.nodes,
            k=k,
            max_per_document=settings.retrieval.max_per_document,
            close_share=settings.retrieval.close_share,
        )
        grown = limited.kept if leaves_only else _grow(limited, tree, settings)
        chosen = line_up(limited, grown, tree.parent_of)
    trace.merged(chosen)
    trace.note(dropped=[item.node_id for item in limited.dropped])

    with trace.stage("gate"):
        verdict = judge(
            question,
            ordered,
            retrieved.rankings,
            tree,
            parts,
            holds_code=holds_code,
            is_one_word=len(terms) == 1,
        )
    trace.note(gate=asdict(verdict))

    with trace.stage("assemble"):
        passages = assemble(
            chosen,
            nodes=tree.nodes,
            names=parts.catalogue.names(node.document_id for node in tree.nodes.values()),
            pages_of=lambda node: parts.catalogue.pages_between(
                node.document_id, node.generation, node.start, node.end
            ),
        )
    trace.passages(passages)
    headings = frozenset(part for node in tree.nodes.values() for part in node.place)
    return Found(
        passages,
        verdict,
        is_empty_scope=not documents_in_scope(parts),
        headings=headings,
        interaction=ordered.interaction,
    )


def _note_setup(
    question: Standalone,
    weights: Mapping[LegKind, float],
    k: int,
    depth: int,
    parts: QueryParts,
    trace: Trace,
) -> None:
    retrieval = parts.settings.retrieval
    trace.note(
        searches=list(question.searches),
        joined=question.joined,
        k=k,
        retrieve_k=depth,
        scope=None if parts.scope.document_ids is None else sorted(parts.scope.document_ids),
        snapshot=parts.snapshot.serial,
        fusion={"kind": retrieval.fusion, "rrf_k": retrieval.rrf_k, "weights": dict(weights)},
    )


def _unmerged(ranked: Sequence[Candidate]) -> tuple[Merged, ...]:
    return tuple(Merged(item.node_id, (item.node_id,), item.score, item.legs) for item in ranked)


def _merge(ranked: Sequence[Candidate], tree: Tree, settings: Settings) -> tuple[Merged, ...]:
    if not settings.merge.enabled:
        return _unmerged(ranked)
    return merge(
        ranked,
        parent_of=tree.parent_of,
        leaf_count=tree.leaf_counts,
        threshold=settings.merge.threshold,
    )


def _grow(limited: Limited, tree: Tree, settings: Settings) -> tuple[Merged, ...]:
    """The different texts, grown within what their copies leave of the budget."""
    if not (settings.merge.enabled and settings.merge.grow):
        return limited.kept
    copies_tokens = sum(tree.token_counts[item.node_id] for item in limited.beside)
    return grow(
        limited.kept,
        parent_of=tree.parent_of,
        token_count=tree.token_counts,
        budget_tokens=settings.merge.context_tokens - copies_tokens,
    )
