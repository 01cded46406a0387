"""The read-only docstore: active nodes, no writes."""

from __future__ import annotations

import asyncio
import inspect
from dataclasses import replace

import pytest
from llama_index.core.schema import TextNode
from llama_index.core.storage.docstore.types import BaseDocumentStore
from llama_index.core.storage.storage_context import StorageContext

from prism.errors import NotAllowedError, NotFoundError
from prism.llamaindex.docstore import CatalogueDocumentStore


class Nodes:
    """Nodes in memory; `active` decides what is seen."""

    def __init__(self, *nodes) -> None:
        self.all = {node.node_id: node for node in nodes}
        self.active = {node.document_id for node in nodes}

    def nodes(self, node_ids):
        return {
            node_id: self.all[node_id]
            for node_id in node_ids
            if node_id in self.all and self.all[node_id].document_id in self.active
        }

    def children(self, parent_ids):
        return {
            parent: [node for node in self.nodes(self.all).values() if node.parent_id == parent]
            for parent in parent_ids
        }

    def node_ids(self):
        return list(self.nodes(self.all))


@pytest.fixture
def reader(leaf) -> Nodes:
    parent = replace(leaf, node_id="parent-1", level=1, ordinal=0, parent_id=None)
    other = replace(leaf, node_id="leaf-2", ordinal=8)
    return Nodes(leaf, other, parent)


@pytest.fixture
def docstore(reader: Nodes) -> CatalogueDocumentStore:
    return CatalogueDocumentStore(reader)


def test_nodes_are_read_with_parent_and_children(docstore) -> None:
    parent = docstore.get_document("parent-1")
    assert [child.node_id for child in parent.child_nodes] == ["leaf-1", "leaf-2"]
    assert docstore.get_node("leaf-1").parent_node.node_id == "parent-1"
    assert [node.node_id for node in docstore.get_nodes(["leaf-2", "leaf-1"])] == ["leaf-2", "leaf-1"]
    assert set(docstore.docs) == {"leaf-1", "leaf-2", "parent-1"}
    assert docstore.get_ref_doc_info("doc-1").node_ids == ["leaf-1", "leaf-2", "parent-1"]
    assert docstore.get_document_hash("leaf-1") in docstore.get_all_document_hashes()


def test_ing_32_a_deleted_document_is_gone_at_once_from_every_read(docstore, reader) -> None:
    reader.active.clear()
    assert docstore.docs == {}
    assert not docstore.document_exists("leaf-1")
    assert docstore.get_document("leaf-1", raise_error=False) is None
    assert docstore.get_nodes(["leaf-1", "parent-1"], raise_error=False) == []
    assert docstore.get_ref_doc_info("doc-1") is None
    assert docstore.get_all_document_hashes() == {}
    with pytest.raises(NotFoundError, match="leaf-1"):
        docstore.get_document("leaf-1")
    with pytest.raises(NotFoundError, match="leaf-1"):
        docstore.get_nodes(["leaf-1"])


@pytest.mark.parametrize(
    "name",
    sorted(
        name
        for name in BaseDocumentStore.__abstractmethods__
        if any(verb in name for verb in ("add_", "delete", "set_"))
    ),
)
def test_every_write_is_refused(docstore, name: str) -> None:
    method = getattr(docstore, name)
    with pytest.raises(NotAllowedError, match="through Prism"):
        asyncio.run(method([TextNode(text="x")])) if inspect.iscoroutinefunction(method) else method([])


def test_it_reads_the_same_off_the_event_loop(docstore) -> None:
    async def read():
        return (
            await docstore.aget_document("leaf-1"),
            await docstore.aget_nodes(["leaf-2"]),
            await docstore.adocument_exists("leaf-1"),
            await docstore.aget_ref_doc_info("doc-1"),
        )

    one, several, exists, info = asyncio.run(read())
    assert one.node_id == "leaf-1"
    assert [node.node_id for node in several] == ["leaf-2"]
    assert exists
    assert info == docstore.get_ref_doc_info("doc-1")


def test_it_fits_a_storage_context(docstore, tmp_path) -> None:
    context = StorageContext.from_defaults(docstore=docstore)
    assert context.docstore.get_document("leaf-1").node_id == "leaf-1"
    docstore.persist(str(tmp_path / "docstore.json"))
    assert list(tmp_path.iterdir()) == []
