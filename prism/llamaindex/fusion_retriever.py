"""`QueryFusionRetriever` that fuses by weight and node id, and bears a leg that fails.

The stock class ignores weights in reciprocal-rank mode, takes equal text for one node, gives hits of score
0 full credit, and fails when one leg does. Fusing is handed in (`prism.query.fuse`), as are other phrasings
of the question; no language model is reached from here.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.llms import MockLLM
from llama_index.core.retrievers import QueryFusionRetriever
from llama_index.core.schema import BaseNode, NodeWithScore, QueryBundle

from prism.errors import SearchError
from prism.types import Candidate, LeafHit, LegKind, Notice, Ranking

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RetrieverLeg:
    """One retriever and the kind it counts as; several may be of one kind (plain and HyDE)."""

    kind: LegKind
    retriever: BaseRetriever


class Fuse(Protocol):
    """Rankings in, candidates out: `prism.query.fuse.fuse`."""

    def __call__(
        self, rankings: Sequence[Ranking], *, weights: Mapping[LegKind, float]
    ) -> tuple[Candidate, ...]:
        """Best first, one candidate per node."""
        ...


class WeightedFusionRetriever(QueryFusionRetriever):
    """Several retrievers as one, side by side in threads. Scores are the fused ones.

    A leg that fails is logged and told to `on_notice`; the others answer. Only when no leg is left to
    answer is it a `SearchError`.
    """

    def __init__(
        self,
        legs: Sequence[RetrieverLeg],
        *,
        fuse: Fuse,
        weights: Mapping[LegKind, float],
        similarity_top_k: int,
        rephrase: Callable[[str], Sequence[str]] | None = None,
        on_notice: Callable[[Notice], None] | None = None,
    ) -> None:
        # Without a model given, the stock class takes the global one.
        super().__init__(
            [leg.retriever for leg in legs],
            llm=MockLLM(),
            similarity_top_k=similarity_top_k,
            num_queries=1,
            use_async=False,
        )
        self._legs = tuple(leg for leg in legs if weights.get(leg.kind, 0.0) > 0)
        self._fuse = fuse
        self._weights = weights
        self._rephrase = rephrase
        self._on_notice = on_notice

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        calls = self._calls(query_bundle)
        with ThreadPoolExecutor(max_workers=max(1, len(calls))) as threads:
            futures = [
                threads.submit(contextvars.copy_context().run, leg.retriever.retrieve, bundle)
                for leg, bundle in calls
            ]
        return self._fused(calls, [future.exception() or future.result() for future in futures])

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        calls = await asyncio.to_thread(self._calls, query_bundle)
        outcomes = await asyncio.gather(
            *(asyncio.to_thread(leg.retriever.retrieve, bundle) for leg, bundle in calls),
            return_exceptions=True,
        )
        return self._fused(calls, outcomes)

    def _calls(self, query_bundle: QueryBundle) -> list[tuple[RetrieverLeg, QueryBundle]]:
        question = query_bundle.query_str
        others = self._rephrase(question) if self._rephrase else ()
        phrasings = [text for text in dict.fromkeys(others) if text.strip() and text != question]
        # Every call gets a bundle of its own: retrievers write vectors into theirs.
        return [
            (leg, bundle)
            for leg in self._legs
            for bundle in (
                QueryBundle(question, custom_embedding_strs=query_bundle.custom_embedding_strs),
                *map(QueryBundle, phrasings),
            )
        ]

    def _fused(
        self,
        calls: Sequence[tuple[RetrieverLeg, QueryBundle]],
        outcomes: Sequence[list[NodeWithScore] | BaseException],
    ) -> list[NodeWithScore]:
        rankings: list[Ranking] = []
        nodes: dict[str, BaseNode] = {}
        failures: dict[LegKind, BaseException] = {}
        for (leg, bundle), outcome in zip(calls, outcomes, strict=True):
            if isinstance(outcome, BaseException):
                failures.setdefault(leg.kind, outcome)
                continue
            rankings.append(_ranking(leg.kind, bundle.query_str, outcome))
            nodes.update((found.node.node_id, found.node) for found in outcome)
        self._report(failures, nothing_left=not rankings)
        candidates = self._fuse(rankings, weights=self._weights)[: self.similarity_top_k]
        return [NodeWithScore(node=nodes[found.node_id], score=found.score) for found in candidates]

    def _report(self, failures: Mapping[LegKind, BaseException], *, nothing_left: bool) -> None:
        for kind, error in failures.items():
            if not isinstance(error, Exception):
                raise error
            logger.warning("the %s search failed; answering from the others", kind, exc_info=error)
            if self._on_notice and not nothing_left:
                message = f"The {kind} search failed ({error}); results come from the other searches alone."
                self._on_notice(Notice("search_reduced", message))
        if failures and nothing_left:
            reasons = "; ".join(f"{kind}: {error}" for kind, error in failures.items())
            raise SearchError(f"No search could be made ({reasons}). Try again, or run 'prism doctor'.")


def _ranking(kind: LegKind, query: str, found: Sequence[NodeWithScore]) -> Ranking:
    """What a retriever returned, by falling score, one row per node. Without scores its order counts."""
    scored = [
        (1.0 / place if item.score is None else item.score, item.node.node_id)
        for place, item in enumerate(found, start=1)
    ]
    best: dict[str, float] = {}
    for score, node_id in sorted(scored, key=lambda row: -row[0]):
        best.setdefault(node_id, score)
    hits = (LeafHit(node_id, rank, score) for rank, (node_id, score) in enumerate(best.items(), start=1))
    return Ranking(kind, query, tuple(hits))
