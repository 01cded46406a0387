"""A read-only LlamaIndex docstore over the catalogue: active nodes only.

The catalogue is the one record; a docstore that could be written to would be a second. Reads see what the
injected reader says is active, so a deleted document is gone here at the moment it is gone everywhere.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn, Protocol

from llama_index.core.schema import BaseNode
from llama_index.core.storage.docstore.types import BaseDocumentStore, RefDocInfo

from prism.errors import NotAllowedError, NotFoundError
from prism.llamaindex.conversions import to_text_node
from prism.types import Node


class NodeReader(Protocol):
    """What the docstore asks of the catalogue; every method sees active nodes only."""

    def nodes(self, node_ids: Iterable[str]) -> Mapping[str, Node]:
        """The nodes of these ids, by id; the others are left out."""
        ...

    def children(self, parent_ids: Iterable[str]) -> Mapping[str, Sequence[Node]]:
        """Direct children in document order, by parent id."""
        ...

    def node_ids(self) -> Sequence[str]:
        """Ids of all nodes, in document order."""
        ...


def _refuse(*_arguments: object, **_named: object) -> NoReturn:
    raise NotAllowedError(
        "This docstore is a view of Prism's catalogue: add and delete documents through Prism."
    )


async def _arefuse(*_arguments: object, **_named: object) -> NoReturn:
    _refuse()


class CatalogueDocumentStore(BaseDocumentStore):
    """`BaseDocumentStore` for LlamaIndex parts that look nodes up, such as an `AutoMergingRetriever`.

    Reading a node that is not there raises `NotFoundError`; every write raises `NotAllowedError`.
    """

    def __init__(self, reader: NodeReader) -> None:
        self._reader = reader

    # ── reading ─────────────────────────────────────────────────────────────────────────────────

    @property
    def docs(self) -> dict[str, BaseNode]:
        """Every active node, by id. Reads them all."""
        return self._text_nodes(self._reader.node_ids())

    def get_document(self, doc_id: str, raise_error: bool = True) -> BaseNode | None:
        """One node; None when it is not there and `raise_error` is off."""
        node = self._text_nodes([doc_id]).get(doc_id)
        if node is None and raise_error:
            raise NotFoundError(
                f"No active node {doc_id!r}: its document was deleted, replaced, or never was."
            )
        return node

    async def aget_document(self, doc_id: str, raise_error: bool = True) -> BaseNode | None:
        """`get_document`, off the event loop."""
        return await asyncio.to_thread(self.get_document, doc_id, raise_error)

    def get_nodes(self, node_ids: list[str], raise_error: bool = True) -> list[BaseNode]:
        """Several nodes by one read, in the order asked for."""
        found = self._text_nodes(node_ids)
        missing = [node_id for node_id in node_ids if node_id not in found]
        if missing and raise_error:
            raise NotFoundError(f"No active nodes {missing}: deleted, replaced, or never there.")
        return [found[node_id] for node_id in node_ids if node_id in found]

    async def aget_nodes(self, node_ids: list[str], raise_error: bool = True) -> list[BaseNode]:
        """`get_nodes`, off the event loop."""
        return await asyncio.to_thread(self.get_nodes, node_ids, raise_error)

    def document_exists(self, doc_id: str) -> bool:
        """Whether an active node has this id."""
        return bool(self._reader.nodes([doc_id]))

    async def adocument_exists(self, doc_id: str) -> bool:
        """`document_exists`, off the event loop."""
        return await asyncio.to_thread(self.document_exists, doc_id)

    def get_ref_doc_info(self, ref_doc_id: str) -> RefDocInfo | None:
        """The node ids of one document; None when it has none."""
        return self.get_all_ref_doc_info().get(ref_doc_id)

    async def aget_ref_doc_info(self, ref_doc_id: str) -> RefDocInfo | None:
        """`get_ref_doc_info`, off the event loop."""
        return await asyncio.to_thread(self.get_ref_doc_info, ref_doc_id)

    def get_all_ref_doc_info(self) -> dict[str, RefDocInfo]:
        """The node ids of every document. Reads all nodes."""
        infos: dict[str, RefDocInfo] = {}
        for node in self._reader.nodes(self._reader.node_ids()).values():
            infos.setdefault(node.document_id, RefDocInfo()).node_ids.append(node.node_id)
        return infos

    async def aget_all_ref_doc_info(self) -> dict[str, RefDocInfo]:
        """`get_all_ref_doc_info`, off the event loop."""
        return await asyncio.to_thread(self.get_all_ref_doc_info)

    def get_document_hash(self, doc_id: str) -> str | None:
        """The node's hash as LlamaIndex computes it; None when it is not there."""
        node = self.get_document(doc_id, raise_error=False)
        return node.hash if node else None

    async def aget_document_hash(self, doc_id: str) -> str | None:
        """`get_document_hash`, off the event loop."""
        return await asyncio.to_thread(self.get_document_hash, doc_id)

    def get_all_document_hashes(self) -> dict[str, str]:
        """Node ids by hash. Reads all nodes."""
        return {node.hash: node_id for node_id, node in self.docs.items()}

    async def aget_all_document_hashes(self) -> dict[str, str]:
        """`get_all_document_hashes`, off the event loop."""
        return await asyncio.to_thread(self.get_all_document_hashes)

    def _text_nodes(self, node_ids: Sequence[str]) -> dict[str, BaseNode]:
        nodes = self._reader.nodes(node_ids)
        children = self._reader.children(nodes)
        return {
            node_id: to_text_node(node, [child.node_id for child in children.get(node_id, ())])
            for node_id, node in nodes.items()
        }

    # ── writing is not for here ─────────────────────────────────────────────────────────────────

    def persist(self, *_arguments: Any, **_named: Any) -> None:
        """Nothing to do: the catalogue is on disk already."""

    add_documents = _refuse
    async_add_documents = _arefuse
    delete_document = _refuse
    adelete_document = _arefuse
    delete_ref_doc = _refuse
    adelete_ref_doc = _arefuse
    set_document_hash = _refuse
    aset_document_hash = _arefuse
    set_document_hashes = _refuse
    aset_document_hashes = _arefuse
