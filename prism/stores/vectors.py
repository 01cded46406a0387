"""The vector store: one Chroma client per storage folder, one collection per workspace.

A projection of the catalogue, so it can be deleted and rebuilt at any time. Reading and writing a
workspace's vectors is in `workspace_vectors.py`. Files that were damaged while the folder was closed are
noticed before Chroma opens them (`seal.py`, `graph_files.py`).
"""

from __future__ import annotations

import logging
import shutil
import sqlite3
from pathlib import Path
from types import TracebackType
from typing import cast

import chromadb
from chromadb.api.client import Client
from chromadb.api.collection_configuration import CreateCollectionConfiguration, CreateHNSWConfiguration
from chromadb.api.models.Collection import Collection
from chromadb.config import Settings as ChromaSettings
from chromadb.errors import ChromaError

from prism.errors import StoreDamagedError, StoreError
from prism.settings import VectorSettings
from prism.stores.boundary import Reached, unwatched
from prism.stores.chroma import (
    DATABASE_FILE,
    check_database,
    collection_name,
    damaged,
    graph_settings,
    guard,
    is_panic,
    unusable,
    unused_graphs,
)
from prism.stores.graph_files import check_graph
from prism.stores.seal import (
    GRAPH_IDS_FILE,
    LeafSets,
    Seal,
    break_seal,
    broken_parts,
    read_seal,
    remove_journals,
    write_seal,
)
from prism.stores.workspace_vectors import WorkspaceVectors

__all__ = ["VectorStore", "WorkspaceVectors"]

logger = logging.getLogger(__name__)

_PARTS_NAMED = 3
"""How many damaged files a message names."""


class VectorStore:
    """The Chroma client of one storage folder. Safe for many threads; one process owns a folder."""

    def __init__(
        self,
        folder: Path,
        settings: VectorSettings,
        reached: Reached = unwatched,
        *,
        read_all: bool = False,
    ) -> None:
        """Open `folder`, creating it when it is not there. `read_all`: compare every file with its checksum,
        also where its time says that nobody touched it.

        Raises:
            StoreDamagedError: what is in the folder is not what was written, or Chroma cannot read it.
            StoreError: the folder cannot be read or written.
        """
        self._folder = folder
        self._settings = settings
        self._reached = reached
        self._collections: dict[str, WorkspaceVectors] = {}
        self._seal = _check(folder, read_all=read_all)
        self._sealed = dict(self._seal.workspaces) if self._seal else {}
        self._is_open = True
        try:
            options = ChromaSettings(anonymized_telemetry=False)
            # The factory is typed as an interface that lacks close().
            self._client = cast(Client, chromadb.PersistentClient(path=str(folder), settings=options))
            self._batch = self._client.get_max_batch_size()
        except AttributeError as error:
            # Chroma's clean-up after a failed start fails itself, over what it has not opened.
            raise unusable(folder, error.__context__ or error) from error
        except (ChromaError, ValueError, OSError) as error:
            raise unusable(folder, error) from error
        except BaseException as error:
            if not is_panic(error):
                raise
            raise StoreDamagedError(damaged(folder, error)) from error
        self._remove_unused()

    def __enter__(self) -> VectorStore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def collection(self, workspace: str) -> WorkspaceVectors:
        """The vectors of `workspace`, made on first use. Raises `StoreError`."""
        if workspace not in self._collections:
            self._collections[workspace] = self._open(workspace)
            self._reached("vectors: after opening a workspace")
        return self._collections[workspace]

    def drop(self, workspace: str) -> None:
        """Delete all vectors of `workspace` and its graph, e.g. before a rebuild. Raises `StoreError`."""
        self.collection(workspace)
        del self._collections[workspace]
        self._sealed = {name: held for name, held in self._sealed.items() if name != workspace}

        def delete() -> None:
            self._reached("vectors: before dropping a workspace")
            self._client.delete_collection(collection_name(workspace))

        guard(self._folder, delete)
        self._remove_unused()
        self._reached("vectors: after dropping a workspace")

    def close(self) -> None:
        """Let go of the folder and seal it; collections handed out before cannot be used afterwards."""
        self._write_out()
        held = self._held()
        was_open, self._is_open = self._is_open, False
        self.abandon()
        if held is None or not was_open:
            return
        self._reached("vectors: before sealing the folder")
        try:
            write_seal(self._folder, held, self._seal)
        except OSError as error:
            logger.warning("%s: not sealed (%s); the next opening looks closer", self._folder, error)
        self._reached("vectors: after sealing the folder")

    def abandon(self) -> None:
        """Let go of a folder without sealing it, as when it is to be deleted."""
        for vectors in self._collections.values():
            vectors.forget()
        self._collections.clear()
        self._client.close()

    def _write_out(self) -> None:
        for vectors in self._collections.values():
            try:
                vectors.write_out()
            except StoreError as error:
                logger.warning("%s: the next opening takes longer (%s)", self._folder, error)

    def _remove_unused(self) -> None:
        """Remove what Chroma keeps of collections that are no more."""
        try:
            for graph in unused_graphs(self._folder):
                shutil.rmtree(graph)
        except (OSError, sqlite3.Error) as error:
            logger.warning("%s: what is left of deleted vectors stays for now (%s)", self._folder, error)

    def _held(self) -> dict[str, LeafSets] | None:
        """What each workspace holds, None when that cannot be vouched for."""
        held = dict(self._sealed)
        try:
            for workspace, vectors in self._collections.items():
                if not vectors.is_sound:
                    return None
                held[workspace] = vectors.leaf_sets()
        except StoreError as error:
            logger.warning("%s: not sealed (%s); the next opening looks closer", self._folder, error)
            return None
        return held

    def _open(self, workspace: str) -> WorkspaceVectors:
        graph = CreateHNSWConfiguration(
            space="cosine",
            max_neighbors=self._settings.hnsw_m,
            ef_construction=self._settings.ef_construction,
            ef_search=self._settings.ef_search,
        )

        def open_collection() -> Collection:
            self._reached("vectors: before opening a workspace")
            collection = self._client.get_or_create_collection(
                collection_name(workspace),
                # With none set, Chroma would fetch a model from the net.
                embedding_function=None,
                configuration=CreateCollectionConfiguration(hnsw=graph),
            )
            if graph_settings(collection).get("ef_search") != self._settings.ef_search:
                collection.modify(configuration={"hnsw": {"ef_search": self._settings.ef_search}})
            return collection

        return WorkspaceVectors(
            guard(self._folder, open_collection),
            self._folder,
            self._settings,
            self._batch,
            self._reached,
            self._sealed.get(workspace),
        )


def _check(folder: Path, *, read_all: bool) -> Seal | None:
    """Look at the files before Chroma does, and break the seal; returns it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        seal = read_seal(folder)
        if seal is None:
            _check_unsealed(folder)
            return None
        if broken := broken_parts(folder, seal, read_all=read_all):
            raise ValueError("; ".join(broken[:_PARTS_NAMED]))
        remove_journals(folder)
        break_seal(folder)
    except (ValueError, FileNotFoundError, FileExistsError, NotADirectoryError, IsADirectoryError) as error:
        raise StoreDamagedError(damaged(folder, error)) from error
    except OSError as error:
        raise StoreError(
            f"{error.filename or folder}: cannot be read or written ({error.strerror or error}). Check the "
            "disk and permissions, then try again."
        ) from error
    return seal


def _check_unsealed(folder: Path) -> None:
    """Raise `ValueError` where a file contradicts itself; garbage that fits its place is not noticed."""
    if (folder / DATABASE_FILE).exists():
        check_database(folder / DATABASE_FILE)
    for ids in folder.glob(f"*/{GRAPH_IDS_FILE}"):
        check_graph(ids.parent)
