"""The vector store: one Chroma client per storage folder, one collection per workspace.

A projection of the catalogue, so it can be deleted and rebuilt at any time. Reading and writing a
workspace's vectors is in `workspace_vectors.py`.
"""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import cast

import chromadb
from chromadb.api.client import Client
from chromadb.api.collection_configuration import CreateCollectionConfiguration, CreateHNSWConfiguration
from chromadb.api.models.Collection import Collection
from chromadb.config import Settings as ChromaSettings
from chromadb.errors import ChromaError

from prism.errors import StoreDamagedError
from prism.settings import VectorSettings
from prism.stores.boundary import Reached, unwatched
from prism.stores.chroma import collection_name, damaged, graph_settings, guard
from prism.stores.workspace_vectors import WorkspaceVectors

__all__ = ["VectorStore", "WorkspaceVectors"]


class VectorStore:
    """The Chroma client of one storage folder. Safe for many threads; one process owns a folder."""

    def __init__(self, folder: Path, settings: VectorSettings, reached: Reached = unwatched) -> None:
        """Open `folder`, creating it when it is not there.

        Raises:
            StoreDamagedError: Chroma cannot read what is in the folder.
        """
        self._folder = folder
        self._settings = settings
        self._reached = reached
        self._collections: dict[str, WorkspaceVectors] = {}
        folder.mkdir(parents=True, exist_ok=True)
        try:
            options = ChromaSettings(anonymized_telemetry=False)
            # The factory is typed as an interface that lacks close().
            self._client = cast(Client, chromadb.PersistentClient(path=str(folder), settings=options))
            self._batch = self._client.get_max_batch_size()
        except AttributeError as error:
            # Chroma's clean-up after a failed start fails itself, over what it has not opened.
            raise StoreDamagedError(damaged(folder, error.__context__ or error)) from error
        except (ChromaError, ValueError, OSError) as error:
            raise StoreDamagedError(damaged(folder, error)) from error

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

        def delete() -> None:
            self._reached("vectors: before dropping a workspace")
            self._client.delete_collection(collection_name(workspace))

        guard(self._folder, delete)
        self._reached("vectors: after dropping a workspace")

    def close(self) -> None:
        """Let go of the folder; collections handed out before cannot be used afterwards."""
        self._collections.clear()
        self._client.close()

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
            guard(self._folder, open_collection), self._folder, self._settings, self._batch, self._reached
        )
