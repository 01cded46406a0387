"""Which node stands where, with an index of three leaves, a parent and a grandparent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from eval.golden.places import MOST, Seen, look, place_of, places_of
from eval.golden.types import Place
from prism import DocumentInfo, Passage, Prism, Retrieval

LEAVES = {"x": (0, 10), "y": (10, 20), "z": (20, 30)}


def passage(node_id: str, start: int, end: int, generation: int = 1) -> Passage:
    return Passage(1, node_id, (), "rules.md", "d1", generation, (), start, end, "", 0.0, {})


class Index:
    """Gives leaves, leaves grown to their parent (`z` has none), or the highest parent, as it is set."""

    def __init__(self, overlay: Mapping[str, Any] | None = None) -> None:
        self.overlay = overlay or {}

    def with_settings(self, **overlay: Any) -> Index:
        return Index(overlay)

    def retrieve(self, question: str, k: int, *, leaves: bool = False) -> Retrieval:
        assert k == self.overlay["retrieval"]["retrieve_k"] == MOST
        if leaves:
            found = [passage(node_id, *span) for node_id, span in LEAVES.items()]
        elif self.overlay["merge"]["grow"]:
            found = [passage("parent", 0, 20), passage("z", 20, 30)]
        else:
            found = [passage("grandparent", 0, 30)]
        return Retrieval(question, tuple(found), (), {}, "t")


def info(generation: int = 1, status: str = "active") -> DocumentInfo:
    return DocumentInfo("d1", "rules.md", "", "default", status, 1, 3, 9, "v", generation, "", ())  # type: ignore[arg-type]


def test_every_node_is_seen_at_the_level_it_first_shows_at() -> None:
    seen = look(cast("Prism", Index()))
    assert {node_id: (item.level, item.start, item.end) for node_id, item in seen.items()} == {
        "x": (0, 0, 10),
        "y": (0, 10, 20),
        "z": (0, 20, 30),
        "parent": (1, 0, 20),
        "grandparent": (2, 0, 30),
    }


def test_a_node_of_the_documents_generation_is_current() -> None:
    seen = {"x": Seen("rules.md", "d1", 2, 0, 0, 10), "old": Seen("rules.md", "d1", 1, 0, 0, 9)}
    assert places_of(seen, [info(generation=2)]) == {
        "x": Place("rules.md", 0, 0, 10),
        "old": Place("rules.md", 0, 0, 9, "replaced"),
    }


def test_a_node_of_a_document_that_is_deleted_or_purged_is_deleted() -> None:
    seen = {"x": Seen("rules.md", "d1", 1, 0, 0, 10)}
    gone = {"x": Place("rules.md", 0, 0, 10, "deleted")}
    assert places_of(seen, [info(status="deleted")]) == places_of(seen, []) == gone


def test_a_node_never_seen_is_named_by_its_id() -> None:
    assert str(place_of("abc", {})) == "node abc leaf 0-0 (unknown)"
