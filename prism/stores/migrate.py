"""Bring a catalogue of an older format up to date, keeping a copy of it first."""

from __future__ import annotations

import os
import shutil
import sqlite3
from pathlib import Path

from prism.errors import StoreDamagedError, StoreError
from prism.settings import is_workspace
from prism.stores.boundary import Reached
from prism.stores.schema import FORMAT_VERSION, MIGRATIONS


def migrate(file: Path, connection: sqlite3.Connection, reached: Reached) -> None:
    """Apply the steps an older catalogue lacks, each in one commit, after copying the file beside it.

    Raises:
        StoreError: the file was made by a newer Prism.
        sqlite3.DatabaseError: it is not a readable SQLite file.
    """
    found = format_of(file, connection)
    if 0 < found < FORMAT_VERSION:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        _copy(file, file.with_suffix(f".format{found}.backup"), reached)
    for number, statements in enumerate(MIGRATIONS[found:], start=found + 1):
        reached("migration: before commit")
        connection.executescript(f"BEGIN; {statements}; PRAGMA user_version = {number}; COMMIT;")
        reached("migration: after commit")


def format_of(file: Path, connection: sqlite3.Connection) -> int:
    """The catalogue's format, 0 when it is new. Raises `StoreError` when this Prism is too old for it."""
    found = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if found > FORMAT_VERSION:
        raise StoreError(
            f"{file}: made by a newer Prism (format {found}; this reads up to {FORMAT_VERSION}). "
            "Upgrade Prism, or choose another folder with --storage."
        )
    return found


def check_sound(file: Path, connection: sqlite3.Connection) -> None:
    """Hold a file that is to become the catalogue to being one.

    Raises:
        StoreDamagedError: it is not a sound catalogue.
        StoreError: it was made by a newer Prism.
    """
    try:
        problem = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
        is_catalogue = format_of(file, connection) > 0
        named = connection.execute("SELECT DISTINCT workspace FROM documents") if is_catalogue else ()
        strange = [row[0] for row in named if not is_workspace(str(row[0]))]
    except sqlite3.DatabaseError as error:
        raise StoreDamagedError(f"{file.name}: not a readable SQLite file ({error}).") from error
    if problem != "ok":
        raise StoreDamagedError(f"{file.name}: damaged ({problem}).")
    if not is_catalogue:
        raise StoreDamagedError(f"{file.name}: not a catalogue of Prism.")
    if strange:
        # A workspace names a folder; this one would lead elsewhere.
        raise StoreDamagedError(f"{file.name}: {strange[0]!r} cannot name a workspace.")


def _copy(file: Path, target: Path, reached: Reached) -> None:
    """Copy whole or not at all: a half copy must not be taken for the backup it claims to be."""
    partial = target.with_name(f"{target.name}.partial")
    shutil.copyfile(file, partial)
    with partial.open("rb+") as copied:
        os.fsync(copied.fileno())
    reached("migration: before keeping the copy")
    partial.replace(target)
    reached("migration: after keeping the copy")
