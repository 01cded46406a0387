"""The Chroma store of someone else's index, over real collections."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chromadb
import numpy as np
import pytest
from chromadb.config import Settings
from llama_index.core import StorageContext, VectorStoreIndex
from llama_index.core.embeddings import MockEmbedding
from llama_index.core.schema import NodeRelationship, RelatedNodeInfo, TextNode
from llama_index.core.vector_stores.types import (
    FilterOperator,
    MetadataFilter,
    MetadataFilters,
    VectorStoreQuery,
)

from prism.errors import StoreMismatchError
from prism.llamaindex.vector_store import CosineChromaVectorStore, flatten_metadata


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Any]:
    opened = chromadb.PersistentClient(path=str(tmp_path), settings=Settings(anonymized_telemetry=False))
    yield opened
    opened.close()


@pytest.fixture
def store(client) -> CosineChromaVectorStore:
    collection = client.create_collection(
        "nodes", embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
    )
    return CosineChromaVectorStore(collection, batch_size=client.get_max_batch_size())


def node(node_id: str, vector: list[float], document: str = "d", text: str = "", **metadata: Any) -> TextNode:
    return TextNode(
        id_=node_id,
        text=text or node_id,
        embedding=vector,
        metadata=metadata,
        relationships={NodeRelationship.SOURCE: RelatedNodeInfo(node_id=document)},
    )


def search(store: CosineChromaVectorStore, k: int = 9, **query: Any) -> list[tuple[str, float]]:
    result = store.query(VectorStoreQuery(query_embedding=[1.0, 0.0], similarity_top_k=k, **query))
    return list(zip(result.ids, result.similarities, strict=True))


def test_similarities_are_cosines(store) -> None:
    store.add([node("same", [2, 0]), node("slant", [3, 4]), node("across", [0, 1]), node("against", [-1, 0])])
    assert search(store) == [
        ("same", pytest.approx(1, abs=1e-6)),
        ("slant", pytest.approx(0.6, abs=1e-6)),
        ("across", pytest.approx(0, abs=1e-6)),
        ("against", pytest.approx(-1, abs=1e-6)),
    ]


def test_ing_37_an_id_added_again_holds_the_new_text_and_vector(store) -> None:
    store.add([node("x", [1, 0], text="OLD")])
    store.add([node("x", [0, 1], text="NEW")])
    assert [found.get_content() for found in store.get_nodes(["x"])] == ["NEW"]
    assert search(store) == [("x", pytest.approx(0, abs=1e-6))]
    store.add([node("y", [1, 0], text="first"), node("y", [1, 0], text="last")])
    assert [found.get_content() for found in store.get_nodes(["y"])] == ["last"]


def test_ing_36_six_and_a_half_thousand_nodes_are_added_and_deleted(store) -> None:
    vectors = np.random.default_rng(0).normal(size=(6500, 2))
    ids = store.add([node(f"n{place}", vector.tolist()) for place, vector in enumerate(vectors)])
    assert len(ids) == 6500
    assert store.client.count() == 6500
    store.delete_nodes(ids[:6000])
    assert store.client.count() == 500
    store.delete("d")
    assert store.client.count() == 0
    store.clear()


@pytest.mark.parametrize(
    ("metadata", "stored"),
    [
        (
            {"a": None, "tags": ["x", "y"], "m": {"k": 1, "deep": {"z": True}}},
            {"tags": '["x", "y"]', "m.k": 1, "m.deep.z": True},
        ),
        ({"empty": [], "none": {}, "set": {"é"}}, {"empty": "[]", "set": '["é"]'}),
        ({"when": Path("a/b"), "n": 1.5, "s": "t"}, {"when": "a/b", "n": 1.5, "s": "t"}),
    ],
)
def test_ing_44_metadata_chroma_cannot_take_is_flattened(metadata, stored) -> None:
    assert flatten_metadata(metadata) == stored


def test_ing_44_one_awkward_node_does_not_fail_the_batch_and_is_logged(store, caplog) -> None:
    awkward = node("awkward", [1, 0], a=None, tags=["x", "y"], m={"k": 1})
    with caplog.at_level(logging.INFO):
        store.add([node("plain", [0, 1], page=3), awkward])
    assert "node awkward" in caplog.text
    assert "node plain" not in caplog.text
    (found,) = store.get_nodes(["awkward"])
    assert found.metadata["m.k"] == 1
    assert awkward.metadata == {"a": None, "tags": ["x", "y"], "m": {"k": 1}}
    by_nested_key = MetadataFilters(filters=[MetadataFilter(key="m.k", value=1)])
    assert [name for name, _ in search(store, filters=by_nested_key)] == ["awkward"]


def test_ids_of_nodes_and_documents_are_honoured(store) -> None:
    store.add([node("a1", [1, 0], "a"), node("a2", [0, 1], "a"), node("b1", [1, 0], "b")])
    assert [name for name, _ in search(store, doc_ids=["a"])] == ["a1", "a2"]
    assert [name for name, _ in search(store, node_ids=["a2", "b1", "never there"])] == ["b1", "a2"]
    assert [name for name, _ in search(store, node_ids=["a2", "b1"], doc_ids=["a"])] == ["a2"]
    only_b1 = MetadataFilters(
        filters=[MetadataFilter(key="document_id", operator=FilterOperator.NE, value="a")]
    )
    assert [name for name, _ in search(store, filters=only_b1, node_ids=["a1", "b1"])] == ["b1"]
    assert search(store, filters=only_b1, doc_ids=["a"]) == []


@pytest.mark.parametrize("nothing", [{"doc_ids": []}, {"node_ids": ["never there"]}])
def test_an_empty_choice_finds_nothing(store, nothing) -> None:
    store.add([node("a1", [1, 0])])
    assert search(store, **nothing) == []


def test_ret_20_an_empty_store_and_a_large_k_are_no_error(store) -> None:
    assert search(store, k=50) == []
    store.add([node("only", [1, 0])])
    assert [name for name, _ in search(store, k=50)] == ["only"]
    assert search(store, k=0) == []


def test_a_collection_of_another_space_is_refused(client) -> None:
    collection = client.create_collection("plain", embedding_function=None)
    with pytest.raises(StoreMismatchError, match="measures l2, not cosine"):
        CosineChromaVectorStore(collection, batch_size=100)


def test_it_serves_a_plain_vector_store_index(store) -> None:
    index = VectorStoreIndex(
        [TextNode(id_="n", text="words")],
        storage_context=StorageContext.from_defaults(vector_store=store),
        embed_model=MockEmbedding(embed_dim=2),
    )
    (found,) = index.as_retriever().retrieve("question")
    assert (found.node.node_id, found.score) == ("n", pytest.approx(1.0))
