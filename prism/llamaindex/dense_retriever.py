"""The dense leg as a LlamaIndex retriever, over an injected embedder and search."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import numpy as np
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle
from numpy.typing import NDArray

from prism.llamaindex.conversions import FetchNodes, hits_to_nodes
from prism.types import LeafHit

Vector = NDArray[np.float32]
EmbedQuery = Callable[[str], Vector]
DenseSearch = Callable[[Vector, int], tuple[LeafHit, ...]]
"""(vector, k) -> at most k hits scored by cosine, best first."""


class DenseRetriever(BaseRetriever):
    """Nearest leaves by cosine.

    A bundle with several texts to embed, such as `HyDEQueryTransform` makes, is searched by the mean of
    their vectors, at unit length again. A vector the bundle carries is not used: it may be another model's.
    """

    def __init__(
        self, *, embed: EmbedQuery, search: DenseSearch, fetch: FetchNodes, similarity_top_k: int
    ) -> None:
        super().__init__()
        self.similarity_top_k = similarity_top_k
        self._embed = embed
        self._search = search
        self._fetch = fetch

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        texts = [text for text in query_bundle.embedding_strs if text.strip()]
        if not texts:
            return []
        return hits_to_nodes(self._search(self._vector(texts), self.similarity_top_k), self._fetch)

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return await asyncio.to_thread(self._retrieve, query_bundle)

    def _vector(self, texts: list[str]) -> Vector:
        mean = np.mean([self._embed(text) for text in texts], axis=0, dtype=np.float32)
        length = float(np.linalg.norm(mean))
        return np.asarray(mean / length if length else mean, dtype=np.float32)
