"""The plain build's nodes are linked as LlamaIndex's own parsers link them."""

from __future__ import annotations

import pytest
from llama_index.core.node_parser import get_leaf_nodes, get_root_nodes
from llama_index.core.schema import BaseNode, MetadataMode, NodeWithScore, QueryBundle, TextNode
from llama_index.retrievers.bm25 import BM25Retriever

from eval.bench.material import Ready
from eval.bench.plain_build import SOURCE, Timed, WithoutLeaks, text_nodes
from eval.bench.stopwatch import Stopwatch
from prism.types import Node

TEXT = "One pays. Two owes. Three asks."


def node(node_id: str, level: int, ordinal: int, parent: str | None, start: int, end: int) -> Node:
    return Node(node_id, "d", 1, level, ordinal, parent, start, end, TEXT[start:end])


READY = Ready(
    document_id="d",
    name="d.txt",
    version="v",
    text=TEXT,
    nodes=(
        node("root", 1, 0, None, 0, 31),
        node("a", 0, 0, "root", 0, 10),
        node("b", 0, 1, "root", 10, 20),
        node("c", 0, 2, "root", 20, 31),
    ),
    first_row=0,
)


@pytest.fixture
def nodes() -> dict[str, BaseNode]:
    return {made.node_id: made for made in text_nodes(READY)}


def test_leaves_and_roots_are_those_llama_index_sees(nodes: dict[str, BaseNode]) -> None:
    assert [made.node_id for made in get_leaf_nodes(list(nodes.values()))] == ["a", "b", "c"]
    assert [made.node_id for made in get_root_nodes(list(nodes.values()))] == ["root"]


def test_parent_and_children_know_each_other(nodes: dict[str, BaseNode]) -> None:
    assert [child.node_id for child in nodes["root"].child_nodes or []] == ["a", "b", "c"]
    assert {nodes[leaf].parent_node.node_id for leaf in "abc" if nodes[leaf].parent_node} == {"root"}


def test_every_node_belongs_to_its_document(nodes: dict[str, BaseNode]) -> None:
    assert {made.ref_doc_id for made in nodes.values()} == {"d"}
    assert {made.metadata[SOURCE] for made in nodes.values()} == {"d"}


def test_what_is_embedded_and_indexed_is_the_text_alone(nodes: dict[str, BaseNode]) -> None:
    assert nodes["b"].get_content(metadata_mode=MetadataMode.EMBED) == "Two owes. "


def test_stages_and_what_is_left_of_the_whole() -> None:
    watches = [Stopwatch(None) for _ in range(3)]  # type: ignore[arg-type]
    for watch, spent_ms in zip(watches, (4.0, 2.0, 7.0), strict=True):
        watch.spent_ms = spent_ms
    timed = Timed(None, *watches)  # type: ignore[arg-type]
    stages = timed.stages_ms(embed_ms=0.5, total_ms=9.0)
    assert stages == {"embed": 0.5, "dense": 4.0, "keyword": 2.0, "fuse": 1.0, "read_merge": 1.5}
    assert sum(stages.values()) == 9.0


def test_bm25_within_a_scope_gives_neither_strangers_nor_what_holds_no_word() -> None:
    said = {"a": "harbour fee", "b": "harbour toll", "c": "vault key", "d": "harbour tax"}
    owner = {"a": "one", "b": "two", "c": "one", "d": "one"}
    given = [TextNode(id_=key, text=text, metadata={SOURCE: owner[key]}) for key, text in said.items()]
    plain = BM25Retriever.from_defaults(nodes=given, similarity_top_k=4)
    masked = BM25Retriever(
        existing_bm25=plain.bm25,
        similarity_top_k=4,
        corpus_weight_mask=[int(entry[SOURCE] == "one") for entry in plain.corpus],
    )

    def ids(found: list[NodeWithScore]) -> set[str]:
        return {item.node.node_id for item in found}

    plain.bm25.corpus = plain.corpus
    assert ids(masked.retrieve(QueryBundle("harbour"))) == {"a", "b", "c", "d"}, "BM25 pads its results"
    assert ids(WithoutLeaks(masked, frozenset({"one"})).retrieve(QueryBundle("harbour"))) == {"a", "d"}
