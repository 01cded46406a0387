"""Legs: which searches a question gets, and what each weighs."""

from __future__ import annotations

from collections.abc import Sequence

from prism.query.condense import Standalone
from prism.query.exact import TIE_BREAK_SHARE
from prism.query.parts import QueryParts
from prism.query.reads import DENSE_SHARE
from prism.query.retrieve import Leg
from prism.settings import RetrievalSettings
from prism.types import LeafHit, LegKind


def choose_legs(question: Standalone, parts: QueryParts) -> list[Leg]:
    """The legs worth running: a leg that weighs nothing is left out, and so is the dense one where its
    model cannot read the question's script."""
    document_ids = parts.scope.document_ids

    def dense(text: str, k: int) -> tuple[LeafHit, ...]:
        visible = parts.snapshot.keywords.leaves(document_ids)
        return parts.vectors.search(parts.embedder.embed_query(text), k, visible)

    def keyword(text: str, k: int) -> tuple[LeafHit, ...]:
        return parts.snapshot.keywords.search(text, k, document_ids=document_ids)

    legs: list[Leg] = []
    says_something = any(character.isalnum() for character in question.text)
    if parts.settings.retrieval.dense_weight and says_something and parts.embedder.can_read(question.text):
        legs.append(Leg("dense", dense))
    if parts.settings.retrieval.keyword_weight or not legs:
        legs.append(Leg("keyword", keyword))
    return legs


def weigh_legs(
    legs: Sequence[Leg], settings: RetrievalSettings, *, holds_code: bool, reads: bool
) -> dict[LegKind, float]:
    """Weight per leg kind.

    Args:
        holds_code: the question names a code that some passages hold; the dense leg then only breaks ties.
        reads: the embedder reads the language; else the dense leg counts less.
    """
    configured: dict[LegKind, float] = {"dense": settings.dense_weight, "keyword": settings.keyword_weight}
    used: dict[LegKind, float] = {leg.kind: configured[leg.kind] for leg in legs}
    if holds_code and len(used) == 2:
        used["dense"] *= TIE_BREAK_SHARE
    if not reads and len(used) == 2:
        used["dense"] *= DENSE_SHARE
    # The only leg left decides alone, whatever it weighs beside another.
    return used if any(used.values()) else dict.fromkeys(used, 1.0)


def documents_in_scope(parts: QueryParts) -> frozenset[str]:
    """The active documents the question may look at."""
    active = frozenset(parts.snapshot.generations)
    return active if parts.scope.document_ids is None else active & parts.scope.document_ids
