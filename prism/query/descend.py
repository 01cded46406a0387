"""Descend: fetch the leaves below the passages found, which may be more than the search had in its pool."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from prism.stores.catalogue import Catalogue
from prism.types import LEAF_LEVEL, Node


def descend(
    node_ids: Iterable[str], catalogue: Catalogue, generations: Mapping[str, int]
) -> dict[str, tuple[Node, ...]]:
    """The leaves below each of these nodes, in document order, within the active generations. A leaf stands
    for itself; a node that is not there is left out."""
    tops = {node_id: item.node for node_id, item in catalogue.nodes.get(node_ids, generations).items()}
    children: dict[str, list[Node]] = {}
    level: Iterable[Node] = tops.values()
    while parents := {node.node_id for node in level if node.level > LEAF_LEVEL} - children.keys():
        found = catalogue.nodes.children(sorted(parents), generations)
        children |= {node_id: [item.node for item in below] for node_id, below in found.items()}
        level = [item.node for below in found.values() for item in below]
    return {node_id: tuple(_leaves(node, children)) for node_id, node in tops.items()}


def _leaves(node: Node, children: Mapping[str, list[Node]]) -> Iterable[Node]:
    if node.level == LEAF_LEVEL:
        yield node
    for child in children.get(node.node_id, ()):
        # A damaged record may run in a circle; levels do not.
        if child.level < node.level:
            yield from _leaves(child, children)
