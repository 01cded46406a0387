"""`BM25Retriever` over our own keyword index: our tokens, no padding, no outsiders.

The stock class always returns k nodes, scores of 0 included, tokenizes by a pattern that loses codes and
most scripts, and forgets that pattern when saved. Searching is handed in; nothing is indexed here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import NoReturn

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle
from llama_index.retrievers.bm25 import BM25Retriever

from prism.errors import NotAllowedError
from prism.llamaindex.conversions import FetchNodes, hits_to_nodes
from prism.types import LeafHit

KeywordSearch = Callable[[str, int], tuple[LeafHit, ...]]
"""(query, k) -> at most k hits with a BM25 score above 0, best first."""


def _refuse(*_arguments: object, **_named: object) -> NoReturn:
    raise NotAllowedError(
        "The keyword index belongs to Prism, which keeps it on disk: use Prism.as_retriever()."
    )


class KeywordRetriever(BM25Retriever):
    """The keyword leg as a LlamaIndex retriever. What no term matches is not returned."""

    def __init__(
        self,
        *,
        search: KeywordSearch,
        fetch: FetchNodes,
        similarity_top_k: int,
        verbose: bool = False,
    ) -> None:
        # The stock constructor would tokenize and index nodes by its own pattern.
        BaseRetriever.__init__(self, verbose=verbose)
        self.similarity_top_k = similarity_top_k
        self._search = search
        self._fetch = fetch

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        hits = self._search(query_bundle.query_str, self.similarity_top_k)
        found = tuple(hit for hit in hits if hit.score > 0)[: self.similarity_top_k]
        return hits_to_nodes(found, self._fetch)

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return await asyncio.to_thread(self._retrieve, query_bundle)

    @classmethod
    def from_defaults(cls, *_arguments: object, **_named: object) -> NoReturn:
        """Not available: nothing is indexed here."""
        _refuse()

    @classmethod
    def from_persist_dir(cls, *_arguments: object, **_named: object) -> NoReturn:
        """Not available: the index is on disk with the rest of Prism."""
        _refuse()

    persist = _refuse
    get_persist_args = _refuse
