from __future__ import annotations

from prism.query.climb import climb
from prism.stores.nodes import StoredNode
from prism.types import Node


class Table:
    """Nodes by id, as the catalogue gives them; counts how often it is asked."""

    def __init__(self, *nodes: StoredNode) -> None:
        self._nodes = {item.node.node_id: item for item in nodes}
        self.asked = 0
        self.nodes = self

    def get(self, node_ids, active) -> dict[str, StoredNode]:
        self.asked += 1
        found = {node_id: self._nodes[node_id] for node_id in node_ids if node_id in self._nodes}
        return {key: item for key, item in found.items() if item.node.document_id in active}


def stored(
    name: str, parent: str | None, *, tokens: int = 1, leaves: int = 1, document: str = "doc"
) -> StoredNode:
    return StoredNode(Node(name, document, 1, 0, 0, parent, 0, 4, "text", tokens=tokens), leaves)


TREE = (
    stored("root", None, tokens=40, leaves=4),
    stored("p", "root", tokens=20, leaves=2),
    stored("a", "p", tokens=10),
    stored("b", "p", tokens=10),
    stored("x", None, document="hidden"),
)


def test_every_node_above_the_leaves_is_fetched_level_by_level() -> None:
    table = Table(*TREE)
    tree = climb(["a", "b"], table, {"doc": 1})
    assert tree.parent_of == {"a": "p", "b": "p", "p": "root", "root": None}
    assert tree.token_counts == {"a": 10, "b": 10, "p": 20, "root": 40}
    assert tree.leaf_counts == {"a": 1, "b": 1, "p": 2, "root": 4}
    assert table.asked == 3


def test_ret_24_a_missing_parent_is_left_out() -> None:
    tree = climb(["a"], Table(stored("a", "gone")), {"doc": 1})
    assert tree.nodes.keys() == {"a"}
    assert tree.parent_of == {"a": "gone"}


def test_leaves_of_hidden_documents_are_not_there() -> None:
    assert climb(["x", "unknown"], Table(*TREE), {"doc": 1}).nodes == {}


def test_no_leaves_need_no_reading() -> None:
    table = Table(*TREE)
    assert climb([], table, {"doc": 1}).nodes == {}
    assert table.asked == 0


def test_a_record_that_runs_in_a_circle_comes_to_an_end() -> None:
    assert climb(["a"], Table(stored("a", "b"), stored("b", "a")), {"doc": 1}).nodes.keys() == {"a", "b"}
