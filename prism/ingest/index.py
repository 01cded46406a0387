"""Index: embed the leaves of a generation, take their keyword tokens, and store all of it, still unseen.

It goes by slices: the leaves of one are tokenized, embedded and stored before the next is begun. What is held
beside a document's text and nodes is therefore one slice's tokens and vectors, whatever its length, and no
stage can run ahead of the one behind it. docs/architecture.md says why no threads of our own share the work.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from prism.models.protocols import Embedder, OnBatch, TokenVectors, Vectors, token_embedder
from prism.stores.active import ActiveSet
from prism.stores.catalogue import Catalogue
from prism.stores.nodes import StoredNode
from prism.text.clauses import Clause, clauses, references_between
from prism.text.tokens import tokenize
from prism.types import LEAF_LEVEL, Node

SLICE_LEAVES: Final = 512
"""Some sixty batches of the packaged embedder: enough that sorting them by length loses nothing to speak of,
and that one call of each store is shared by many leaves."""


def index(
    nodes: Sequence[Node],
    text: str,
    *,
    catalogue: Catalogue,
    active: ActiveSet,
    embedder: Embedder,
    on_leaves: Callable[[int], None] | None = None,
    slice_leaves: int = SLICE_LEAVES,
) -> int:
    """Store nodes, tokens, vectors and, where they are kept, token vectors; returns the number of leaves.

    Args:
        text: the document's stored text.
        on_leaves: told how many leaves are embedded so far.
        slice_leaves: how many leaves go through all stages together.
    """
    leaves = [node for node in nodes if node.level == LEAF_LEVEL]
    parents = [node for node in nodes if node.level != LEAF_LEVEL]
    below = leaves_below(nodes)
    numbered = clauses(text)
    for start in range(0, len(leaves), slice_leaves):
        part = leaves[start : start + slice_leaves]
        tokens = _keyword_tokens(part, numbered)
        new = part if start else [*parents, *part]
        catalogue.nodes.add(
            [StoredNode(node, below[node.node_id]) for node in new],
            tokens,
        )
        vectors, token_vectors = embed_leaves(
            part, embedder, active.tokens.recipe, _counted_from(start, on_leaves)
        )
        active.store_leaves(part, vectors, tokens, token_vectors)
    if leaves:
        active.finish_leaves(leaves[0].document_id, leaves[0].generation)
    return len(leaves)


def embed_leaves(
    leaves: Sequence[Node], embedder: Embedder, token_recipe: str | None, on_batch: OnBatch | None = None
) -> tuple[Vectors, tuple[TokenVectors, ...] | None]:
    """Vectors of leaves, float32 (leaves, d), and their token vectors, out of one pass.

    Args:
        token_recipe: whose token vectors are kept. None are made where it is None, or another's with which
            they could not be compared.
    """
    texts = [leaf.indexed_text for leaf in leaves]
    with_tokens = token_embedder(embedder)
    if with_tokens is None or token_recipe is None or with_tokens.token_recipe != token_recipe:
        return embedder.embed(texts, on_batch), None
    return with_tokens.embed_with_tokens(texts, on_batch)


def keyword_tokens(leaves: Iterable[Node], text: str) -> Mapping[str, tuple[str, ...]]:
    """Keyword tokens of each leaf: of its indexed text and of the clauses (`7(b)`) it belongs to.

    Clause references are not embedded: they are looked up by code, and embedding them showed no clear gain
    (docs/gate.md).

    Args:
        text: the document's stored text, from which the clauses are read.
    """
    return _keyword_tokens(leaves, clauses(text))


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


def _keyword_tokens(leaves: Iterable[Node], numbered: tuple[Clause, ...]) -> Mapping[str, tuple[str, ...]]:
    return {
        leaf.node_id: tokenize(
            "\n".join((leaf.indexed_text, *references_between(numbered, leaf.start, leaf.end)))
        )
        for leaf in leaves
    }


def _counted_from(start: int, on_leaves: Callable[[int], None] | None) -> Callable[[int], None] | None:
    """`on_leaves` as the embedder may call it, which counts from the slice's first leaf."""
    if on_leaves is None:
        return None
    return lambda done: on_leaves(start + done)
