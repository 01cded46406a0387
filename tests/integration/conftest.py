"""One real embedder for all integration tests, and engines over folders of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from prism import Prism
from prism.models.embedder import FolderEmbedder, load_embedder
from prism.models.protocols import Embedder
from prism.settings import EmbedderSettings, Settings
from tests.shelf import write
from tests.tiny_cross_encoder import save, tiny_tokenizer, train, untrained_model

OpenPrism = Callable[..., Prism]
Shelf = Callable[[Mapping[str, str | bytes]], Prism]


@pytest.fixture(scope="session")
def embedder() -> FolderEmbedder:
    return load_embedder(EmbedderSettings())


@pytest.fixture(scope="session")
def tiny_reranker(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of a cross-encoder that knows the self-test's questions by heart; trained in seconds."""
    tokenizer = tiny_tokenizer()
    model = untrained_model(tokenizer)
    train(model, tokenizer)
    return save(model, tokenizer, tmp_path_factory.mktemp("models") / "trained")


@pytest.fixture(scope="session")
def make_prism(embedder: FolderEmbedder) -> OpenPrism:
    """Opens an engine over `folder`, with the shared embedder unless another is given."""

    def make(folder: Path, overlay: Mapping[str, Any] | None = None, **models: Any) -> Prism:
        given: dict[str, Any] = {"embedder": embedder, **models}
        return Prism.open(Settings(), overlay={"storage.path": folder, **(overlay or {})}, **given)

    return make


@pytest.fixture
def open_prism(make_prism: OpenPrism, tmp_path: Path) -> Iterator[OpenPrism]:
    """Opens an engine over this test's own storage folder; again after `close` means a restart."""
    with ExitStack() as opened:

        def make(
            overlay: Mapping[str, Any] | None = None, *, embedder: Embedder | None = None, **models: Any
        ) -> Prism:
            if embedder is not None:
                models["embedder"] = embedder
            return opened.enter_context(make_prism(tmp_path / "storage", overlay, **models))

        yield make


@pytest.fixture
def shelf(open_prism: OpenPrism, tmp_path: Path) -> Shelf:
    """An engine holding these files (name to content)."""

    def make(files: Mapping[str, str | bytes], **models: Any) -> Prism:
        prism = open_prism(**models)
        report = prism.ingest(write(tmp_path / "files", files))
        assert {file.status for file in report.files} <= {"added"}, report
        return prism

    return make
