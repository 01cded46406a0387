"""The files as they came, kept so that a page can be shown and a document read again.

One folder per document, one file per content hash: purging a document takes its folder and nothing else.
"""

from __future__ import annotations

import logging
import os
import shutil
import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from prism.errors import StoreDamagedError, StoreError
from prism.stores.boundary import Reached, unwatched

logger = logging.getLogger(__name__)


class Originals:
    """Copies of ingested files under `folder`."""

    def __init__(self, folder: Path, reached: Reached = unwatched) -> None:
        self._folder = folder
        self._reached = reached
        self._lock = threading.Lock()
        self._whole_documents = threading.Lock()
        """Held while a file is kept, or all files of a document are removed: one must not meet the other."""
        self._holders = 0
        self._put_off: set[Path] = set()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Put off removing single files until the block ends, as a backup needs. A purge is not put off."""
        with self._lock:
            self._holders += 1
        try:
            yield
        finally:
            with self._lock:
                self._holders -= 1
                if not self._holders:
                    self._catch_up()

    def keep(self, document_id: str, content_hash: str, data: bytes) -> None:
        """Write a file's bytes, all or nothing. Keeping the same bytes again changes nothing, unless the copy
        was changed since.

        Raises:
            OSError: they cannot be written; no half copy is left.
        """
        target = self.path(document_id, content_hash)
        with self._lock:
            self._put_off.discard(target)
        with self._whole_documents:
            if target.is_file() and target.stat().st_size == len(data) and target.read_bytes() == data:
                return
            target.parent.mkdir(parents=True, exist_ok=True)
            partial = target.with_suffix(".partial")
            try:
                with partial.open("wb") as copy:
                    copy.write(data)
                    copy.flush()
                    os.fsync(copy.fileno())
                self._reached("originals: before keeping a file")
                partial.replace(target)
            except BaseException:
                partial.unlink(missing_ok=True)
                raise
        self._reached("originals: after keeping a file")

    def path(self, document_id: str, content_hash: str) -> Path:
        """Where a file is kept (whether or not it is there). Raises `StoreDamagedError` for names that would
        lead elsewhere, as the record of a forged archive may hold."""
        # A document that was never there has no hash.
        return self._of(document_id) / (_plain(content_hash) if content_hash else "none")

    def remove_document(
        self, document_id: str, *, unless: Callable[[], Collection[str]] = frozenset[str]
    ) -> None:
        """Remove every kept file of a document, but for those of the content hashes that `unless` gives at
        the moment of removing. Raises `StoreError`."""
        with _told(self._folder), self._whole_documents:
            self._reached("originals: before removing a document")
            folder = self._of(document_id)
            if not (wanted := unless()):
                _remove_tree(folder)
            elif folder.is_dir():
                self._remove(*_others(folder, wanted))
        self._reached("originals: after removing a document")

    def remove(self, document_id: str, content_hash: str) -> None:
        """Remove one kept file. Raises `StoreError`."""
        with _told(self._folder):
            self._reached("originals: before removing a file")
            self._remove(self.path(document_id, content_hash))
        self._reached("originals: after removing a file")

    def remove_replaced(self, replaced: Mapping[str, Collection[str]]) -> None:
        """Remove what a process that died left behind: half copies, and these content hashes per document.

        What the record says nothing of stays: a record that lost its last changes must not cost the files.

        Raises:
            StoreError: something cannot be removed.
        """
        with _told(self._folder):
            for folder in self._folders():
                gone = replaced.get(folder.name, ())
                self._remove(*(kept for kept in folder.iterdir() if kept.suffix or kept.name in gone))

    def documents(self) -> frozenset[str]:
        """Ids of the documents whose files are kept. Raises `StoreError`."""
        with _told(self._folder):
            return frozenset(folder.name for folder in self._folders() if any(folder.iterdir()))

    def remove_others(self, document_id: str, keep_hash: str) -> None:
        """Remove the files of a document's earlier versions. Raises `StoreError`."""
        folder = self._of(document_id)
        with _told(self._folder):
            self._reached("originals: before removing replaced files")
            if folder.exists():
                self._remove(*_others(folder, {keep_hash}))
        self._reached("originals: after removing replaced files")

    def size_bytes(self) -> int:
        """Bytes kept in all."""
        return sum(file.stat().st_size for file in self._folder.rglob("*") if file.is_file())

    def _of(self, document_id: str) -> Path:
        return self._folder / _plain(document_id)

    def _folders(self) -> list[Path]:
        """One per document. Files beside them (`.DS_Store`) are not ours."""
        return [path for path in self._folder.iterdir() if path.is_dir()] if self._folder.exists() else []

    def _catch_up(self) -> None:
        try:
            while self._put_off:
                self._put_off.pop().unlink(missing_ok=True)
        except OSError as error:
            logger.warning("replaced files stay until the next opening: %s", error)

    def _remove(self, *files: Path) -> None:
        with self._lock:
            if self._holders:
                self._put_off.update(files)
                return
            for file in files:
                file.unlink(missing_ok=True)


def _plain(name: str) -> str:
    if not name or name in (".", "..") or Path(name).name != name:
        raise StoreDamagedError(f"The catalogue names a kept file {name!r}, which would lead elsewhere.")
    return name


@contextmanager
def _told(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(
            f"{error.filename or folder}: cannot be removed ({error.strerror or error}). Check permissions; "
            "what is left there goes at the next opening."
        ) from error


def _others(folder: Path, wanted: Collection[str]) -> list[Path]:
    return [file for file in folder.iterdir() if file.name not in wanted]


def _remove_tree(folder: Path) -> None:
    """Remove a folder and what is in it; a clean-up in another thread may take the same files."""
    if folder.is_dir():
        shutil.rmtree(folder, onerror=_unless_gone)
    else:
        folder.unlink(missing_ok=True)


def _unless_gone(
    _: object, __: str, failure: tuple[type[BaseException], BaseException, TracebackType]
) -> None:
    if not isinstance(failure[1], FileNotFoundError):
        raise failure[1]
