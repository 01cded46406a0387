"""A labelled set's documents, indexed and open to questions.

What was indexed once under the same settings, by the same code, is used again: each run works on a copy of
it, so that no run finds what another left behind.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from eval.datasets.dataset import Dataset
from eval.datasets.files import fingerprint
from eval.machine import REPOSITORY, library_versions
from eval.runs.cache import CachedReranker, Kept, RepeatingEmbedder, kept
from eval.runs.token_cache import cached, repeating
from prism.engine import Prism
from prism.errors import PrismError, StoreBusyError, UsageError
from prism.models.embedder import load_embedder
from prism.models.loaded import Models
from prism.models.offline import stay_offline
from prism.models.protocols import Embedder, token_embedder
from prism.models.reranker import load_reranker
from prism.settings import Settings, overlay_settings
from prism.stores.storage import Storage
from prism.types import IngestProgress

SHAPING: Final = ("read", "chunk", "vectors")
"""Sections of the settings that shape an index, beside the embedder."""

ASKING: Final = (
    "query/",
    "asking.py",
    "cli.py",
    "conversation.py",
    "terminal.py",
    "wire.py",
    "web/",
    "prompts/",
)
"""Files and rooms of the engine that no index passes through; a change of any other builds it anew."""

COMPLETE: Final = "complete.json"

Told = Callable[[IngestProgress], None]


@dataclass(frozen=True, slots=True)
class Collection:
    """An engine over the documents of a set, what it is made of, and how it came to be indexed.

    `seconds` is None when the index was there already; `embedded` counts the leaves whose vectors were
    computed; `failures` name the documents that could not be indexed.
    """

    prism: Prism
    storage: Storage
    embedder: RepeatingEmbedder
    reranker: CachedReranker | None
    leaves: int
    documents: int
    seconds: float | None
    embedded: int
    failures: tuple[str, ...]


@contextmanager
def collection(
    dataset: Dataset, settings: Settings, cache: Path, on_progress: Told | None = None
) -> Iterator[Collection]:
    """Index the set's documents, or copy the index that is there, and open it.

    Args:
        cache: a folder for what can be computed again: vectors, scores, indexes.

    Raises:
        PrismError: the models or the stores cannot be used.
    """
    stay_offline()
    with kept(cache / "vectors.sqlite") as values:
        # A question asked again under other settings is to cost what it costs a person who asks it first.
        plain_embedder = load_embedder(settings.models.embedder, questions_kept=1)
        embedder = cached(plain_embedder, values)
        asking = repeating(plain_embedder)
        reranker = _reranker(settings, values)
        index = cache / "indexes" / _index_key(dataset, settings, embedder)
        told, seconds = _told(index), None
        if told is None:
            seconds = _build(dataset, settings, index, embedder, on_progress)
            told = json.loads((index / COMPLETE).read_text(encoding="utf-8"))
        with tempfile.TemporaryDirectory(prefix="prism-eval-") as work:
            copy = Path(work) / "storage"
            shutil.copytree(index / "storage", copy)
            with _opened(settings, copy, asking, reranker) as (prism, storage):
                yield Collection(
                    prism=prism,
                    storage=storage,
                    embedder=asking,
                    reranker=reranker,
                    leaves=told["leaves"],
                    documents=told["documents"],
                    seconds=seconds,
                    embedded=embedder.computed,
                    failures=tuple(told["failures"]),
                )


def _reranker(settings: Settings, values: Kept) -> CachedReranker | None:
    """The cross-encoder with its scores kept; None where the settings ask for none."""
    if "cross_encoder" not in settings.rerank.kinds:
        return None
    chosen = settings.models.reranker
    return CachedReranker(load_reranker(chosen), values, chosen.max_tokens)


def _told(index: Path) -> dict[str, Any] | None:
    """What is known of a whole index; None where it has to be built, or gone on with."""
    try:
        told = json.loads((index / COMPLETE).read_text(encoding="utf-8"))
        is_whole = {"leaves", "documents", "failures"} <= told.keys()
    except (OSError, ValueError, AttributeError):
        return None
    return told if is_whole and (index / "storage").is_dir() else None


def _build(
    dataset: Dataset, settings: Settings, index: Path, embedder: Embedder, on_progress: Told | None
) -> float:
    """Index the documents, or go on where it was stopped. Returns the seconds it took."""
    if not dataset.sources:
        raise UsageError(f"{dataset.name}: it has no documents, so that nothing can be found.")
    began = time.perf_counter()
    with _opened(settings, index / "storage", embedder, None) as (prism, _):
        report = prism.ingest(list(dataset.sources), on_progress)
        status = prism.status()
    if not status.consistent:
        raise PrismError(f"{index}: record and index do not agree. Remove the folder and run again.")
    if not status.leaves:
        raise UsageError(f"{dataset.name}: nothing could be indexed. First: {report.files[0].reason}")
    failures = [
        f"{file.document}: {file.reason}" for file in report.files if file.status in ("failed", "skipped")
    ]
    told = {"leaves": status.leaves, "documents": status.documents, "failures": failures}
    # At once, since it says that all the rest is there.
    unfinished = index / f"{COMPLETE}.unfinished"
    unfinished.write_text(json.dumps(told, ensure_ascii=False), encoding="utf-8")
    unfinished.replace(index / COMPLETE)
    return round(time.perf_counter() - began, 3)


@contextmanager
def _opened(
    settings: Settings, folder: Path, embedder: Embedder, reranker: CachedReranker | None
) -> Iterator[tuple[Prism, Storage]]:
    own = {"storage.path": folder, "storage.workspace": "default", "privacy.remote_models": "deny"}
    here = overlay_settings(settings, own)
    try:
        storage = Storage(here)
    except StoreBusyError as error:
        raise UsageError(
            f"{folder}: another run is indexing the same documents. Wait for it, or name another folder with "
            "--cache."
        ) from error
    with Prism(here, storage, Models(here, embedder=embedder, reranker=reranker)) as prism:
        yield prism, storage


def _index_key(dataset: Dataset, settings: Settings, embedder: Embedder) -> str:
    shaping = {name: getattr(settings, name).model_dump(mode="json") for name in SHAPING}
    with_tokens = token_embedder(embedder) if "late_interaction" in settings.rerank.kinds else None
    parts = [
        # Not the whole set's: another question needs no other index.
        fingerprint((), dataset.sources),
        embedder.name,
        str(embedder.max_tokens),
        with_tokens.token_recipe if with_tokens else "",
        json.dumps(shaping, sort_keys=True),
    ]
    return hashlib.blake2b("\0".join([*parts, code_hash()]).encode(), digest_size=8).hexdigest()


def code_hash() -> str:
    """Hash of the code that shapes an index: another version of it builds another."""
    digest = hashlib.blake2b(digest_size=8)
    for file in sorted((REPOSITORY / "prism").rglob("*.py")):
        name = file.relative_to(REPOSITORY / "prism").as_posix()
        if not name.startswith(ASKING):
            digest.update(name.encode())
            digest.update(file.read_bytes())
    digest.update(json.dumps(library_versions(), sort_keys=True).encode())
    return digest.hexdigest()
