"""From a question to passages: condense > retrieve > fuse > rerank > merge > limit > gate > assemble.

Answering from the passages goes on in `respond.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from prism.errors import ModelError
from prism.models.protocols import Embedder, Reranker
from prism.query.assemble import assemble
from prism.query.climb import Tree, climb
from prism.query.condense import Standalone
from prism.query.exact import TIE_BREAK_SHARE, names_held_code
from prism.query.fuse import fuse
from prism.query.gate import Verdict, gate
from prism.query.limit import limit
from prism.query.merge import grow, merge
from prism.query.rerank import rerank
from prism.query.retrieve import Leg, retrieve
from prism.settings import Settings
from prism.stores.active import Snapshot
from prism.stores.catalogue import Catalogue
from prism.stores.workspace_vectors import WorkspaceVectors
from prism.text.tokens import query_terms
from prism.trace import Trace
from prism.types import Candidate, LeafHit, LegKind, Merged, Passage, Ranking, Scope

GATE_LEAVES = 5
"""How many of the best leaves the gate looks at for the question's terms."""


@dataclass(frozen=True, slots=True)
class QueryParts:
    """What a question needs: one snapshot of what is visible, where to look, and the models."""

    snapshot: Snapshot
    scope: Scope
    catalogue: Catalogue
    vectors: WorkspaceVectors
    embedder: Embedder
    reranker: Reranker | None
    settings: Settings


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found: passages as an answerer sees them, best first, and the gate's verdict."""

    passages: tuple[Passage, ...]
    verdict: Verdict
    is_empty_scope: bool


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
    legs = _legs(question, parts)
    weights = _weights(question, legs, parts)
    _note_setup(question, weights, k, parts, trace)

    with trace.stage("retrieve"):
        retrieved = retrieve(legs, question.searches, k=settings.retrieval.retrieve_k)
    trace.legs(retrieved.rankings)
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
        )[: settings.retrieval.retrieve_k]
    trace.candidates("fused", fused)

    with trace.stage("climb"):
        tree = climb((item.node_id for item in fused), parts.catalogue, parts.snapshot.generations)
        pool = tuple(item for item in fused if item.node_id in tree.nodes)

    with trace.stage("rerank"):
        ranked = _rerank(question, pool, tree, parts, trace)

    with trace.stage("merge"):
        merged = _unmerged(ranked) if leaves_only else _merge(ranked, tree, settings)
        kept, dropped = limit(
            merged,
            document_of=lambda item: tree.nodes[item.node_id].document_id,
            text_of=lambda item: tree.nodes[item.node_id].text,
            max_per_document=settings.retrieval.max_per_document,
        )
        chosen = kept[:k] if leaves_only else _grow(kept[:k], tree, settings)
    trace.merged(chosen)
    trace.note(dropped=[item.node_id for item in dropped])

    with trace.stage("gate"):
        verdict = _gate(question, ranked, retrieved.rankings, parts)
    trace.note(gate=asdict(verdict))

    with trace.stage("assemble"):
        passages = assemble(
            chosen,
            nodes=tree.nodes,
            names=parts.catalogue.names(node.document_id for node in tree.nodes.values()),
            pages_of=lambda node: parts.catalogue.pages_between(
                node.document_id, node.generation, node.start, node.end
            ),
            k=k,
        )
    trace.passages(passages)
    return Found(passages, verdict, is_empty_scope=not _documents_in(parts))


def _legs(question: Standalone, parts: QueryParts) -> list[Leg]:
    document_ids = parts.scope.document_ids

    def dense(text: str, k: int) -> tuple[LeafHit, ...]:
        return parts.vectors.search(
            parts.embedder.embed_query(text), k, active=parts.snapshot.generations, document_ids=document_ids
        )

    def keyword(text: str, k: int) -> tuple[LeafHit, ...]:
        return parts.snapshot.keywords.search(text, k, document_ids=document_ids)

    legs: list[Leg] = []
    says_something = any(character.isalnum() for character in question.text)
    if parts.settings.retrieval.dense_weight and says_something and parts.embedder.can_read(question.text):
        legs.append(Leg("dense", dense))
    if parts.settings.retrieval.keyword_weight or not legs:
        legs.append(Leg("keyword", keyword))
    return legs


def _weights(question: Standalone, legs: Sequence[Leg], parts: QueryParts) -> dict[LegKind, float]:
    retrieval, keywords = parts.settings.retrieval, parts.snapshot.keywords
    configured: dict[LegKind, float] = {
        "dense": retrieval.dense_weight,
        "keyword": retrieval.keyword_weight,
    }
    used: dict[LegKind, float] = {leg.kind: configured[leg.kind] for leg in legs}
    if len(used) == 2:
        terms = query_terms(question.focus, keywords.languages)
        if names_held_code(terms, keywords, most=retrieval.retrieve_k):
            used["dense"] *= TIE_BREAK_SHARE
    # The only leg left decides alone, whatever it weighs beside another.
    return used if any(used.values()) else dict.fromkeys(used, 1.0)


def _documents_in(parts: QueryParts) -> frozenset[str]:
    active = frozenset(parts.snapshot.generations)
    return active if parts.scope.document_ids is None else active & parts.scope.document_ids


def _note_setup(
    question: Standalone, weights: dict[LegKind, float], k: int, parts: QueryParts, trace: Trace
) -> None:
    retrieval = parts.settings.retrieval
    trace.note(
        searches=list(question.searches),
        joined=question.joined,
        k=k,
        retrieve_k=retrieval.retrieve_k,
        scope=None if parts.scope.document_ids is None else sorted(parts.scope.document_ids),
        snapshot=parts.snapshot.serial,
        fusion={"kind": retrieval.fusion, "rrf_k": retrieval.rrf_k, "weights": dict(weights)},
    )


def _rerank(
    question: Standalone, pool: Sequence[Candidate], tree: Tree, parts: QueryParts, trace: Trace
) -> tuple[Candidate, ...]:
    if parts.reranker is None or not pool:
        return tuple(pool)
    try:
        ranked = rerank(pool, question=question.text, nodes=tree.nodes, reranker=parts.reranker)
    except ModelError as error:
        trace.notice("rerank_skipped", f"The reranker failed, so the fused order stands ({error}).")
        return tuple(pool)
    trace.candidates("reranked", ranked)
    return ranked


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


def _grow(chosen: Sequence[Merged], tree: Tree, settings: Settings) -> tuple[Merged, ...]:
    if not (settings.merge.enabled and settings.merge.grow):
        return tuple(chosen)
    return grow(
        chosen,
        parent_of=tree.parent_of,
        token_count=tree.token_counts,
        budget_tokens=settings.merge.context_tokens,
    )


def _gate(
    question: Standalone, ranked: Sequence[Candidate], rankings: Sequence[Ranking], parts: QueryParts
) -> Verdict:
    cosines = [ranking.hits[0].score for ranking in rankings if ranking.leg == "dense" and ranking.hits]
    best = [item.node_id for item in ranked[:GATE_LEAVES]]
    tokens = parts.catalogue.nodes.tokens_of(best)
    coverage = parts.snapshot.keywords.coverage(question.text, list(tokens.values()))
    return gate(
        top_cosine=max(cosines) if cosines else None,
        coverage=coverage,
        threshold=parts.settings.gate.threshold if parts.settings.gate.enabled else 0.0,
    )
