"""The files as they came, kept so that a page can be shown and a document read again.

One folder per document, one file per content hash: purging a document takes its folder and nothing else.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection
from pathlib import Path
from types import TracebackType

from prism.stores.boundary import Reached, unwatched


class Originals:
    """Copies of ingested files under `folder`."""

    def __init__(self, folder: Path, reached: Reached = unwatched) -> None:
        self._folder = folder
        self._reached = reached

    def keep(self, document_id: str, content_hash: str, source: Path) -> None:
        """Copy a file in, whole or not at all. Keeping the same bytes again changes nothing."""
        target = self.path(document_id, content_hash)
        if target.exists():
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = target.with_suffix(".partial")
        shutil.copyfile(source, partial)
        with partial.open("rb+") as copied:
            os.fsync(copied.fileno())
        self._reached("originals: before keeping a file")
        partial.replace(target)
        self._reached("originals: after keeping a file")

    def path(self, document_id: str, content_hash: str) -> Path:
        """Where a file is kept (whether or not it is there)."""
        return self._folder / document_id / content_hash

    def remove_document(self, document_id: str) -> None:
        """Remove every kept file of a document."""
        self._reached("originals: before removing a document")
        _remove_tree(self._folder / document_id)
        self._reached("originals: after removing a document")

    def remove(self, document_id: str, content_hash: str) -> None:
        """Remove one kept file."""
        self.path(document_id, content_hash).unlink(missing_ok=True)

    def remove_unknown(self, document_ids: Collection[str]) -> None:
        """Remove the files of documents other than these."""
        if self._folder.exists():
            for folder in self._folder.iterdir():
                if folder.is_dir() and folder.name not in document_ids:
                    _remove_tree(folder)

    def remove_others(self, document_id: str, keep_hash: str) -> None:
        """Remove the files of a document's earlier versions."""
        folder = self._folder / document_id
        if folder.exists():
            for file in folder.iterdir():
                if file.name != keep_hash:
                    self._reached("originals: before removing a replaced file")
                    file.unlink(missing_ok=True)
                    self._reached("originals: after removing a replaced file")

    def size_bytes(self) -> int:
        """Bytes kept in all."""
        return sum(file.stat().st_size for file in self._folder.rglob("*") if file.is_file())


def _remove_tree(folder: Path) -> None:
    """Remove a folder and what is in it; a clean-up in another thread may take the same files."""
    if folder.exists():
        shutil.rmtree(folder, onerror=_unless_gone)


def _unless_gone(
    _: object, __: str, failure: tuple[type[BaseException], BaseException, TracebackType]
) -> None:
    if not isinstance(failure[1], FileNotFoundError):
        raise failure[1]
