"""`ChromaVectorStore` for someone else's index: upserts, batches that fit, cosine scores, honest filters.

The stock class ignores the second `add` of an id, slices batches larger than the client takes, scores by
exp(-distance), ignores `node_ids` and `doc_ids`, and fails a whole batch over a list in the metadata.
Prism's own vectors do not come through here: see `prism.stores.vectors`.
"""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from chromadb.api.models.Collection import Collection
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.schema import BaseNode, MetadataMode
from llama_index.core.vector_stores.types import (
    VectorStoreQuery,
    VectorStoreQueryMode,
    VectorStoreQueryResult,
)
from llama_index.core.vector_stores.utils import node_to_metadata_dict
from llama_index.vector_stores.chroma import ChromaVectorStore
from llama_index.vector_stores.chroma.base import _to_chroma_filter

from prism.errors import StoreMismatchError

logger = logging.getLogger(__name__)


class CosineChromaVectorStore(ChromaVectorStore):
    """A Chroma collection as a LlamaIndex vector store; similarities are cosines in [-1, 1]."""

    _batch_size: int = PrivateAttr()

    def __init__(self, chroma_collection: Collection, *, batch_size: int, **kwargs: Any) -> None:
        """Wrap a collection of cosine space.

        Args:
            batch_size: how many nodes a call may carry: the client's `get_max_batch_size()`.

        Raises:
            StoreMismatchError: the collection measures another distance; a graph cannot change its space.
        """
        space = (chroma_collection.configuration_json.get("hnsw") or {}).get("space")
        if space != "cosine":
            raise StoreMismatchError(
                f"collection {chroma_collection.name!r} measures {space}, not cosine: make a new collection "
                "with configuration={'hnsw': {'space': 'cosine'}} and index again"
            )
        super().__init__(chroma_collection=chroma_collection, **kwargs)
        self._batch_size = batch_size

    @classmethod
    def class_name(cls) -> str:
        """Name in serialized indexes."""
        return "CosineChromaVectorStore"

    def add(self, nodes: Sequence[BaseNode], **_add_kwargs: Any) -> list[str]:
        """Store nodes with their embeddings, replacing what an id held. Returns the ids as given."""
        latest = list({node.node_id: node for node in nodes}.values())
        for start in range(0, len(latest), self._batch_size):
            batch = latest[start : start + self._batch_size]
            self._collection.upsert(
                ids=[node.node_id for node in batch],
                embeddings=np.array([node.get_embedding() for node in batch], dtype=np.float32),
                metadatas=[_stored_metadata(node) for node in batch],
                documents=[node.get_content(metadata_mode=MetadataMode.NONE) for node in batch],
            )
        return [node.node_id for node in nodes]

    def delete_nodes(
        self, node_ids: list[str] | None = None, filters: Any = None, **_delete_kwargs: Any
    ) -> None:
        """Delete nodes by id, by filter, or those that meet both. Neither given deletes nothing."""
        if filters:
            super().delete_nodes(node_ids or None, filters)
            return
        for start in range(0, len(node_ids or []), self._batch_size):
            self._collection.delete(ids=(node_ids or [])[start : start + self._batch_size])

    def clear(self) -> None:
        """Delete every node of the collection."""
        self.delete_nodes(list(self._collection.get(include=[])["ids"]))

    def query(self, query: VectorStoreQuery, **kwargs: Any) -> VectorStoreQueryResult:
        """The nearest nodes within filters, `doc_ids` and `node_ids`.

        Empty `doc_ids` find nothing. Empty `node_ids` do not restrict, as a `VectorStoreIndex` over a store
        of texts hands them in with every query.
        """
        nothing = VectorStoreQueryResult(nodes=[], similarities=[], ids=[])
        where = _all_of(
            _to_chroma_filter(query.filters) if query.filters else None,
            {"document_id": {"$in": query.doc_ids}} if query.doc_ids else None,
            kwargs.pop("where", None),
        )
        if query.doc_ids == [] or query.similarity_top_k <= 0:
            return nothing
        if query.node_ids:
            # Chroma fails on an id it does not hold, so ask which it does.
            kwargs["ids"] = list(self._collection.get(ids=query.node_ids, include=[])["ids"])
            if not kwargs["ids"]:
                return nothing
        result = super().query(replace(query, filters=None), where=where, **kwargs)
        if query.query_embedding and query.mode == VectorStoreQueryMode.DEFAULT:
            # The stock score is exp(-distance), and the distance of cosine space is 1 - cosine.
            result.similarities = [1.0 + math.log(score) for score in result.similarities or []]
        return result


def flatten_metadata(metadata: Mapping[str, Any]) -> dict[str, str | int | float | bool]:
    """Metadata Chroma takes: nested keys joined by dots, lists as JSON text, None left out."""
    return dict(_flat_items(metadata, ""))


def _flat_items(metadata: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for key, value in metadata.items():
        name = f"{prefix}{key}"
        if isinstance(value, Mapping):
            yield from _flat_items(value, f"{name}.")
        elif isinstance(value, list | tuple | set | frozenset):
            yield name, json.dumps(list(value), ensure_ascii=False, default=str)
        elif value is not None:
            yield name, value if isinstance(value, str | int | float | bool) else str(value)


def _stored_metadata(node: BaseNode) -> dict[str, Any]:
    flat = flatten_metadata(node.metadata)
    if flat != node.metadata:
        changed = sorted(key for key, value in node.metadata.items() if key not in flat or flat[key] != value)
        logger.info(
            "node %s: metadata %s flattened or left out, as Chroma takes plain values", node.node_id, changed
        )
    # A copy: the caller's node keeps its metadata.
    stored = node.model_copy(update={"metadata": flat})
    return dict(node_to_metadata_dict(stored, remove_text=True, flat_metadata=True))


def _all_of(*conditions: dict[str, Any] | None) -> dict[str, Any] | None:
    given = [condition for condition in conditions if condition]
    if len(given) > 1:
        return {"$and": given}
    return given[0] if given else None
