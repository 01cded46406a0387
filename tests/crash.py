"""What a storage folder holds, compared whole; and copies of it as a kill at any instant would leave it."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prism import Prism
from prism.models.loaded import Models
from prism.models.protocols import Embedder, OnBatch, Vectors
from prism.settings import Settings, overlay_settings
from prism.stores.active import ActiveSet
from prism.stores.boundary import Reached, unwatched
from prism.stores.nodes import StoredNode
from prism.stores.storage import Storage
from prism.types import LEAF_LEVEL
from tests.fakes import BY_WORDS, LetterTokenEmbedder

EVERYTHING = "every document of the harbour"

UNEMBEDDABLE = "unembeddable"


@dataclass(frozen=True)
class State:
    """All that must be equal between a disturbed run, once finished, and an undisturbed one."""

    documents: tuple[tuple[Any, ...], ...]
    nodes: Mapping[str, StoredNode]
    tokens: Mapping[str, tuple[str, ...]]
    vectors: Mapping[str, tuple[float, ...]]
    keyword_leaves: Mapping[tuple[str, int], int]
    originals: Mapping[str, str]
    token_vectors: Mapping[str, tuple[tuple[int, ...], ...]]
    token_files: tuple[str, ...]


class PickyEmbedder(LetterTokenEmbedder):
    """Fails on texts that are `UNEMBEDDABLE`."""

    def embed(self, texts: Sequence[str], on_batch: OnBatch | None = None) -> Vectors:
        if any(UNEMBEDDABLE in text for text in texts):
            raise RuntimeError("the model crashed")
        return super().embed(texts, on_batch)


def open_folder(
    folder: Path, reached: Reached = unwatched, embedder: Embedder | None = None, **overlay: Any
) -> Prism:
    """An engine over `folder` that tells `reached` every boundary, with a small arithmetic embedder and all
    projections there are."""
    kept = {
        "storage": {"path": folder},
        "rerank": {"kind": "late_interaction"},
        # The packaged one is of another embedder, and each answer would say so.
        "gate": {"calibration": BY_WORDS},
    }
    settings = overlay_settings(Settings(), {**kept, **overlay})
    models = Models(settings, embedder=embedder or PickyEmbedder(), reranker=None, answerer=None)
    return Prism(settings, Storage(settings, reached), models)


def state_of(prism: Prism, workspace: str = "default") -> State:
    """The state of a workspace. Vectors and keyword leaves are all that are stored, visible or not."""
    catalogue, active = prism._storage.catalogue, prism._storage.active(workspace)
    # As whoever asks or ingests says: without it none are looked for.
    prism._storage.keep_tokens(prism._models.token_recipe)
    live = {key[0]: key[1] for key in catalogue.live_leaf_counts(workspace)}
    nodes = catalogue.nodes.get(catalogue.nodes.node_ids(live), live)
    groups = active.vectors.generations()
    stored = active.vectors.vectors([node_id for group in groups for node_id in active.vectors.ids(*group)])
    return State(
        documents=tuple(
            (info.document, info.status, info.generation, info.version, info.leaves, info.page_count)
            for info in prism.documents(workspace)
        ),
        nodes=nodes,
        tokens=catalogue.nodes.tokens_of(nodes),
        vectors={key: tuple(float(x) for x in row) for key, row in stored.items()},
        keyword_leaves=dict(active.keywords.leaf_counts()),
        originals=files_below(prism._storage.folder / "originals"),
        token_vectors=token_vectors_of(active, catalogue.nodes.node_ids(live, LEAF_LEVEL), nodes),
        token_files=tuple(files_below(prism._storage.folder / "tokens")),
    )


def token_vectors_of(
    active: ActiveSet, leaf_ids: Sequence[str], nodes: Mapping[str, StoredNode]
) -> dict[str, tuple[tuple[int, ...], ...]]:
    """The rows kept for each leaf."""
    owners = {key: (nodes[key].node.document_id, nodes[key].node.generation) for key in leaf_ids}
    return {
        key: tuple(tuple(int(x) for x in row) for row in rows)
        for key, rows in active.tokens.get(owners).items()
    }


def files_below(folder: Path) -> dict[str, str]:
    """Relative path to content hash."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def visible_leaves(prism: Prism) -> dict[str, frozenset[str]]:
    """The leaf texts that a question about anything finds, by document."""
    found = prism.retrieve(EVERYTHING, 100, leaves=True).passages
    names = {passage.document for passage in found}
    return {name: frozenset(passage.text for passage in found if passage.document == name) for name in names}


class Camera:
    """Copies a folder at every boundary: that copy is what a kill at this instant leaves on the disk."""

    def __init__(self, folder: Path, album: Path) -> None:
        self._folder, self._album = folder, album
        self.images: list[tuple[str, Path]] = []
        self.is_on = False

    def __call__(self, boundary: str) -> None:
        if self.is_on:
            image = self._album / f"{len(self.images):03}"
            shutil.copytree(self._folder, image)
            self.images.append((boundary, image))


class Breaker:
    """Raises once, at the boundary of a given number."""

    def __init__(self, at: int, error: BaseException) -> None:
        self._left, self._error = at, error
        self.is_on = False
        self.has_raised = False

    def __call__(self, boundary: str) -> None:
        if self.is_on and not self.has_raised:
            self._left -= 1
            if self._left < 0:
                self.has_raised = True
                raise self._error


class Counter:
    """The names of the boundaries reached."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.is_on = False

    def __call__(self, boundary: str) -> None:
        if self.is_on:
            self.names.append(boundary)


def half_seen(
    seen: Mapping[str, frozenset[str]], allowed: Mapping[str, Sequence[frozenset[str]]]
) -> list[str]:
    """Documents of which something else is visible than one of the states allowed."""
    return [
        name
        for name in {*seen, *allowed}
        if seen.get(name, frozenset()) not in allowed.get(name, (frozenset(),))
    ]
