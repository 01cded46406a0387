"""Is the record there? A folder whose catalogue is gone must not quietly become a new, empty one.

<folder>/last_backup.json    where the last archive was written: a broken catalogue cannot say
"""

from __future__ import annotations

import json
import logging
import shlex
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from prism.errors import StoreDamagedError

logger = logging.getLogger(__name__)

LAST_BACKUP_FILE = "last_backup.json"

PURGED = "purged:"
"""Begins a key of the catalogue's `meta`: this document was purged, its files may still be there."""

RESTORING = "restoring"
"""A key of `meta`: files are being unpacked, the record they belong to is not there yet."""


def check_record(catalogue: Path) -> None:
    """Refuse to begin a new catalogue where there was one.

    Raises:
        StoreDamagedError: the catalogue is missing or holds nothing, and what belongs to it is there.
    """
    folder = catalogue.parent
    left = [name for name in ("originals", "keywords") if _holds_files(folder / name)]
    if not left:
        return
    if not catalogue.exists():
        state = "is missing"
    elif not catalogue.stat().st_size:
        state = "is empty"
    elif "originals" in left and _knows_nothing(catalogue):
        state = f"knows no document (was {catalogue.name}-wal lost?)"
    else:
        return
    raise StoreDamagedError(
        f"{catalogue}: the catalogue {state}, but {left[0]}/ is there. {way_back(folder)}"
    )


def way_back(folder: Path) -> str:
    """What to do about a lost or broken catalogue: which backup to restore, and how."""
    elsewhere = "prism --storage NEW_FOLDER restore"
    for archive in _archives(folder):
        return f"Restore the newest backup into another folder: {elsewhere} {shlex.quote(str(archive))}"
    copies = sorted(folder.glob("catalogue.format*.backup"), key=lambda copy: copy.stat().st_mtime)
    if copies:
        return f"Put {copies[-1].name}, the copy of the last migration, in its place (keep the broken file)."
    return (
        f"No backup was found. If you have an archive: {elsewhere} FILE. Otherwise ingest the files again "
        f"into another folder; {folder / 'originals'} holds them as they came."
    )


def note_backup(folder: Path, archive: Path) -> None:
    """Remember where an archive was written, whole or not at all. The archive is good without it."""
    draft = folder / f"{LAST_BACKUP_FILE}.new"
    try:
        draft.write_text(json.dumps({"archive": str(archive.resolve())}), encoding="utf-8")
        draft.replace(folder / LAST_BACKUP_FILE)
    except OSError as error:
        logger.warning("%s: where the backup is could not be noted: %s", folder, error)


def _knows_nothing(catalogue: Path) -> bool:
    """Whether a catalogue has no document, and no reason to have none: the last was purged, or a restore was
    cut short. Only reads, so that a damaged log is left as it is."""
    try:
        with closing(sqlite3.connect(f"{catalogue.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            if not connection.execute("PRAGMA user_version").fetchone()[0]:
                return True
            known = connection.execute(
                "SELECT EXISTS (SELECT 1 FROM documents) OR EXISTS "
                "(SELECT 1 FROM meta WHERE key = ? OR substr(key, 1, length(?)) = ?)",
                (RESTORING, PURGED, PURGED),
            ).fetchone()[0]
    except sqlite3.Error:
        return False  # Whoever opens it says what is wrong with it.
    return not known


def _archives(folder: Path) -> Iterator[Path]:
    try:
        archive = Path(json.loads((folder / LAST_BACKUP_FILE).read_text(encoding="utf-8"))["archive"])
    except (OSError, ValueError, KeyError, TypeError):
        return  # Nothing noted, or what was noted cannot be read: there is no archive to name.
    if archive.is_file():
        yield archive


def _holds_files(folder: Path) -> bool:
    return any(path.is_file() for path in folder.rglob("*"))
