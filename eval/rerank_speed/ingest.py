"""What token vectors add to an ingest: to embedding, since both come out of one pass, and to the disk."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final

from eval.rerank_speed.turns import medians_ms
from prism.models.protocols import TokenEmbedder
from prism.stores.token_vectors import WorkspaceTokens
from prism.types import Node

BLOCK_LEAVES: Final = 32
"""Embedded together: about as many as a document of ten pages has."""


@dataclass(frozen=True, slots=True)
class BlockTimes:
    """Milliseconds that a block of leaves takes: embedded without token vectors, with them, and with them
    written to their file and the file to the disk."""

    leaves: int
    without_ms: float
    with_ms: float
    written_ms: float


@dataclass(frozen=True, slots=True)
class Disk:
    """The files of token vectors, and of how many leaves and tokens they are."""

    leaves: int
    tokens: int
    bytes: int

    @property
    def bytes_per_leaf(self) -> float:
        """Footers and all."""
        return self.bytes / self.leaves


def ingest_times(texts: Sequence[str], embedder: TokenEmbedder, rounds: int) -> Iterator[BlockTimes]:
    """Time block after block; the ways take turns within each."""
    embedder.embed_with_tokens(["warm up"])
    numbers = count(1)
    with tempfile.TemporaryDirectory(prefix="prism-eval-") as folder:
        tokens = WorkspaceTokens(Path(folder) / "tokens")
        tokens.keep(embedder.token_recipe)

        def write(block: Sequence[str]) -> None:
            _, rows = embedder.embed_with_tokens(block)
            generation = next(numbers)
            tokens.add("block", generation, [f"{place:032x}" for place in range(len(block))], rows)
            tokens.finish("block", generation)

        for start in range(0, len(texts), BLOCK_LEAVES):
            block = texts[start : start + BLOCK_LEAVES]
            ways = (
                lambda block=block: embedder.embed(block),
                lambda block=block: embedder.embed_with_tokens(block),
                lambda block=block: write(block),
            )
            yield BlockTimes(len(block), *medians_ms(ways, rounds))
        tokens.close()


def disk_of(leaves: Sequence[Node], tokens: WorkspaceTokens, folder: Path) -> Disk:
    """The files of token vectors below a storage folder, which are those of all these leaves.

    Raises:
        StoreError: they cannot be read.
    """
    rows = tokens.get({leaf.node_id: (leaf.document_id, leaf.generation) for leaf in leaves})
    size = sum(file.stat().st_size for file in folder.rglob("*.tokens"))
    return Disk(len(rows), sum(map(len, rows.values())), size)


def spread(leaves: Sequence[Node], most: int) -> Sequence[Node]:
    """At most so many of the leaves, spread evenly."""
    if len(leaves) <= most:
        return leaves
    return [leaves[place * len(leaves) // most] for place in range(most)]
