"""What both builds can do, as the measurements need it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from eval.bench.material import Question, Ready
from prism.models.protocols import Vectors

PASSAGES = 5
"""Passages a question ends with: Prism's default `retrieval.k`."""

POOL = 40
"""Leaves each search brings to fusion: Prism's default `retrieval.retrieve_k`."""

Scope = frozenset[str] | None
"""Ids of the documents a question may look at; None: all."""


@dataclass(frozen=True, slots=True)
class Answered:
    """The passages of a question: their documents, best first, and what each stage took."""

    document_ids: tuple[str, ...]
    stages_ms: Mapping[str, float] = field(default_factory=dict)


class Build(Protocol):
    """One way to build retrieval over a folder. Opened by `index` or `open`, let go of by `close`."""

    def index(self, documents: Iterable[Ready]) -> float:
        """Index a corpus in an empty folder; returns the seconds from nodes ready to durable and searchable.
        Closed afterwards."""

    def open(self) -> None:
        """Open what was indexed, everything a question needs."""

    def close(self) -> None:
        """Let go of the folder."""

    def ask(self, question: Question, scope: Scope = None) -> Answered:
        """Retrieve passages; the question's vector is looked up."""

    def nearest(self, vector: Vectors, k: int) -> Sequence[str]:
        """Ids of the k nearest leaves by the graph alone."""

    def embed_questions(self) -> None:
        """From now on spend the work of embedding each question, with the build's own embedder."""

    def prepare_changes(self) -> None:
        """Bring into memory what adding and deleting need and an app that changes things would hold."""

    def add(self, document: Ready) -> None:
        """Add one document: durable and searchable afterwards."""

    def delete(self, document_id: str) -> None:
        """Delete one document: not found afterwards, nor after a restart."""

    @property
    def deletes_for_good(self) -> bool:
        """Whether `delete` leaves nothing to purge."""

    def purge(self, document_id: str) -> None:
        """Remove one document for good, from the disk too; where `delete` does not."""
