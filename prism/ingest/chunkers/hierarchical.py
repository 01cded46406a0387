"""Hierarchical: small leaves to search in, larger parents above them to read."""

from __future__ import annotations

from prism.ingest.chunkers.protocol import Tools
from prism.ingest.chunkers.structure import divide, sentence_places
from prism.settings import ChunkSettings
from prism.text.pack import Levels, chunk_levels, floored
from prism.types import SourceText


def cut(source: SourceText, settings: ChunkSettings, tools: Tools) -> Levels:
    """Levels from `chunk.parent_tokens` down to leaves of `chunk.leaf_tokens`, of whole sentences."""
    measure = floored(tools.count_tokens)
    division = divide(source, [sentence_places(source.text)], measure, tools.window_tokens)
    sizes = (*reversed(settings.parent_tokens), settings.leaf_tokens)
    return chunk_levels(division, sizes, measure, overlap=settings.leaf_overlap_tokens)
