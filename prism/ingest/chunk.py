"""Chunk: cut a document into nodes, leaves at the bottom, parents above them where the strategy has any, all
with true offsets.

The strategies are pure functions in `prism/ingest/chunkers/`; here one is chosen, and its spans become nodes.
`OffsetHierarchicalNodeParser` cuts as the default one does, for pipelines of LlamaIndex's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from prism.ingest.chunkers import fixed, hierarchical, recursive, semantic
from prism.ingest.chunkers.protocol import Chunker, Tools
from prism.ingest.identify import node_id
from prism.settings import ChunkSettings, ChunkStrategy
from prism.types import Node, SourceText

CHUNKER_VERSION = "3"

CHUNKERS: Final[Mapping[ChunkStrategy, Chunker]] = MappingProxyType(
    {
        "hierarchical": hierarchical.cut,
        "recursive": recursive.cut,
        "fixed": fixed.cut,
        "semantic": semantic.cut,
    }
)


def chunk(
    source: SourceText,
    *,
    document_id: str,
    version: str,
    generation: int,
    settings: ChunkSettings,
    tools: Tools,
) -> tuple[Node, ...]:
    """The nodes of a document, top level first, each level in document order; context comes later."""
    levels = CHUNKERS[settings.strategy](source, settings, tools)
    names = [
        [
            node_id(document_id, version, generation, len(levels) - 1 - depth, ordinal)
            for ordinal in range(len(chunks))
        ]
        for depth, chunks in enumerate(levels)
    ]
    return tuple(
        Node(
            node_id=names[depth][ordinal],
            document_id=document_id,
            generation=generation,
            level=len(levels) - 1 - depth,
            ordinal=ordinal,
            parent_id=None if item.parent is None else names[depth - 1][item.parent],
            start=item.start,
            end=item.end,
            text=source.text[item.start : item.end],
            tokens=item.tokens,
        )
        for depth, chunks in enumerate(levels)
        for ordinal, item in enumerate(chunks)
    )
