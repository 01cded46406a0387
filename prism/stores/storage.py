"""A storage folder: the catalogue, the files kept, and per workspace what is visible.

<folder>/catalogue.sqlite    the record (and its -wal, -shm)
<folder>/originals/          files as they came
<folder>/vectors/            Chroma, a projection
<folder>/keywords/           BM25, a projection, one folder per workspace
<folder>/tokens/             token vectors, a projection, one folder per workspace
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Collection
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from prism.errors import StoreError, StoreMismatchError, UsageError
from prism.settings import Settings, is_workspace
from prism.stores.active import ActiveSet
from prism.stores.backup import read_backup, write_backup
from prism.stores.boundary import Reached, unwatched
from prism.stores.catalogue import Catalogue
from prism.stores.database import Database
from prism.stores.history import History
from prism.stores.jobs import Jobs
from prism.stores.originals import Originals
from prism.stores.owner import Ownership
from prism.stores.projections import Projections
from prism.stores.record import RESTORING, check_record, note_backup, way_back
from prism.stores.record_faults import RecordFault, record_faults
from prism.text.tokens import TOKENIZER_VERSION

logger = logging.getLogger(__name__)

CATALOGUE_FILE = "catalogue.sqlite"


class Storage:
    """The record, the files kept and the projections of one folder. Safe for many threads."""

    def __init__(self, settings: Settings, reached: Reached = unwatched) -> None:
        """`reached` is told every boundary of every store (`boundary.py`)."""
        # Whatever folder the program may change to later.
        self.folder = settings.storage.path.absolute()
        self._reached = reached
        self.ingest_lock = threading.Lock()
        """Held by whoever builds, rebuilds or restores: one at a time."""
        self._backup_lock = threading.Lock()
        _make(self.folder)
        # The lock comes first: what looks like a dead process's leftovers may be another's work under way.
        self._ownership = Ownership(self.folder)
        with ExitStack() as undo:
            undo.callback(self._ownership.release)
            check_record(self.folder / CATALOGUE_FILE)
            self._database = Database(self.folder / CATALOGUE_FILE, reached)
            undo.callback(self._database.close)
            self.catalogue = Catalogue(self._database)
            self.history = History(self._database)
            self.jobs = Jobs(self._database)
            self.originals = Originals(self.folder / "originals", reached)
            self.projections = Projections(
                self.folder, settings, self.catalogue, reached, check_open=self._database.read
            )
            self._mend()
            undo.pop_all()

    def active(self, workspace: str) -> ActiveSet:
        """What is visible in a workspace, opened on first use."""
        return self.projections.active(workspace)

    def keep_tokens(self, recipe: str | None) -> None:
        """From now on token vectors of this recipe are kept (`Projections.keep_tokens`)."""
        self.projections.keep_tokens(recipe)

    def record_faults(self) -> list[RecordFault]:
        """What is wrong within the catalogue. Raises `StoreDamagedError` where it cannot even be read."""
        return record_faults(self._database.read())

    def check_models(self, embedder: str) -> None:
        """Hold the index to the models it was built with, if it was built.

        Raises:
            StoreMismatchError: the vectors or the keyword tokens come from another model or version.
        """
        changed = self._changed(embedder)
        if changed:
            raise StoreMismatchError(
                f"{self.folder}: the index was built with other models ({'; '.join(changed)}), and "
                "mixing them would give wrong answers. Run 'prism doctor --rebuild', or go back to the "
                "earlier setting."
            )

    def models_match(self, embedder: str) -> bool:
        """Whether the index was built with this embedder and this tokenizer, or is still empty."""
        return not self._changed(embedder)

    def note_models(self, embedder: str) -> None:
        """Record the models, for a new index or after a rebuild."""
        if any(self.catalogue.meta(key) != value for key, value in _models_now(embedder).items()):
            self.catalogue.set_meta(_models_now(embedder))

    def note_dimension(self, dimension: int) -> None:
        """Record the length of the vectors; another length is refused where they are stored."""
        if self.catalogue.meta("dimension") != str(dimension):
            self.catalogue.set_meta({"dimension": str(dimension)})

    def _changed(self, embedder: str) -> list[str]:
        kept = {key: (self.catalogue.meta(key), value) for key, value in _models_now(embedder).items()}
        return [
            f"{key} was {was!r} and is {value!r}"
            for key, (was, value) in kept.items()
            if was not in (None, value)
        ]

    def purge(self, workspace: str, document_id: str) -> None:
        """Remove a document and all that was derived from it, its files too. Raises `StoreError`."""
        try:
            self.active(workspace).purge(document_id)
        finally:
            self._remove_purged()

    def remove_leftovers(self) -> None:
        """Remove the files of what was purged or replaced. Raises `StoreError`."""
        self._remove_purged()
        self.originals.remove_replaced(self.catalogue.originals_replaced())

    def unknown_originals(self) -> frozenset[str]:
        """Ids of documents whose files are kept, and of which the catalogue knows nothing: it may have lost
        its last changes. Raises `StoreError`."""
        known = self.catalogue.originals_wanted().keys() | self.catalogue.originals_replaced().keys()
        return self.originals.documents() - known - frozenset(self.catalogue.purged())

    def backup(self, target: Path) -> Path:
        """Write record and files to one archive. Raises `UsageError`, `StoreError`."""
        with self._backup_lock:
            archive = write_backup(self._database, self.originals, target, self._reached)
        note_backup(self.folder, archive)
        return archive

    def restore(self, archive: Path) -> None:
        """Take over an archive; the projections are to be rebuilt afterwards.

        Raises:
            UsageError: this folder holds documents already, or the file is no backup.
        """
        if self.catalogue.workspaces():
            raise UsageError(
                f"{self.folder}: holds documents already. Restore into an empty folder (--storage DIR)."
            )
        # Taken over with the rest by the record in the archive; until then it tells whose files those are.
        self.catalogue.set_meta({RESTORING: str(archive)})
        try:
            read_backup(self._database, self.folder / "originals", archive, self._reached)
        except Exception:
            self._undo_restore()
            raise
        self._mend()

    def size_bytes(self) -> dict[str, int]:
        """Bytes on disk per part."""
        parts = {
            "catalogue": f"{CATALOGUE_FILE}*",
            "originals": "originals",
            "vectors": "vectors",
            "keywords": "keywords",
            "tokens": "tokens",
        }
        return {name: sum(map(_tree_bytes, self.folder.glob(pattern))) for name, pattern in parts.items()}

    def close(self) -> None:
        """Let go of every file. A process that was forked from the owner has none to let go of."""
        if not self._ownership.is_ours:
            return
        with ExitStack() as closing:
            closing.callback(self._ownership.release)
            closing.callback(self._database.close)
            closing.callback(self.projections.close)

    def _mend(self) -> None:
        """Put in order what a process that died in the middle left behind."""
        self.catalogue.interrupt_builds()
        self.jobs.interrupt_left()
        # Refused where it cannot even be read.
        self.originals.documents()
        try:
            self._undo_restore()
            self.remove_leftovers()
        except StoreError as error:
            # Nobody sees them: no reason to refuse questions. The doctor names them.
            logger.warning("what was replaced or purged stays on the disk for now: %s", error)
        if unknown := self.unknown_originals():
            logger.warning(
                "%s: %d documents are kept there of which the catalogue knows nothing: it may have lost its "
                "last changes. %s",
                self.folder / "originals",
                len(unknown),
                way_back(self.folder),
            )
        folders = [path for name in ("keywords", "tokens") for path in (self.folder / name).glob("*/")]
        indexed = {path.name for path in folders if is_workspace(path.name)}
        # Nobody will open a workspace of which the last document was purged.
        if emptied := indexed.difference(self.catalogue.workspaces()):
            # The doctor may come after it, for whom files are to be read whole.
            self.projections.reads_all = True
            self.projections.drop(emptied)
            self.projections.reads_all = False

    def _undo_restore(self) -> None:
        """Remove the files of a restore cut short: their record is not there. Raises `StoreError`."""
        if self.catalogue.meta(RESTORING) is not None:
            for document_id in self.originals.documents() - self.catalogue.originals_wanted().keys():
                self.originals.remove_document(document_id)
            self.catalogue.drop_meta(RESTORING)

    def _wanted(self, document_id: str) -> Collection[str]:
        return self.catalogue.originals_wanted().get(document_id, frozenset())

    def _remove_purged(self) -> None:
        if purged := self.catalogue.purged():
            for document_id in purged:
                # Since then it may have been ingested again.
                self.originals.remove_document(document_id, unless=partial(self._wanted, document_id))
            self.catalogue.forget_purged(purged)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"{folder}: cannot create the storage folder ({error.strerror}). Choose another with --storage."
        ) from error


def _models_now(embedder: str) -> dict[str, str]:
    return {"embedder": embedder, "tokenizer": TOKENIZER_VERSION}


def _tree_bytes(path: Path) -> int:
    files = [path] if path.is_file() else path.rglob("*")
    return sum(file.stat().st_size for file in files if file.is_file())
