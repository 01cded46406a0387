"""What a chunker is: a pure function from a document's text and structure to spans. One file of this folder
per strategy has one, named `cut`; `prism/ingest/chunk.py` says which serves which setting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from prism.models.protocols import Vectors
from prism.settings import ChunkSettings
from prism.text.pack import Levels
from prism.types import SourceText


@dataclass(frozen=True, slots=True)
class Tools:
    """What chunkers measure and compare with.

    `count_tokens` is the length of a text in the unit sizes are given in (`size.py`); `window_tokens` what
    the embedder reads of a leaf beside its context; `embed` gives unit vectors of texts.
    """

    count_tokens: Callable[[str], int]
    window_tokens: int
    embed: Callable[[Sequence[str]], Vectors]


class Chunker(Protocol):
    """Cuts a document into leaves, and parents above them where the strategy has any."""

    def __call__(self, source: SourceText, settings: ChunkSettings, tools: Tools) -> Levels:
        """Spans of every level, the leaves last. Each begins and ends at a visible character; every visible
        character lies in a leaf; none is longer than the settings allow but for a single grapheme, or a row
        of a table that the embedder can read as a whole."""
        ...
