"""The dense leg as a retriever, with an embedder that counts letters."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest
from llama_index.core.schema import QueryBundle, TextNode

from prism.llamaindex.dense_retriever import DenseRetriever
from prism.types import LeafHit

NODES = {name: TextNode(id_=name, text=name) for name in "ab"}


def embed(text: str) -> np.ndarray:
    vector = np.array([text.count("a"), text.count("b")], dtype=np.float32)
    return vector / np.linalg.norm(vector)


@pytest.fixture
def seen() -> list[list[float]]:
    return []


@pytest.fixture
def dense(seen) -> DenseRetriever:
    def search(vector, k):
        seen.append([float(value) for value in vector])
        return (LeafHit("a", 1, 0.9), LeafHit("b", 2, -0.1))[:k]

    return DenseRetriever(embed=embed, search=search, fetch=lambda ids: NODES, similarity_top_k=2)


def test_the_question_is_embedded_and_searched(dense, seen) -> None:
    assert [(item.node.node_id, item.score) for item in dense.retrieve("aa")] == [("a", 0.9), ("b", -0.1)]
    assert seen == [[1.0, 0.0]]


def test_several_texts_are_searched_by_their_mean_at_unit_length(dense, seen) -> None:
    dense.retrieve(QueryBundle("a", custom_embedding_strs=["a", "b"]))
    assert seen == [[pytest.approx(2**-0.5), pytest.approx(2**-0.5)]]


def test_an_empty_hypothesis_does_not_pull_the_vector(dense, seen) -> None:
    dense.retrieve(QueryBundle("a", custom_embedding_strs=["  ", "a"]))
    assert seen == [[1.0, 0.0]]
    assert dense.retrieve("") == []


def test_a_bundle_is_neither_read_from_nor_written_to(dense, seen) -> None:
    bundle = QueryBundle("a", embedding=[9.0, 9.0, 9.0])
    asyncio.run(dense.aretrieve(bundle))
    assert bundle.embedding == [9.0, 9.0, 9.0]
    assert seen == [[1.0, 0.0]]
