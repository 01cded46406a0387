"""Index: embed the leaves of a generation, take their keyword tokens, and store both, still unseen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from prism.ingest.size import size_tokens
from prism.models.protocols import Embedder
from prism.stores.active import ActiveSet
from prism.stores.catalogue import Catalogue
from prism.stores.nodes import StoredNode
from prism.text.clauses import clauses, references_between
from prism.text.tokens import tokenize
from prism.types import LEAF_LEVEL, Node


def index(
    nodes: Sequence[Node],
    text: str,
    *,
    catalogue: Catalogue,
    active: ActiveSet,
    embedder: Embedder,
    on_leaves: Callable[[int], None] | None = None,
) -> int:
    """Store nodes, tokens and vectors; returns how many leaves there are.

    Args:
        text: the document's stored text.
        on_leaves: told how many leaves are embedded so far.
    """
    leaves = [node for node in nodes if node.level == LEAF_LEVEL]
    tokens = keyword_tokens(leaves, text)
    below = leaves_below(nodes)
    catalogue.nodes.add(
        [StoredNode(node, len(size_tokens(node.text, embedder)), below[node.node_id]) for node in nodes],
        tokens,
    )
    vectors = embedder.embed([leaf.indexed_text for leaf in leaves], on_batch=on_leaves)
    active.store_leaves(leaves, vectors, tokens)
    return len(leaves)


def keyword_tokens(leaves: Sequence[Node], text: str) -> Mapping[str, tuple[str, ...]]:
    """Keyword tokens of each leaf: of its indexed text and of the clauses (`7(b)`) it belongs to.

    Clause references are not embedded: they are looked up by code, and embedding them showed no clear gain
    (docs/gate.md).

    Args:
        text: the document's stored text, from which the clauses are read.
    """
    numbered = clauses(text)
    return {
        leaf.node_id: tokenize(
            "\n".join((leaf.indexed_text, *references_between(numbered, leaf.start, leaf.end)))
        )
        for leaf in leaves
    }


def leaves_below(nodes: Sequence[Node]) -> Mapping[str, int]:
    """How many leaves each node has below it at any depth; 1 for a leaf."""
    parent_of = {node.node_id: node.parent_id for node in nodes}
    count: Counter[str] = Counter()
    for node in nodes:
        if node.level == LEAF_LEVEL:
            above: str | None = node.node_id
            while above is not None:
                count[above] += 1
                above = parent_of.get(above)
    return count
