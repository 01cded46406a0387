"""Ingesting into a temporary folder with an embedder that counts letters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from prism.ingest.pipeline import IngestParts, ingest_source
from prism.ingest.progress import Progress
from prism.settings import load_settings
from prism.stores.storage import Storage
from prism.types import FileReport, Source
from tests.fakes import LetterEmbedder


@pytest.fixture
def storage(tmp_path: Path, light_storage: None) -> Iterator[Storage]:
    chunk = {"leaf_tokens": 16, "parent_tokens": [32, 64]}
    opened = Storage(load_settings(overlay={"storage.path": tmp_path / "store", "chunk": chunk}, environ={}))
    yield opened
    opened.close()


@pytest.fixture
def parts(storage: Storage, tmp_path: Path) -> IngestParts:
    chunk = {"leaf_tokens": 16, "parent_tokens": [32, 64]}
    return IngestParts(
        catalogue=storage.catalogue,
        originals=storage.originals,
        active=storage.active("default"),
        embedder=LetterEmbedder(),
        settings=load_settings(overlay={"storage.path": tmp_path / "store", "chunk": chunk}, environ={}),
    )


@pytest.fixture
def ingest(parts: IngestParts, tmp_path: Path) -> Callable[..., FileReport]:
    """`ingest("a.txt", "words")` writes the file and brings it in."""

    def run(name: str, content: str | bytes, *, embedder=None) -> FileReport:
        path = tmp_path / "files" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        used = parts if embedder is None else replace(parts, embedder=embedder)
        return ingest_source(Source(path, name), used, Progress([1], None))

    return run
