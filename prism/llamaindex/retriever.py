"""Prism's whole retrieval as a LlamaIndex retriever, for someone else's query engine."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle

from prism.llamaindex.conversions import passage_to_node
from prism.types import Retrieval


class PrismRetriever(BaseRetriever):
    """The passages Prism's answerer would see, best first, each with document, page and rank."""

    def __init__(self, retrieve: Callable[[str], Retrieval]) -> None:
        super().__init__()
        self._search = retrieve

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return [passage_to_node(passage) for passage in self._search(query_bundle.query_str).passages]

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return await asyncio.to_thread(self._retrieve, query_bundle)
