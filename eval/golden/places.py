"""Places: which node id stands where, found out through the public interface alone.

A `Retrieval` tells where its passages stand, so three retrievals that leave nothing out show every node: all
leaves; all leaves grown to their parents; all of them merged as high as they go. What none of them shows
cannot become a passage either.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from eval.golden.types import Edition, Place
from prism import DocumentInfo, Passage, Prism

EVERYTHING: Final = "Everything there is in every document"
"""Any text that the embedder reads: what is asked for is all, in whatever order."""

MOST: Final = 1000
"""More leaves than the documents have (100)."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A node at the time it was seen."""

    document: str
    document_id: str
    generation: int
    level: int
    start: int
    end: int


def look(prism: Prism) -> dict[str, Seen]:
    """Every node that is visible now, by id. With more than two levels of parents, those between the first
    and the last are not seen."""
    retrieval = {
        "retrieve_k": MOST,
        "dense_weight": 1.0,
        "keyword_weight": 0.0,
        "max_per_document": 0,
    }
    unlimited = {"enabled": True, "context_tokens": 1_000_000}
    grown = prism.with_settings(retrieval=retrieval, merge={**unlimited, "threshold": 1.0, "grow": True})
    merged = prism.with_settings(retrieval=retrieval, merge={**unlimited, "threshold": 0.0, "grow": False})
    sweeps = (
        grown.retrieve(EVERYTHING, MOST, leaves=True).passages,
        grown.retrieve(EVERYTHING, MOST).passages,
        merged.retrieve(EVERYTHING, MOST).passages,
    )
    seen: dict[str, Seen] = {}
    for level, passages in enumerate(sweeps):
        for passage in passages:
            seen.setdefault(passage.node_id, _seen(passage, level))
    return seen


def places_of(seen: Mapping[str, Seen], documents: Iterable[DocumentInfo]) -> dict[str, Place]:
    """The place of every node ever seen.

    Args:
        documents: as they are in the end; they decide which node is of the current version.
    """
    known = {info.document_id: info for info in documents}
    return {
        node_id: Place(
            item.document, item.level, item.start, item.end, _edition(item, known.get(item.document_id))
        )
        for node_id, item in seen.items()
    }


def place_of(node_id: str, places: Mapping[str, Place]) -> Place:
    """The node's place; one that was never seen is named by its id."""
    return places.get(node_id) or Place(f"node {node_id}", 0, 0, 0, "unknown")


def _seen(passage: Passage, level: int) -> Seen:
    return Seen(passage.document, passage.document_id, passage.generation, level, passage.start, passage.end)


def _edition(seen: Seen, info: DocumentInfo | None) -> Edition:
    if info is None or info.status != "active":
        return "deleted"
    return "current" if info.generation == seen.generation else "replaced"
