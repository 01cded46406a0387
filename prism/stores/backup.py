"""Backup and restore: the record and the files kept, in one zip; projections are made anew.

catalogue.sqlite     a consistent copy, taken while the program runs
originals/…          the files as they came
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import tempfile
import zipfile
import zlib
from contextlib import closing, suppress
from pathlib import Path

from prism.errors import StoreDamagedError, StoreError, UsageError
from prism.stores.boundary import Reached, unwatched
from prism.stores.catalogue import originals_wanted
from prism.stores.database import Database
from prism.stores.originals import Originals

CATALOGUE = "catalogue.sqlite"
ORIGINALS = "originals"

_KEPT_FILE = re.compile(rf"{ORIGINALS}/([0-9a-f]+)/([0-9a-f]+)")
"""Document id and content hash. Any other name in an archive (one that climbs out, say) is left alone."""


def write_backup(
    database: Database, originals: Originals, target: Path, reached: Reached = unwatched
) -> Path:
    """Write the archive, whole or not at all; an existing file is never overwritten.

    The record is copied as it is at one moment, then the files that this record speaks of; what is replaced
    meanwhile stays until they are copied. What is purged meanwhile goes at once: its file may be missing
    from the archive, which 'prism doctor' then says of the folder restored from it.

    Raises:
        UsageError: the file exists.
        StoreError: it cannot be written.
    """
    if target.exists():
        raise UsageError(f"{target}: exists already; choose another name for the backup.")
    partial = target.with_name(f"{target.name}.partial")
    copy = target.with_name(f"{target.name}.catalogue")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        copy.unlink(missing_ok=True)
        with originals.held():
            database.copy_to(copy)
            reached("backup: after copying the record")
            with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.write(copy, CATALOGUE)
                _pack_originals(archive, originals, copy, reached)
        with partial.open("rb+") as written:
            os.fsync(written.fileno())
        reached("backup: before keeping the archive")
        partial.replace(target)
        reached("backup: after keeping the archive")
    except (OSError, sqlite3.Error) as error:
        raise StoreError(
            f"{target}: the backup could not be written ({error}). Check free space and permissions."
        ) from error
    finally:
        for leftover in (copy, partial):
            with suppress(OSError):  # Where it cannot be removed, the next backup of that name overwrites it.
                leftover.unlink(missing_ok=True)
    return target


def _pack_originals(archive: zipfile.ZipFile, originals: Originals, record: Path, reached: Reached) -> None:
    with closing(sqlite3.connect(record)) as connection:
        wanted = originals_wanted(connection)
    for document_id, hashes in sorted(wanted.items()):
        for content_hash in sorted(hashes):
            kept = originals.path(document_id, content_hash)
            with suppress(FileNotFoundError):  # Purged meanwhile, or not kept yet by a build under way.
                archive.write(kept, f"{ORIGINALS}/{document_id}/{content_hash}")
            reached("backup: after packing a file")


def read_backup(
    database: Database, originals: Path, archive_file: Path, reached: Reached = unwatched
) -> None:
    """Bring an archive into an empty catalogue: the files first, then the record in one commit.

    Raises:
        UsageError: the file is not a backup of Prism.
        StoreError: something in it is damaged, or it was made by a newer Prism; the record is as before.
    """
    if not zipfile.is_zipfile(archive_file):
        raise UsageError(f"{archive_file}: not a backup of Prism. Give a file that 'prism backup' wrote.")
    try:
        with zipfile.ZipFile(archive_file) as archive, tempfile.TemporaryDirectory() as folder:
            if CATALOGUE not in archive.namelist():
                raise UsageError(f"{archive_file}: holds no {CATALOGUE}, so it is not a backup of Prism.")
            if broken := archive.testzip():
                raise StoreDamagedError(f"{broken} cannot be read")
            archive.extract(CATALOGUE, folder)
            _unpack_originals(archive, originals, reached)
            database.replace_with(Path(folder) / CATALOGUE)
    except (zipfile.BadZipFile, zlib.error, EOFError, sqlite3.Error, StoreDamagedError) as error:
        raise StoreDamagedError(f"{archive_file}: damaged ({error}). Try another backup.") from error
    except OSError as error:
        raise StoreError(
            f"{archive_file}: could not be unpacked ({error}). Check free space and permissions."
        ) from error


def _unpack_originals(archive: zipfile.ZipFile, originals: Path, reached: Reached) -> None:
    for name in archive.namelist():
        if found := _KEPT_FILE.fullmatch(name):
            kept = originals / found[1] / found[2]
            kept.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(name) as packed, kept.open("wb") as unpacked:
                shutil.copyfileobj(packed, unpacked)
                unpacked.flush()
                os.fsync(unpacked.fileno())
            reached("restore: after unpacking a file")
