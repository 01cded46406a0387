"""The way to Chroma: its errors in our words, its names for our workspaces."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from chromadb.api.models.Collection import Collection
from chromadb.errors import ChromaError

from prism.errors import StoreDamagedError, StoreError, StoreMismatchError

T = TypeVar("T")


def guard(folder: Path, call: Callable[[], T]) -> T:
    """What `call` returns, its failures told as ours.

    Raises:
        StoreMismatchError: the vectors there are of another dimension.
        StoreDamagedError: Chroma cannot do it.
        StoreError: the store has been closed.
    """
    try:
        return call()
    except ChromaError as error:
        if "dimension" in str(error):
            raise StoreMismatchError(
                f"{folder}: the vectors were made by an embedder of another dimension ({error}). "
                "Set models.embedder back, or rebuild with 'prism doctor --rebuild'."
            ) from error
        raise StoreDamagedError(damaged(folder, error)) from error
    except AttributeError as error:
        # The client drops its bindings on closing and has no public way to tell.
        if "bindings" not in str(error):
            raise
        raise StoreError(f"{folder}: the vector store is closed. Open the storage folder again.") from error


def damaged(folder: Path, error: BaseException) -> str:
    """The message for a folder Chroma cannot use."""
    return f"{folder}: the vector store cannot be used ({error}). Rebuild it with 'prism doctor --rebuild'."


def collection_name(workspace: str) -> str:
    """A name Chroma accepts (letters, digits, - and _ suffice) and that no other workspace gets."""
    escaped = re.sub(r"[^A-Za-z0-9-]", lambda found: f"_{ord(found[0]):x}_", workspace)
    return f"workspace-{escaped}-leaves"


def graph_settings(collection: Collection) -> Mapping[str, Any]:
    """How the collection's HNSW graph was made (space, max_neighbors, ef_construction, ef_search)."""
    return dict(collection.configuration_json.get("hnsw") or {})
