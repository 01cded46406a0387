"""Climb: fetch the pool's leaves and every node above them, as merging and growing need them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from prism.stores.catalogue import Catalogue
from prism.stores.nodes import StoredNode
from prism.types import Node


@dataclass(frozen=True, slots=True)
class Tree:
    """Nodes by id, their lengths in the embedder's tokens, and how many leaves each has below it in all."""

    nodes: Mapping[str, Node]
    token_counts: Mapping[str, int]
    leaf_counts: Mapping[str, int]

    @property
    def parent_of(self) -> Mapping[str, str | None]:
        """Parent id of every node here."""
        return {node_id: node.parent_id for node_id, node in self.nodes.items()}


def climb(leaf_ids: Iterable[str], catalogue: Catalogue, generations: Mapping[str, int]) -> Tree:
    """The tree above these leaves, within the active generations. A missing parent is left out."""
    found: dict[str, StoredNode] = {}
    wanted = set(leaf_ids)
    while wanted:
        level = catalogue.nodes.get(sorted(wanted), generations)
        found |= level
        wanted = {item.node.parent_id for item in level.values() if item.node.parent_id} - found.keys()
    return Tree(
        nodes={node_id: item.node for node_id, item in found.items()},
        token_counts={node_id: item.node.tokens for node_id, item in found.items()},
        leaf_counts={node_id: item.leaves for node_id, item in found.items()},
    )
