"""Chunk: cut a document's text into a tree of nodes, leaves at the bottom, every one with true offsets.

LlamaIndex's `HierarchicalNodeParser` does the cutting, on bare text; the shell in `prism.llamaindex` gives
it our ids, our sentences and offsets against the document.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

from llama_index.core.schema import BaseNode, Document, TextNode

from prism.ingest.identify import node_id
from prism.llamaindex.node_parser import OffsetHierarchicalNodeParser
from prism.settings import ChunkSettings
from prism.types import Node

CHUNKER_VERSION = "2"

_TOKENS = "tokens"


def chunk(
    text: str,
    *,
    document_id: str,
    version: str,
    generation: int,
    settings: ChunkSettings,
    tokenize: Callable[[str], Sequence[str]],
) -> tuple[Node, ...]:
    """The nodes of a text, top level first, each level in document order; context and header come later.

    Args:
        tokenize: what sizes are counted in, see `size.py`.
    """
    parser = OffsetHierarchicalNodeParser.from_sizes(
        chunk_sizes=(*reversed(settings.parent_tokens), settings.leaf_tokens),
        tokenizer=tokenize,
        node_id=partial(node_id, document_id, version, generation),
        leaf_overlap=settings.leaf_overlap_tokens,
        count_key=_TOKENS,
    )
    parsed = parser.get_nodes_from_documents([Document(text=text, id_=document_id)])
    depth_of: dict[str, int] = {}
    ordinals: Counter[int] = Counter()
    nodes: list[Node] = []
    for item in parsed:
        parent_id = _parent_id(item)
        depth_of[item.node_id] = 0 if parent_id is None else depth_of[parent_id] + 1
        level = len(settings.parent_tokens) - depth_of[item.node_id]
        nodes.append(_node(item, document_id, generation, level, ordinals[level]))
        ordinals[level] += 1
    return tuple(nodes)


def _parent_id(item: BaseNode) -> str | None:
    return item.parent_node.node_id if item.parent_node is not None else None


def _node(item: BaseNode, document_id: str, generation: int, level: int, ordinal: int) -> Node:
    if not isinstance(item, TextNode) or item.start_char_idx is None or item.end_char_idx is None:
        raise TypeError(f"the node parser gave a node without offsets: {item!r}")
    return Node(
        node_id=item.node_id,
        document_id=document_id,
        generation=generation,
        level=level,
        ordinal=ordinal,
        parent_id=_parent_id(item),
        start=item.start_char_idx,
        end=item.end_char_idx,
        text=item.text,
        tokens=item.metadata[_TOKENS],
    )
