"""The way to Chroma: its errors in our words, its names for our workspaces."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from chromadb.api.models.Collection import Collection
from chromadb.errors import ChromaError

from prism.errors import StoreDamagedError, StoreError, StoreMismatchError

T = TypeVar("T")

DATABASE_FILE = "chroma.sqlite3"

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")

_SURROUNDINGS = re.compile(
    r"disk is full|no space left|permission denied|read-?only|unable to open|too many open files"
    r"|disk I/O error|database is locked|os error (?:13|24|28|30)\b",
    re.IGNORECASE,
)
"""What Chroma says when not its files are at fault but the disk, or what this process may do there."""


def guard(folder: Path, call: Callable[[], T]) -> T:
    """What `call` returns, its failures told as ours.

    Raises:
        StoreMismatchError: the vectors there are of another dimension.
        StoreDamagedError: Chroma cannot do it.
        StoreError: the disk is full, the folder may not be used, or the store has been closed.
    """
    try:
        return call()
    except ChromaError as error:
        if "dimension" in str(error):
            raise StoreMismatchError(
                f"{folder}: the vectors were made by an embedder of another dimension ({error}). "
                "Set models.embedder back, or rebuild with 'prism doctor --rebuild'."
            ) from error
        raise unusable(folder, error) from error
    except AttributeError as error:
        # The client drops its bindings on closing and has no public way to tell.
        if "bindings" not in str(error):
            raise
        raise StoreError(f"{folder}: the vector store is closed. Open the storage folder again.") from error
    except BaseException as error:
        if not is_panic(error):
            raise
        raise StoreDamagedError(damaged(folder, error)) from error


def is_panic(error: BaseException) -> bool:
    """Whether Chroma's Rust part gave up. Its exception is no `Exception` and cannot be imported."""
    return type(error).__name__ == "PanicException"


def unusable(folder: Path, error: BaseException) -> StoreError:
    """Our error for what Chroma said: the folder is damaged, or its surroundings do not let it work."""
    if _SURROUNDINGS.search(str(error)):
        return StoreError(
            f"{folder}: the vector store cannot be read or written ({error}). Check free space and "
            "permissions, then try again."
        )
    return StoreDamagedError(damaged(folder, error))


def check_database(file: Path) -> None:
    """Raise `ValueError` where Chroma's SQLite file contradicts itself. What a killed process had begun is
    rolled back."""
    if not file.is_file():
        raise ValueError(f"{file.name} is no file")
    connection = sqlite3.connect(file)
    try:
        found = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
    except sqlite3.OperationalError:
        # No word on what it holds: locked, or made with an extension this SQLite lacks. Chroma has its own.
        return
    except sqlite3.DatabaseError as error:
        raise ValueError(f"{file.name}: {error}") from error
    finally:
        connection.close()
    if found != "ok":
        raise ValueError(f"{file.name}: {found}")


def unused_graphs(folder: Path) -> list[Path]:
    """Folders of graphs that belong to no collection: Chroma leaves them behind, vectors and all, when a
    collection is deleted. Raises `sqlite3.Error` where its database cannot be read."""
    connection = sqlite3.connect(f"{(folder / DATABASE_FILE).absolute().as_uri()}?mode=ro", uri=True)
    try:
        used = {row[0] for row in connection.execute("SELECT id FROM segments")}
    finally:
        connection.close()
    graphs = (path for path in folder.iterdir() if path.is_dir() and _UUID.fullmatch(path.name))
    return [path for path in graphs if path.name not in used]


def waiting_changes(folder: Path, collection: Collection) -> int:
    """How many changes of a collection are in Chroma's log and not in its graph's files. At every opening
    they are made again, 0.3 ms each. Raises `sqlite3.Error` where its database cannot be read."""
    connection = sqlite3.connect(f"{(folder / DATABASE_FILE).absolute().as_uri()}?mode=ro", uri=True)
    try:
        found = connection.execute(
            "SELECT count(*) FROM embeddings_queue WHERE topic LIKE ?", (f"%/{collection.id}",)
        )
        return int(found.fetchone()[0])
    finally:
        connection.close()


def damaged(folder: Path, error: object) -> str:
    """The message for a folder Chroma cannot use."""
    return f"{folder}: the vector store cannot be used ({error}). Rebuild it with 'prism doctor --rebuild'."


def collection_name(workspace: str) -> str:
    """A name Chroma accepts (letters, digits, - and _ suffice) and that no other workspace gets."""
    escaped = re.sub(r"[^A-Za-z0-9-]", lambda found: f"_{ord(found[0]):x}_", workspace)
    return f"workspace-{escaped}-leaves"


def graph_settings(collection: Collection) -> Mapping[str, Any]:
    """How the collection's HNSW graph was made (space, max_neighbors, ef_construction, ef_search)."""
    return dict(collection.configuration_json.get("hnsw") or {})
