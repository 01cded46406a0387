"""Small sets of invented documents, indexed with an embedder that counts letters and what it was given."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from eval.datasets.dataset import Dataset, LabelledQuestion
from eval.datasets.files import fingerprint
from eval.runs.collection import Collection, collection
from prism.models.protocols import OnBatch, Vectors
from prism.settings import Settings, overlay_settings
from prism.types import Source
from tests.fakes import ExactVectors, ExactVectorStore, LetterEmbedder

SETTINGS = overlay_settings(
    Settings(),
    {
        "chunk": {"leaf_tokens": 16, "parent_tokens": [48], "context_tokens": 0},
        "gate.threshold": 0.0,
        "ingest.retries": 0,
    },
)

MakeDataset = Callable[..., Dataset]
OpenCollection = Callable[..., AbstractContextManager[Collection]]


class CountingEmbedder(LetterEmbedder):
    """Keeps the texts it was given: `passages` those to be indexed, `questions` those asked. Stops at a
    passage that holds `stop_at`, as a kill would."""

    def __init__(self) -> None:
        self.passages: list[str] = []
        self.questions: list[str] = []
        self.stop_at: str | None = None

    def embed(self, texts: Sequence[str], on_batch: OnBatch | None = None) -> Vectors:
        for text in texts:
            if self.stop_at is not None and self.stop_at in text:
                raise KeyboardInterrupt
            self.passages.append(text)
        return LetterEmbedder().embed(texts, on_batch)

    def embed_query(self, text: str) -> Vectors:
        self.questions.append(text)
        return super().embed_query(text)


class FiledVectorStore(ExactVectorStore):
    """Vectors in a file of their folder, so that a copy of the folder holds them."""

    def __init__(
        self, folder: Path, settings: object, reached: object = None, *, read_all: bool = False
    ) -> None:
        self._file = folder / "exact.pickle"
        shelves: dict[tuple[Path, str], ExactVectors] = {}
        if self._file.is_file():
            held = pickle.loads(self._file.read_bytes())  # noqa: S301 - written below
            shelves = {(folder, workspace): vectors for workspace, vectors in held.items()}
        super().__init__(folder, settings, reached, read_all=read_all, shelves=shelves)

    def close(self) -> None:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        held = {workspace: vectors for (_, workspace), vectors in self._shelves.items()}
        self._file.write_bytes(pickle.dumps(held))

    abandon = close


@pytest.fixture
def embedder(light_storage: None, monkeypatch: pytest.MonkeyPatch) -> CountingEmbedder:
    """The embedder of every collection of the test."""
    counting = CountingEmbedder()
    monkeypatch.setattr("prism.stores.projections.VectorStore", FiledVectorStore)
    monkeypatch.setattr("eval.runs.collection.load_embedder", lambda settings, **_: counting)
    return counting


@pytest.fixture
def make_dataset(tmp_path: Path) -> MakeDataset:
    """`make_dataset({"a.txt": "words"}, question, …)`."""

    def make(files: Mapping[str, str], *questions: LabelledQuestion, **values: Any) -> Dataset:
        sources = []
        for name, text in files.items():
            path = tmp_path / "documents" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            sources.append(Source(path, name))
        plain: dict[str, Any] = {
            "name": "letters",
            "key_of": {name: name for name in files},
            "fingerprint": fingerprint((), sources),
        }
        return Dataset(sources=tuple(sources), questions=questions, **{**plain, **values})

    return make


@pytest.fixture
def opened(tmp_path: Path, embedder: CountingEmbedder) -> OpenCollection:
    """`with opened(dataset, **overlay) as collection:` over the cache of the test."""

    @contextmanager
    def run(dataset: Dataset, **overlay: Any) -> Iterator[Collection]:
        with collection(dataset, overlay_settings(SETTINGS, overlay), tmp_path / "cache") as found:
            yield found

    return run
