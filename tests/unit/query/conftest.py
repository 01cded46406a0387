"""A small shelf of documents, and searches over it with arithmetic models."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from prism.ingest.pipeline import IngestParts, ingest_source
from prism.ingest.progress import Progress
from prism.query.condense import condense
from prism.query.parts import Found, QueryParts
from prism.query.pipeline import search
from prism.settings import load_settings, overlay_settings
from prism.stores.storage import Storage
from prism.trace import Trace
from prism.types import Scope, Source
from tests.fakes import LetterEmbedder

CHUNKS = {"leaf_tokens": 16, "parent_tokens": [48, 96]}


class Shelf:
    """Files in, passages out."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.settings = load_settings(
            overlay={"storage.path": folder / "store", "chunk": CHUNKS, "rerank.kind": "none"},
            environ={},
        )
        self.storage = Storage(self.settings)
        self.trace = Trace("retrieve", "", "default")

    def add(self, files: Mapping[str, str], workspace: str = "default") -> dict[str, str]:
        """Ingest texts by name; returns their document ids."""
        parts = IngestParts(
            self.storage.catalogue,
            self.storage.originals,
            self.storage.active(workspace),
            LetterEmbedder(),
            self.settings,
        )
        ids: dict[str, str] = {}
        for name, text in files.items():
            path = self._folder / "file"
            path.write_text(text)
            report = ingest_source(Source(path, name), parts, Progress([1], None))
            ids[name] = str(report.document_id)
        return ids

    def search(
        self,
        question: str,
        *,
        k: int = 5,
        scope: Scope | None = None,
        leaves_only: bool = False,
        embedder: Any = None,
        reranker: Any = None,
        vectors: Any = None,
        previous: tuple[str, ...] = (),
        **overlay: Any,
    ) -> Found:
        """Search with settings replaced; what was traced is in `trace` afterwards."""
        scope = scope or Scope()
        active = self.storage.active(scope.workspace)
        self.trace = Trace("retrieve", question, scope.workspace)
        with active.snapshot() as snapshot:
            parts = QueryParts(
                snapshot=snapshot,
                scope=scope,
                catalogue=self.storage.catalogue,
                vectors=vectors or active.vectors,
                embedder=embedder or LetterEmbedder(),
                reranker=reranker,
                settings=overlay_settings(self.settings, overlay),
            )
            return search(condense(question, previous), parts, self.trace, k=k, leaves_only=leaves_only)


@pytest.fixture
def shelf(tmp_path: Path, light_storage: None) -> Iterator[Shelf]:
    made = Shelf(tmp_path)
    yield made
    made.storage.close()


@pytest.fixture
def texts() -> Callable[[Found], list[str]]:
    return lambda found: [passage.text for passage in found.passages]
