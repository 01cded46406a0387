"""The keyword leg as a retriever."""

from __future__ import annotations

import asyncio

import pytest
from llama_index.core.schema import TextNode
from llama_index.retrievers.bm25 import BM25Retriever

from prism.errors import NotAllowedError
from prism.llamaindex.keyword_retriever import KeywordRetriever
from prism.types import LeafHit

NODES = {name: TextNode(id_=name, text=name) for name in "abc"}


def retriever(*hits: LeafHit, k: int = 10) -> KeywordRetriever:
    def search(query: str, wanted: int) -> tuple[LeafHit, ...]:
        assert wanted == k
        return hits if query == "known" else ()

    return KeywordRetriever(
        search=search, fetch=lambda ids: {i: NODES[i] for i in ids if i in NODES}, similarity_top_k=k
    )


def found(keyword: KeywordRetriever, query: str = "known") -> list[tuple[str, float]]:
    return [(item.node.node_id, item.score) for item in keyword.retrieve(query)]


def test_ret_03_no_match_returns_nothing_and_zeros_are_not_hits() -> None:
    keyword = retriever(LeafHit("a", 1, 2.0), LeafHit("b", 2, 0.0))
    assert found(keyword) == [("a", 2.0)]
    assert found(keyword, "zxqv") == []
    assert found(keyword, "") == []


def test_ret_01_and_02_nothing_is_padded_and_an_empty_index_is_no_error() -> None:
    assert found(retriever(LeafHit("a", 1, 2.0), k=20)) == [("a", 2.0)]
    assert found(retriever()) == []


def test_at_most_k_and_only_nodes_that_are_still_there() -> None:
    keyword = retriever(LeafHit("c", 1, 3.0), LeafHit("gone", 2, 2.5), LeafHit("a", 3, 2.0), k=2)
    assert found(keyword) == [("c", 3.0)]


def test_it_searches_the_same_off_the_event_loop() -> None:
    keyword = retriever(LeafHit("b", 1, 2.0))
    assert [item.node.node_id for item in asyncio.run(keyword.aretrieve("known"))] == ["b"]


def test_it_is_a_bm25_retriever_that_cannot_be_saved_or_built_elsewhere(tmp_path) -> None:
    keyword = retriever()
    assert isinstance(keyword, BM25Retriever)
    for refused in (keyword.get_persist_args, lambda: keyword.persist(str(tmp_path))):
        with pytest.raises(NotAllowedError, match="belongs to Prism"):
            refused()
    for refused in (KeywordRetriever.from_defaults, lambda: KeywordRetriever.from_persist_dir(str(tmp_path))):
        with pytest.raises(NotAllowedError, match="belongs to Prism"):
            refused()
