"""Prism, through its own parts: an ingest from the chunked nodes on, and the whole query path."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from eval.bench.builds import PASSAGES, Answered, Scope
from eval.bench.lookup import LookupEmbedder
from eval.bench.material import GENERATION, WORKSPACE, Material, Question, Ready
from eval.bench.stages import stages_of_trace
from prism import Prism
from prism import Scope as PrismScope
from prism.errors import PrismError
from prism.ingest.index import index
from prism.models.embedder import load_embedder
from prism.models.loaded import Models
from prism.models.protocols import Vectors
from prism.settings import Settings, overlay_settings
from prism.stores.storage import Storage
from prism.types import PageSpan, SourceText

PAGES = 10

HARMLESS: Final = "no_documents"
"""The one notice a question may get here, in a scope whose document was deleted. Any other says that less was
done for it than Prism does by default, or more."""


class PrismBuild:
    """Prism with its default settings."""

    def __init__(self, folder: Path, material: Material) -> None:
        self._settings = overlay_settings(
            Settings(), {"storage.path": folder, "models.answerer": "quote", "storage.workspace": WORKSPACE}
        )
        real = load_embedder(self._settings.models.embedder, questions_kept=1)
        self._embedder = LookupEmbedder(material, real)
        self._storage: Storage | None = None
        self._prism: Prism | None = None

    def index(self, documents: Iterable[Ready]) -> float:
        """One document after another, as an ingest does; reading them from the disk is not counted."""
        began = time.perf_counter()
        self.open()
        storage = self._opened()
        storage.note_models(self._embedder.name)
        spent_s = time.perf_counter() - began
        for document in documents:
            began = time.perf_counter()
            self.add(document)
            spent_s += time.perf_counter() - began
        began = time.perf_counter()
        storage.note_dimension(self._embedder.dimension)
        self.close()
        return spent_s + time.perf_counter() - began

    def open(self) -> None:
        """Open the folder and its projections, which Prism itself would leave to the first question."""
        models = Models(self._settings, embedder=self._embedder)
        self._storage = Storage(self._settings)
        self._prism = Prism(self._settings, self._storage, models)
        self._storage.keep_tokens(models.token_recipe)
        self._storage.active(WORKSPACE)

    def close(self) -> None:
        """Close the engine."""
        if self._prism is not None:
            self._prism.close()
        self._prism = self._storage = None

    def ask(self, question: Question, scope: Scope = None) -> Answered:
        """`Prism.retrieve`, its trace kept as always."""
        assert self._prism is not None, "opened before"  # noqa: S101
        began, embedded_ms = time.perf_counter(), self._embedder.query_ms
        found = self._prism.retrieve(question.text, k=PASSAGES, scope=PrismScope(WORKSPACE, scope))
        total_ms = (time.perf_counter() - began) * 1000
        for notice in found.notices:
            if notice.code != HARMLESS:
                raise PrismError(f"{question.text!r}: {notice.message} Its times mean nothing.")
        stages_ms = stages_of_trace(
            found.timings_ms, embed_ms=self._embedder.query_ms - embedded_ms, total_ms=total_ms
        )
        return Answered(tuple(passage.document_id for passage in found.passages), stages_ms)

    def nearest(self, vector: Vectors, k: int) -> Sequence[str]:
        """The dense search, everything visible."""
        active = self._opened().active(WORKSPACE)
        with active.snapshot() as snapshot:
            return [hit.node_id for hit in active.vectors.search(vector, k, snapshot.keywords.leaves(None))]

    def embed_questions(self) -> None:
        """With the packaged model."""
        self._embedder.embed_questions()

    def prepare_changes(self) -> None:
        """Nothing is needed."""

    def add(self, document: Ready) -> None:
        """What an ingest does with a file from nodes on, its tidying before and after included."""
        storage = self._opened()
        active = storage.active(WORKSPACE)
        generation = storage.catalogue.begin(
            document.document_id,
            workspace=WORKSPACE,
            source_key=document.name,
            version=document.version,
            content_hash=document.version,
            size_bytes=len(document.text),
            loaded=_loaded(document),
        )
        if generation != GENERATION:
            raise PrismError(f"{document.name}: in the folder already. Give --work an empty folder.")
        active.discard(document.document_id, generation)
        index(
            document.nodes,
            document.text,
            catalogue=storage.catalogue,
            active=active,
            embedder=self._embedder,
        )
        active.show(document.document_id, generation)
        active.clean()

    def delete(self, document_id: str) -> None:
        """`Prism.delete`: one commit; `undo` would bring the document back."""
        assert self._prism is not None, "opened before"  # noqa: S101
        self._prism.delete(document_id)

    @property
    def deletes_for_good(self) -> bool:
        """No: a delete can be undone."""
        return False

    def purge(self, document_id: str) -> None:
        """`Prism.purge`: text, vectors and tokens leave the disk."""
        assert self._prism is not None, "opened before"  # noqa: S101
        self._prism.purge(document_id)

    def _opened(self) -> Storage:
        assert self._storage is not None, "opened before"  # noqa: S101
        return self._storage


def _loaded(document: Ready) -> SourceText:
    length = len(document.text)
    cuts = [length * page // PAGES for page in range(PAGES + 1)]
    pages = tuple(PageSpan(sheet, str(sheet), cuts[sheet - 1], cuts[sheet]) for sheet in range(1, PAGES + 1))
    return SourceText(document.text, document.name, "text/plain", pages)
