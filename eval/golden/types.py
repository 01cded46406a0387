"""The frozen values of golden traces: what is recorded, compared and committed.

A node is named by where it stands, not by its id, so that a golden file reads well and survives another id
scheme. Scores that models and indexes compute are not kept: their last digits differ between machines, their
order does not (`fragile.py` sees to that before anything is recorded). Scores of reciprocal rank fusion are
kept: they are worked out from ranks alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from prism.types import LegKind, PageRef

Variant = Literal["default", "fixed"]
"""Under which settings a question is asked, see `variants.py`."""

Edition = Literal["current", "replaced", "deleted", "unknown"]
"""Whether a node belongs to the version of its document that is to be found. `unknown`: no look at the index
has ever shown it."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A node by where it stands: document name, level (0 is a leaf) and character offsets, half-open."""

    document: str
    level: int
    start: int
    end: int
    edition: Edition = "current"

    def __str__(self) -> str:
        level = "leaf" if self.level == 0 else f"level {self.level}"
        note = "" if self.edition == "current" else f" ({self.edition})"
        return f"{self.document} {level} {self.start}-{self.end}{note}"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a ranking. Rows of equal score share the rank of the first of them.

    `score` is a fused one that ranks alone determine, None elsewhere; `leaves` are those that a merged
    passage stands for, best first, empty elsewhere.
    """

    rank: int
    place: Place
    score: float | None = None
    leaves: tuple[Place, ...] = ()

    def __str__(self) -> str:
        score = "" if self.score is None else f" scoring {self.score}"
        spans = ", ".join(f"{leaf.start}-{leaf.end}" for leaf in self.leaves)
        return f"{self.place}{score}{f' for {spans}' if spans else ''}"


@dataclass(frozen=True, slots=True)
class Leg:
    """What one leg was sent and its best hits."""

    kind: LegKind
    query: str
    hits: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation: its number, the document, the pages of the quote, the quote's document offsets, and the
    pages of the passage it stands in."""

    n: int
    document: str
    pages: tuple[PageRef, ...]
    start: int
    end: int
    passage_pages: tuple[PageRef, ...]

    def __str__(self) -> str:
        quote, passage = (
            ", ".join(f"{page.label} (sheet {page.sheet})" for page in pages)
            for pages in (self.pages, self.passage_pages)
        )
        return f"[{self.n}] {self.document} {self.start}-{self.end}, page {quote}, of a passage on {passage}"


@dataclass(frozen=True, slots=True)
class Golden:
    """What one question's stages found.

    `question` is as asked; `reranked` is None where there is no reranker; `merged` and `passages` are in the
    order of their numbers, without shared ranks; `abstained` is the gate's word.
    """

    question_id: str
    question: str
    variant: Variant
    legs: tuple[Leg, ...]
    fused: tuple[Row, ...]
    reranked: tuple[Row, ...] | None
    merged: tuple[Row, ...]
    passages: tuple[Row, ...]
    abstained: bool
    citations: tuple[Cited, ...]
    answer: str
