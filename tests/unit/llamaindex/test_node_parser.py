"""The hierarchical parser as a LlamaIndex part: ids, offsets, relationships, metadata."""

from __future__ import annotations

import asyncio

import pytest
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.node_parser import get_leaf_nodes, get_root_nodes
from llama_index.core.schema import Document, MetadataMode, NodeRelationship

from prism.errors import UsageError
from prism.llamaindex.node_parser import OffsetHierarchicalNodeParser

TEXT = " ".join(f"Rule {n} limits payment {n}." for n in range(60)) + "\n\n" + "Same words again. " * 20


def name(level: int, ordinal: int) -> str:
    return f"{level}:{ordinal}"


def parser(sizes=(40, 20, 10), **options) -> OffsetHierarchicalNodeParser:
    return OffsetHierarchicalNodeParser.from_sizes(sizes, tokenizer=str.split, **options)


def parse(text: str, *, metadata=None, **options):
    return parser(**options).get_nodes_from_documents(
        [Document(text=text, id_="doc", metadata=metadata or {})]
    )


def test_chk_07_offsets_are_true_against_the_document_at_every_level() -> None:
    nodes = parse(TEXT, node_id=name)
    assert {node.node_id.split(":")[0] for node in nodes} == {"0", "1", "2"}
    for node in nodes:
        assert TEXT[node.start_char_idx : node.end_char_idx] == node.text


def test_ids_count_from_zero_in_document_order_per_level_and_leaves_are_level_zero() -> None:
    nodes = parse(TEXT, node_id=name)
    for level in ("0", "1", "2"):
        of_level = [node for node in nodes if node.node_id.startswith(level)]
        assert [node.node_id for node in of_level] == [f"{level}:{n}" for n in range(len(of_level))]
        starts = [node.start_char_idx for node in of_level]
        assert starts == sorted(starts)
    assert {node.node_id for node in get_leaf_nodes(nodes)} == {
        node.node_id for node in nodes if node.node_id.startswith("0")
    }
    assert {node.node_id for node in get_root_nodes(nodes)} == {
        node.node_id for node in nodes if node.node_id.startswith("2")
    }


def test_parents_and_children_point_at_each_other_and_all_at_the_document() -> None:
    nodes = {node.node_id: node for node in parse(TEXT, node_id=name)}
    for node in nodes.values():
        assert node.ref_doc_id == "doc"
        for child in node.child_nodes or []:
            assert nodes[child.node_id].parent_node.node_id == node.node_id
        if node.parent_node:
            parent = nodes[node.parent_node.node_id]
            assert node.node_id in {child.node_id for child in parent.child_nodes}
            assert parent.start_char_idx <= node.start_char_idx
            assert node.end_char_idx <= parent.end_char_idx


def test_neighbours_are_linked_both_ways_within_a_level() -> None:
    nodes = {node.node_id: node for node in parse(TEXT, node_id=name)}
    assert nodes["0:0"].next_node.node_id == "0:1"
    assert nodes["0:1"].prev_node.node_id == "0:0"
    assert NodeRelationship.PREVIOUS not in nodes["0:0"].relationships


@pytest.mark.parametrize("path", ["नीति/" * 200, "नीति/" * 3, ""])
def test_chk_01_and_02_metadata_never_changes_the_cut(path: str) -> None:
    bare = [(node.start_char_idx, node.end_char_idx) for node in parse(TEXT)]
    with_path = parse(TEXT, metadata={"file_path": path})
    assert [(node.start_char_idx, node.end_char_idx) for node in with_path] == bare
    assert all(node.metadata == {"file_path": path} for node in with_path)


def test_a_node_tells_its_tokens_to_programs_alone_when_a_key_for_them_is_given() -> None:
    for node in parse(TEXT, count_key="tokens"):
        assert node.metadata == {"tokens": len(node.text.split())}
        assert node.get_content(MetadataMode.EMBED) == node.get_content(MetadataMode.LLM) == node.text


def test_a_short_document_is_one_node_per_level_and_a_blank_one_none() -> None:
    assert [node.text for node in parse("One line.")] == ["One line."] * 3
    assert parse("  \n\n ") == []
    assert parse("") == []


def test_without_a_naming_function_ids_are_unique_over_documents() -> None:
    documents = [Document(text=TEXT, id_="a"), Document(text=TEXT, id_="b")]
    nodes = parser().get_nodes_from_documents(documents)
    assert len({node.node_id for node in nodes}) == len(nodes)
    assert {node.ref_doc_id for node in nodes} == {"a", "b"}


def test_a_naming_function_takes_one_document_at_a_time() -> None:
    with pytest.raises(UsageError, match="one at a time"):
        parser(node_id=name).get_nodes_from_documents([Document(text="a"), Document(text="b")])


@pytest.mark.parametrize("sizes", [(), (10, 20), (10, 10)])
def test_sizes_that_do_not_fall_are_refused(sizes) -> None:
    with pytest.raises(UsageError, match="must fall"):
        parser(sizes)


def test_it_works_in_a_plain_ingestion_pipeline_and_asynchronously() -> None:
    documents = [Document(text=TEXT, id_="doc")]
    direct = [node.text for node in parser().get_nodes_from_documents(documents)]
    piped = IngestionPipeline(transformations=[parser()], disable_cache=True).run(documents=documents)
    later = asyncio.run(parser().aget_nodes_from_documents(documents))
    assert [node.text for node in piped] == direct
    assert [node.text for node in later] == direct


def test_sentences_come_from_the_function_given() -> None:
    halves = parse("aaaa bbbb", sizes=(1,), sentence_spans=lambda text: [(0, 5), (5, len(text))])
    assert [node.text for node in halves] == ["aaaa", "bbbb"]
