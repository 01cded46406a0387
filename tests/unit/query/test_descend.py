from __future__ import annotations

from prism.query.descend import descend
from prism.stores.nodes import StoredNode
from prism.types import Node


class Table:
    """Nodes by id, as the catalogue gives them; counts how often it is asked."""

    def __init__(self, *nodes: Node) -> None:
        self._nodes = nodes
        self.asked = 0
        self.nodes = self

    def get(self, node_ids, active) -> dict[str, StoredNode]:
        self.asked += 1
        wanted = set(node_ids)
        return {node.node_id: StoredNode(node, 1) for node in self._shown(active) if node.node_id in wanted}

    def children(self, parent_ids, active) -> dict[str, list[StoredNode]]:
        self.asked += 1
        found: dict[str, list[StoredNode]] = {}
        for node in sorted(self._shown(active), key=lambda node: node.ordinal):
            if node.parent_id in parent_ids:
                found.setdefault(node.parent_id, []).append(StoredNode(node, 1))
        return found

    def _shown(self, active) -> list[Node]:
        return [node for node in self._nodes if node.document_id in active]


def node(name: str, level: int, parent: str | None, ordinal: int = 0, document: str = "doc") -> Node:
    return Node(name, document, 1, level, ordinal, parent, 0, 4, "text")


TREE = (
    node("root", 2, None),
    node("q", 1, "root", 1),
    node("p", 1, "root", 0),
    node("d", 0, "q", 3),
    node("b", 0, "p", 1),
    node("a", 0, "p", 0),
    node("c", 0, "q", 2),
    node("x", 0, None, document="hidden"),
)


def leaves(table: Table, *node_ids: str) -> dict[str, str]:
    found = descend(node_ids, table, {"doc": 1})
    return {node_id: "".join(leaf.node_id for leaf in below) for node_id, below in found.items()}


def test_the_leaves_below_a_parent_of_any_level_come_in_document_order() -> None:
    assert leaves(Table(*TREE), "root") == {"root": "abcd"}
    assert leaves(Table(*TREE), "q", "p") == {"q": "cd", "p": "ab"}


def test_a_leaf_stands_for_itself_and_is_looked_up_once() -> None:
    table = Table(*TREE)
    assert leaves(table, "b", "root", "d") == {"b": "b", "root": "abcd", "d": "d"}
    assert table.asked == 3


def test_hidden_and_unknown_nodes_are_left_out_and_a_parent_may_be_empty() -> None:
    assert leaves(Table(*TREE), "x", "unknown") == {}
    assert leaves(Table(node("root", 2, None), node("p", 1, "root")), "root") == {"root": ""}


def test_a_record_that_runs_in_a_circle_ends() -> None:
    circle = (node("p", 1, "q"), node("q", 1, "p"), node("a", 0, "p"))
    assert leaves(Table(*circle), "p", "q") == {"p": "a", "q": ""}
