"""An engine over a temporary folder, with an embedder that counts letters and quoted answers."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from prism.engine import Prism
from prism.stores.database import Database
from prism.types import IngestReport, Source
from tests.fakes import BY_WORDS, ExactVectors, ExactVectorStore, LetterEmbedder


@pytest.fixture
def light_storage(monkeypatch: pytest.MonkeyPatch) -> None:
    """Vectors in memory instead of Chroma, and no waiting for the disk: each takes a tenth of a second."""
    shelves: dict[tuple[Path, str], ExactVectors] = {}
    monkeypatch.setattr("prism.stores.projections.VectorStore", partial(ExactVectorStore, shelves=shelves))
    connect = Database._connect

    def connect_unsynced(database: Database) -> sqlite3.Connection:
        connection = connect(database)
        connection.execute("PRAGMA synchronous = OFF")
        return connection

    monkeypatch.setattr(Database, "_connect", connect_unsynced)
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


@pytest.fixture
def open_prism(tmp_path: Path, light_storage: None) -> Iterator[Callable[..., Prism]]:
    """Opens the engine; opened again, it closes the one before, as a restart does."""
    opened: list[Prism] = []

    def run(*, folder: str = "store", embedder: Any = None, **overlay: Any) -> Prism:
        while opened:
            opened.pop().close()
        values = {
            "storage.path": tmp_path / folder,
            "chunk": {"leaf_tokens": 16, "parent_tokens": [48, 96]},
            "rerank.kind": "none",
            "models.answerer": "quote",
            "gate.threshold": 0.0,
            "gate.calibration": BY_WORDS,
            "ingest.retries": 0,
            **overlay,
        }
        opened.append(Prism.open(overlay=values, embedder=embedder or LetterEmbedder()))
        return opened[0]

    yield run
    while opened:
        opened.pop().close()


@pytest.fixture
def prism(open_prism: Callable[..., Prism]) -> Prism:
    return open_prism()


@pytest.fixture
def add(tmp_path: Path) -> Callable[..., IngestReport]:
    """`add(prism, {"a.txt": "words"})` brings texts in under these names."""

    def run(prism: Prism, files: Mapping[str, str | bytes], **options: Any) -> IngestReport:
        sources = []
        for number, (name, text) in enumerate(files.items()):
            path = tmp_path / f"file-{number}"
            path.write_bytes(text.encode() if isinstance(text, str) else text)
            sources.append(Source(path, name))
        return prism.ingest(sources, **options)

    return run
