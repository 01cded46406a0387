"""Documents of one leaf in a whole storage folder, and what is found there."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from prism.stores.nodes import StoredNode
from prism.stores.storage import Storage
from prism.types import Node, PageSpan, SourceText


def ingest(storage: Storage, document_id: str, word: str, *, shown: bool = True) -> None:
    """A document of one word."""
    generation = storage.catalogue.begin(
        document_id,
        workspace="default",
        source_key=f"{document_id}.txt",
        version=word,
        content_hash="aa",
        size_bytes=len(word),
        loaded=SourceText(word, document_id, "text/plain", (PageSpan(1, "1", 0, len(word)),)),
    )
    leaf = Node(
        f"{document_id}-{generation}", document_id, generation, 0, 0, None, 0, len(word), word, tokens=1
    )
    tokens = {leaf.node_id: [word]}
    storage.catalogue.nodes.add([StoredNode(leaf, 1)], tokens)
    active = storage.active("default")
    active.store_leaves([leaf], np.array([[1.0, 0.0]], np.float32), tokens)
    if shown:
        active.show(document_id, generation)


def found(storage: Storage, word: str) -> tuple[list[str], list[str]]:
    """Node ids by keyword, and by vector."""
    active = storage.active("default")
    with active.snapshot() as snapshot:
        by_word = snapshot.keywords.search_tokens([word], 10)
        by_vector = active.vectors.search(np.array([1.0, 0.0], np.float32), 10, snapshot.keywords.leaves())
    return [hit.node_id for hit in by_word], [hit.node_id for hit in by_vector]


def holding(word: str, folder: Path) -> list[Path]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path for path in files if word.encode() in path.read_bytes()]
