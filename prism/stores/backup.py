"""Backup and restore: the record and the files kept, in one zip; projections are made anew.

catalogue.sqlite     a consistent copy, taken while the program runs
originals/…          the files as they came
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
import zipfile
from pathlib import Path, PurePosixPath

from prism.errors import StoreError, UsageError
from prism.stores.database import Database

CATALOGUE = "catalogue.sqlite"
ORIGINALS = "originals"


def write_backup(database: Database, originals: Path, target: Path) -> Path:
    """Write the archive, whole or not at all; an existing file is never overwritten.

    Raises:
        UsageError: the file exists.
        StoreError: it cannot be written.
    """
    if target.exists():
        raise UsageError(f"{target}: exists already; choose another name for the backup.")
    partial = target.with_name(f"{target.name}.partial")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / CATALOGUE
            database.copy_to(copy)
            with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.write(copy, CATALOGUE)
                for file in sorted(path for path in originals.rglob("*") if path.is_file()):
                    archive.write(file, f"{ORIGINALS}/{file.relative_to(originals).as_posix()}")
        partial.replace(target)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise StoreError(f"{target}: the backup could not be written ({error.strerror}).") from error
    return target


def read_backup(database: Database, originals: Path, archive_file: Path) -> None:
    """Bring an archive into an empty catalogue.

    Raises:
        UsageError: the file is not a backup of Prism.
        StoreError: the catalogue in it is damaged, or made by a newer Prism.
    """
    if not zipfile.is_zipfile(archive_file):
        raise UsageError(f"{archive_file}: not a backup of Prism. Give a file that 'prism backup' wrote.")
    with zipfile.ZipFile(archive_file) as archive, tempfile.TemporaryDirectory() as folder:
        names = archive.namelist()
        if CATALOGUE not in names:
            raise UsageError(f"{archive_file}: holds no {CATALOGUE}, so it is not a backup of Prism.")
        archive.extract(CATALOGUE, folder)
        try:
            database.replace_with(Path(folder) / CATALOGUE)
        except sqlite3.DatabaseError as error:
            raise StoreError(
                f"{archive_file}: its catalogue is damaged ({error}). Try another backup."
            ) from error
        for name in names:
            parts = PurePosixPath(name).parts
            if len(parts) == 3 and parts[0] == ORIGINALS and ".." not in parts:
                kept = originals / parts[1] / parts[2]
                kept.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(name) as packed, kept.open("wb") as unpacked:
                    shutil.copyfileobj(packed, unpacked)
