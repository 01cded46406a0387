"""Auto-merging over a LlamaIndex docstore, a tree worked by hand."""

from __future__ import annotations

import asyncio
import logging

import pytest
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.schema import NodeRelationship, NodeWithScore, RelatedNodeInfo, TextNode
from llama_index.core.storage.docstore import SimpleDocumentStore

from prism.llamaindex.auto_merging import ForgivingAutoMergingRetriever
from prism.query.merge import merge

CHILDREN = {"top": ["p1", "p2"], "p1": ["a1", "a2", "a3"], "p2": ["a4", "a5", "a6"], "root": ["b"]}


def tree() -> dict[str, TextNode]:
    names = {*CHILDREN, *(child for children in CHILDREN.values() for child in children)}
    nodes = {name: TextNode(id_=name, text=f"text of {name}") for name in names}
    for parent, children in CHILDREN.items():
        nodes[parent].relationships[NodeRelationship.CHILD] = [
            RelatedNodeInfo(node_id=child) for child in children
        ]
        for child in children:
            nodes[child].relationships[NodeRelationship.PARENT] = RelatedNodeInfo(node_id=parent)
    return nodes


class Fixed(BaseRetriever):
    def __init__(self, found: list[NodeWithScore]) -> None:
        super().__init__()
        self.found = found

    def _retrieve(self, query_bundle):
        return self.found


def merged(scores: dict[str, float], *, without: tuple[str, ...] = (), later: bool = False):
    nodes = tree()
    docstore = SimpleDocumentStore()
    docstore.add_documents([node for name, node in nodes.items() if name not in without])
    found = [NodeWithScore(node=nodes[name], score=score) for name, score in scores.items()]
    retriever = ForgivingAutoMergingRetriever(Fixed(found), docstore, merge=merge)
    result = asyncio.run(retriever.aretrieve("q")) if later else retriever.retrieve("q")
    return [(item.node.node_id, item.score) for item in result]


@pytest.mark.parametrize("later", [False, True])
def test_a_parent_keeps_the_best_score_of_its_leaves(later: bool) -> None:
    assert merged({"a1": 0.9, "a4": 0.6, "a2": 0.1}, later=later) == [("p1", 0.9), ("a4", 0.6)]


def test_leaves_of_leaves_are_counted_for_the_upper_level() -> None:
    # 4 of 6 leaves below top.
    assert merged({"a1": 0.9, "a2": 0.8, "a3": 0.7, "a4": 0.6}) == [("top", 0.9)]


def test_a_chain_of_single_children_stays_where_it_is() -> None:
    assert merged({"b": 0.9}) == [("b", 0.9)]


def test_ret_24_a_missing_parent_leaves_the_leaves_and_is_logged(caplog) -> None:
    with caplog.at_level(logging.WARNING):
        assert merged({"a1": 0.9, "a2": 0.8}, without=("p1",)) == [("a1", 0.9), ("a2", 0.8)]
    assert "p1" in caplog.text


def test_ret_24_everything_missing_but_the_leaves_is_still_an_answer() -> None:
    everything = tuple(CHILDREN)
    assert merged({"a1": 0.9, "a2": 0.8, "b": 0.7}, without=everything) == [
        ("a1", 0.9),
        ("a2", 0.8),
        ("b", 0.7),
    ]


def test_nothing_found_merges_to_nothing() -> None:
    assert merged({}) == []
