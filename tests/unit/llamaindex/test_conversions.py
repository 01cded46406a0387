"""Between our values and LlamaIndex's."""

from __future__ import annotations

from dataclasses import replace

import pytest
from llama_index.core.schema import MetadataMode, TextNode

from prism.errors import UsageError
from prism.llamaindex.conversions import answer_sources, hits_to_nodes, passage_to_node, to_node, to_text_node
from prism.types import FORMS_MARK, LeafHit


def test_a_node_comes_back_as_it_was(leaf) -> None:
    assert to_node(to_text_node(leaf)) == leaf
    bare = replace(leaf, header="", context="", parent_id=None)
    assert to_node(to_text_node(bare)) == bare


def test_a_node_with_other_forms_in_its_context_comes_back_and_its_mark_is_not_embedded(leaf) -> None:
    told = replace(leaf, context=f"Leave > {FORMS_MARK}SFB > UCB")
    node = to_text_node(told)
    assert to_node(node) == told
    assert told.place == ("Leave",)
    assert node.get_content(MetadataMode.EMBED) == told.indexed_text
    assert told.indexed_text.startswith("Leave > SFB > UCB\n")


def test_what_is_embedded_is_what_we_index_and_the_model_never_sees_the_context(leaf) -> None:
    node = to_text_node(leaf)
    assert node.get_content(MetadataMode.EMBED) == leaf.indexed_text
    assert node.get_content(MetadataMode.LLM) == "Rule | Days\nLeave is 15 days."
    assert node.get_content(MetadataMode.NONE) == leaf.text
    bare = replace(leaf, header="", context="")
    assert to_text_node(bare).get_content(MetadataMode.EMBED) == bare.text


@pytest.mark.parametrize("text", ["{metadata_str} {content}", "{0} {{x}}", "50 % {"])
def test_braces_in_a_text_are_text(leaf, text: str) -> None:
    node = to_text_node(replace(leaf, text=text, context=text))
    assert node.get_content(MetadataMode.EMBED) == f"{text}\nRule | Days\n{text}"


def test_relationships_and_offsets_are_carried(leaf) -> None:
    node = to_text_node(leaf, ["child-1", "child-2"])
    assert node.ref_doc_id == "doc-1"
    assert node.parent_node.node_id == "parent-1"
    assert [child.node_id for child in node.child_nodes] == ["child-1", "child-2"]
    assert (node.start_char_idx, node.end_char_idx) == (10, 27)


def test_a_foreign_node_is_refused() -> None:
    with pytest.raises(UsageError, match="not one of Prism's"):
        to_node(TextNode(text="from elsewhere"))


def test_hits_keep_their_order_and_a_node_that_is_gone_is_left_out(leaf) -> None:
    nodes = {"b": TextNode(id_="b", text="B"), "a": TextNode(id_="a", text="A")}
    found = hits_to_nodes(
        [LeafHit("b", 1, 0.9), LeafHit("gone", 2, 0.8), LeafHit("a", 3, 0.7)], lambda _: nodes
    )
    assert [(item.node.node_id, item.score) for item in found] == [("b", 0.9), ("a", 0.7)]


def test_a_passage_carries_document_page_and_rank_and_shows_the_model_no_ids(passage) -> None:
    found = passage_to_node(passage)
    assert found.node.node_id == "leaf-1"
    assert found.score == 0.8
    assert found.node.metadata["document"] == "hr/policy.pdf"
    assert found.node.metadata["page"] == "iv, 1"
    assert found.node.metadata["rank"] == 1
    shown = found.node.get_content(MetadataMode.LLM)
    assert "hr/policy.pdf" in shown
    assert "Rule | Days" in shown
    assert "doc-1" not in shown


def test_sources_are_what_is_cited_or_the_nearest_when_it_abstained(make_answer) -> None:
    assert [found.node.node_id for found in answer_sources(make_answer())] == ["leaf-1"]
    assert [found.node.node_id for found in answer_sources(make_answer(abstained=True))] == ["leaf-1"]
