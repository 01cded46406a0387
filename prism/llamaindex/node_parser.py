"""`HierarchicalNodeParser` with ids of our own and offsets that are true against the document.

The stock parser gives random ids, offsets relative to the parent, the offset of the first occurrence to
repeated text, and counts metadata into the size. Here the document's bare text is cut once, level within
level, by `prism.text.pack`, and every node is made from its span.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any
from uuid import uuid4

from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.node_parser import HierarchicalNodeParser
from llama_index.core.schema import (
    BaseNode,
    Document,
    MetadataMode,
    NodeRelationship,
    RelatedNodeInfo,
    TextNode,
)

from prism.errors import UsageError
from prism.text.division import SpanFunction, plain_division
from prism.text.pack import Chunk, chunk_levels, floored
from prism.text.sentences import sentence_spans as default_sentence_spans

NodeId = Callable[[int, int], str]
"""(level, ordinal) -> id; level 0 is the leaves, ordinals count from 0 in document order per level."""


class OffsetHierarchicalNodeParser(HierarchicalNodeParser):
    """Documents into a tree of nodes with `text[start_char_idx:end_char_idx] == node.text` at every level.

    Build it with `from_sizes`. Works in any LlamaIndex ingestion; the document's metadata is copied to its
    nodes and never changes where the text is cut.
    """

    _tokenizer: Callable[[str], Sequence[Any]] = PrivateAttr()
    _sentence_spans: SpanFunction = PrivateAttr()
    _node_id: NodeId | None = PrivateAttr(default=None)
    _leaf_overlap: int = PrivateAttr(default=0)
    _count_key: str | None = PrivateAttr(default=None)

    @classmethod
    def from_sizes(
        cls,
        chunk_sizes: Sequence[int],
        *,
        tokenizer: Callable[[str], Sequence[Any]],
        sentence_spans: SpanFunction = default_sentence_spans,
        node_id: NodeId | None = None,
        leaf_overlap: int = 0,
        count_key: str | None = None,
        include_metadata: bool = True,
        include_prev_next_rel: bool = True,
    ) -> OffsetHierarchicalNodeParser:
        """A parser for levels of the given sizes.

        Args:
            chunk_sizes: in tokens, from the top level down to the leaves.
            tokenizer: a text's tokens; only their number is used.
            sentence_spans: half-open spans that cover a text, in order.
            node_id: names a node; then one document at a time. None: random ids.
            leaf_overlap: tokens of whole sentences repeated from one leaf to the next of a parent.
            count_key: metadata key under which a node gets its number of tokens, so that nobody need count
                again; neither embedded nor shown to a model. None: it gets none.

        Raises:
            UsageError: the sizes do not fall.
        """
        if not chunk_sizes or any(small >= large for large, small in pairwise(chunk_sizes)):
            raise UsageError(
                f"chunk_sizes must fall from the top level to the leaves, not {list(chunk_sizes)}"
            )
        parser = cls(
            chunk_sizes=list(chunk_sizes),
            node_parser_ids=[f"chunk_size_{size}" for size in chunk_sizes],
            node_parser_map={},
            include_metadata=include_metadata,
            include_prev_next_rel=include_prev_next_rel,
        )
        parser._tokenizer = tokenizer
        parser._sentence_spans = sentence_spans
        parser._node_id = node_id
        parser._leaf_overlap = leaf_overlap
        parser._count_key = count_key
        return parser

    @classmethod
    def class_name(cls) -> str:
        """Name in serialized pipelines."""
        return "OffsetHierarchicalNodeParser"

    def get_nodes_from_documents(
        self, documents: Sequence[Document], show_progress: bool = False, **kwargs: Any
    ) -> list[BaseNode]:
        """Nodes of all levels, top level first, each level in document order.

        Raises:
            UsageError: several documents, though `node_id` tells nodes apart within one only.
        """
        if self._node_id is not None and len(documents) > 1:
            raise UsageError("this parser's node_id names the nodes of one document: give one at a time")
        return super().get_nodes_from_documents(documents, show_progress, **kwargs)

    async def aget_nodes_from_documents(
        self, documents: Sequence[Document], show_progress: bool = False, **kwargs: Any
    ) -> list[BaseNode]:
        """As `get_nodes_from_documents`, off the event loop; the stock one returns documents uncut."""
        return await asyncio.to_thread(self.get_nodes_from_documents, documents, show_progress, **kwargs)

    def _recursively_get_nodes_from_nodes(
        self,
        nodes: list[BaseNode],
        level: int,  # noqa: ARG002 - all levels are made at once
        show_progress: bool = False,  # noqa: ARG002 - the caller shows it per document
    ) -> list[BaseNode]:
        return [node for document in nodes for node in self._nodes_of(document)]

    def _nodes_of(self, document: BaseNode) -> list[TextNode]:
        text = document.get_content(metadata_mode=MetadataMode.NONE)
        levels = chunk_levels(
            plain_division(text, self._sentence_spans),
            self.chunk_sizes or [],
            floored(lambda piece: len(self._tokenizer(piece))),
            overlap=self._leaf_overlap,
        )
        source = document.source_node or document.as_related_node_info()
        made: list[list[TextNode]] = []
        for depth, chunks in enumerate(levels):
            level = len(levels) - 1 - depth
            nodes = [
                self._node(document, text, chunk, self._name(level, ordinal), source)
                for ordinal, chunk in enumerate(chunks)
            ]
            if self.include_prev_next_rel:
                _link_neighbours(nodes)
            for node, chunk in zip(nodes, chunks, strict=True):
                if chunk.parent is not None:
                    _link_parent(made[-1][chunk.parent], node)
            made.append(nodes)
        return [node for nodes in made for node in nodes]

    def _name(self, level: int, ordinal: int) -> str:
        return self._node_id(level, ordinal) if self._node_id else str(uuid4())

    def _node(
        self, document: BaseNode, text: str, chunk: Chunk, node_id: str, source: RelatedNodeInfo
    ) -> TextNode:
        counted = {self._count_key: chunk.tokens} if self._count_key else {}
        return TextNode(
            id_=node_id,
            text=text[chunk.start : chunk.end],
            start_char_idx=chunk.start,
            end_char_idx=chunk.end,
            metadata={**(document.metadata if self.include_metadata else {}), **counted},
            excluded_embed_metadata_keys=[*document.excluded_embed_metadata_keys, *counted],
            excluded_llm_metadata_keys=[*document.excluded_llm_metadata_keys, *counted],
            relationships={NodeRelationship.SOURCE: source},
        )


def _link_neighbours(nodes: Sequence[TextNode]) -> None:
    infos = [RelatedNodeInfo(node_id=node.node_id) for node in nodes]
    for before, after in pairwise(range(len(nodes))):
        nodes[before].relationships[NodeRelationship.NEXT] = infos[after]
        nodes[after].relationships[NodeRelationship.PREVIOUS] = infos[before]


def _link_parent(parent: TextNode, child: TextNode) -> None:
    children = list(parent.child_nodes or [])
    parent.relationships[NodeRelationship.CHILD] = [*children, RelatedNodeInfo(node_id=child.node_id)]
    child.relationships[NodeRelationship.PARENT] = RelatedNodeInfo(node_id=parent.node_id)
