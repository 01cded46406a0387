"""`AutoMergingRetriever` that forgives a missing parent and keeps the best score.

The stock class fails the whole query when one parent is gone, gives a parent the mean of its children's
scores, and climbs a chain of single children to the root. Merging is handed in (`prism.query.merge`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from typing import Protocol, cast

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.retrievers import AutoMergingRetriever, VectorIndexRetriever
from llama_index.core.schema import BaseNode, NodeWithScore, QueryBundle
from llama_index.core.storage.docstore.types import BaseDocumentStore
from llama_index.core.storage.storage_context import StorageContext

from prism.types import Candidate, Merged

logger = logging.getLogger(__name__)


class Merge(Protocol):
    """Leaves in, leaves and parents out: `prism.query.merge.merge`."""

    def __call__(
        self,
        pool: Sequence[Candidate],
        *,
        parent_of: Mapping[str, str | None],
        leaf_count: Mapping[str, int],
        threshold: float,
    ) -> tuple[Merged, ...]:
        """Best first; every leaf of the pool in exactly one."""
        ...


class ForgivingAutoMergingRetriever(AutoMergingRetriever):
    """Leaves of a retriever, given way to their parents where more than `threshold` of them were found."""

    def __init__(
        self,
        retriever: BaseRetriever,
        docstore: BaseDocumentStore,
        *,
        merge: Merge,
        threshold: float = 0.5,
        verbose: bool = False,
    ) -> None:
        super().__init__(
            cast(VectorIndexRetriever, retriever),  # the stock class only ever calls retrieve
            StorageContext.from_defaults(docstore=docstore),
            simple_ratio_thresh=threshold,
            verbose=verbose,
        )
        self._docstore = docstore
        self._merge = merge

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return self._merged(self._vector_retriever.retrieve(query_bundle))

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        found = await self._vector_retriever.aretrieve(query_bundle)
        return await asyncio.to_thread(self._merged, found)

    def _merged(self, found: Sequence[NodeWithScore]) -> list[NodeWithScore]:
        nodes: dict[str, BaseNode] = {item.node.node_id: item.node for item in found}
        pool = [Candidate(item.node.node_id, item.score or 0.0) for item in found]
        parent_of = self._climb(nodes)
        parents = [node_id for node_id in parent_of.values() if node_id is not None and node_id in nodes]
        merged = self._merge(
            pool,
            parent_of=parent_of,
            leaf_count={node_id: self._count_leaves(nodes[node_id]) for node_id in dict.fromkeys(parents)},
            threshold=self._simple_ratio_thresh,
        )
        return [NodeWithScore(node=nodes[passage.node_id], score=passage.score) for passage in merged]

    def _climb(self, nodes: dict[str, BaseNode]) -> dict[str, str | None]:
        """The parent of every node and ancestor; the ancestors that exist are added to `nodes`."""
        parent_of: dict[str, str | None] = {}
        level = list(nodes.values())
        while level:
            for node in level:
                parent_of[node.node_id] = node.parent_node.node_id if node.parent_node else None
            wanted = {parent for parent in parent_of.values() if parent is not None} - parent_of.keys()
            level = self._docstore.get_nodes(sorted(wanted), raise_error=False)
            missing = wanted - {node.node_id for node in level}
            if missing:
                logger.warning("parents %s are not in the docstore; their leaves stay", sorted(missing))
                parent_of.update(dict.fromkeys(missing))
            nodes.update((node.node_id, node) for node in level)
        return parent_of

    def _count_leaves(self, node: BaseNode) -> int:
        child_ids = [child.node_id for child in node.child_nodes or []]
        if not child_ids:
            return 1
        children = self._docstore.get_nodes(child_ids, raise_error=False)
        gone = len(child_ids) - len(children)
        return gone + sum(self._count_leaves(child) for child in children)
