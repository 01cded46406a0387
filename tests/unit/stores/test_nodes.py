from __future__ import annotations

from prism.stores.catalogue import Catalogue


def test_a_node_is_the_slice_of_its_documents_text(catalogue: Catalogue, show) -> None:
    show("doc", "alpha beta")
    found = catalogue.nodes.get(["doc-1-1", "doc-1-p", "unknown"], {"doc": 1})

    leaf, parent = found["doc-1-1"], found["doc-1-p"]
    assert (leaf.node.text, leaf.node.start, leaf.node.parent_id) == ("beta", 6, "doc-1-p")
    assert (leaf.node.tokens, leaf.leaves) == (1, 1)
    assert (parent.node.text, parent.node.tokens, parent.leaves) == ("alpha beta", 2, 2)
    assert found.keys() == {"doc-1-1", "doc-1-p"}


def test_nodes_of_another_generation_are_not_there(catalogue: Catalogue, show) -> None:
    show("doc", "old text")
    show("doc", "new text")
    ids = ["doc-1-0", "doc-2-0"]

    assert catalogue.nodes.get(ids, {"doc": 2}).keys() == {"doc-2-0"}
    assert catalogue.nodes.get(ids, {"doc": 1})["doc-1-0"].node.text == "old "
    assert catalogue.nodes.get(ids, {}) == {}
    assert catalogue.nodes.children(["doc-1-p"], {"doc": 2}) == {}


def test_children_come_in_document_order(catalogue: Catalogue, show) -> None:
    show("doc")
    children = catalogue.nodes.children(["doc-1-p"], {"doc": 1})
    assert [item.node.node_id for item in children["doc-1-p"]] == ["doc-1-0", "doc-1-1"]


def test_ids_are_listed_by_document_level_and_place(catalogue: Catalogue, show) -> None:
    show("b")
    show("a")
    active = {"b": 1, "a": 1}
    assert catalogue.nodes.node_ids(active, level=0) == ["a-1-0", "a-1-1", "b-1-0", "b-1-1"]
    assert catalogue.nodes.node_ids({"a": 1}) == ["a-1-0", "a-1-1", "a-1-p"]


def test_more_ids_than_a_statement_takes_are_all_found(catalogue: Catalogue, show) -> None:
    show("doc")
    ids = [f"unknown-{number}" for number in range(1200)]
    assert catalogue.nodes.get([*ids, "doc-1-0"], {"doc": 1}).keys() == {"doc-1-0"}


def test_tokens_are_kept_and_replaced(catalogue: Catalogue, show) -> None:
    show("doc", "alpha beta gamma")
    assert catalogue.nodes.tokens_of(["doc-1-0", "doc-1-1", "unknown"]) == {
        "doc-1-0": ("alpha",),
        "doc-1-1": ("beta", "gamma"),
    }

    catalogue.nodes.replace_tokens({"doc-1-0": ["new"], "doc-1-1": []})

    assert catalogue.nodes.tokens_of_generation("doc", 1) == [
        ("doc-1-0", "doc", 1, ("new",)),
        ("doc-1-1", "doc", 1, ()),
    ]


def test_nothing_to_add_is_no_error(catalogue: Catalogue) -> None:
    catalogue.nodes.add([], {})
    assert catalogue.nodes.get([], {}) == {}
