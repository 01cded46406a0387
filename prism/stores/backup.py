"""Backup and restore: the record and the files kept, in one zip; projections are made anew.

catalogue.sqlite     a consistent copy, taken while the program runs
originals/…          the files as they came
"""

from __future__ import annotations

import logging
import lzma
import os
import re
import shutil
import sqlite3
import tempfile
import zipfile
import zlib
from contextlib import closing
from pathlib import Path

from prism.errors import StoreDamagedError, StoreError, UsageError
from prism.stores.boundary import Reached, unwatched
from prism.stores.catalogue import originals_wanted
from prism.stores.database import Database
from prism.stores.migrate import check_sound
from prism.stores.originals import Originals

CATALOGUE = "catalogue.sqlite"
ORIGINALS = "originals"

logger = logging.getLogger(__name__)

_BROKEN_ARCHIVE = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, sqlite3.Error, StoreDamagedError),
    # What `zipfile` says of an archive with a password, and of a way of packing it does not know.
    *(RuntimeError, NotImplementedError),
)

_KEPT_FILE = re.compile(rf"{ORIGINALS}/([0-9a-f]+)/([0-9a-f]+)")
"""Document id and content hash. Any other name in an archive (one that climbs out, say) is left alone."""


def write_backup(
    database: Database, originals: Originals, target: Path, reached: Reached = unwatched
) -> Path:
    """Write the archive, whole or not at all; an existing file is never overwritten. One at a time.

    The record is copied as it is at one moment, then the files that this record speaks of; what is replaced
    meanwhile stays until they are copied. What is purged meanwhile goes at once: its file may be missing
    from the archive, which 'prism doctor' then says of the folder restored from it.

    Raises:
        UsageError: the file exists.
        StoreDamagedError: the record is damaged, and an archive of it would help nobody.
        StoreError: it cannot be written.
    """
    if target.exists():
        raise UsageError(f"{target}: exists already; choose another name for the backup.")
    # Beside the archive, so that it can be moved into its place.
    unfinished = target.with_name(f".{target.name}.unfinished")
    copy, partial = unfinished / CATALOGUE, unfinished / "archive.zip"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        # A killed backup may have left it.
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir()
        with originals.held():
            database.copy_to(copy)
            with closing(sqlite3.connect(copy)) as copied:
                check_sound(copy, copied)
            reached("backup: after copying the record")
            with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.write(copy, CATALOGUE)
                _pack_originals(archive, originals, copy, reached)
        with partial.open("rb+") as written:
            os.fsync(written.fileno())
        reached("backup: before keeping the archive")
        partial.replace(target)
        reached("backup: after keeping the archive")
    except (OSError, sqlite3.OperationalError) as error:
        raise StoreError(
            f"{target}: the backup could not be written ({error}). Check free space and permissions."
        ) from error
    except (sqlite3.DatabaseError, StoreDamagedError) as error:
        raise StoreDamagedError(
            f"{database.file}: not backed up, as it is damaged ({error}). 'prism doctor' says more."
        ) from error
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return target


def _pack_originals(archive: zipfile.ZipFile, originals: Originals, record: Path, reached: Reached) -> None:
    with closing(sqlite3.connect(record)) as connection:
        wanted = originals_wanted(connection)
    for document_id, hashes in sorted(wanted.items()):
        for content_hash in sorted(hashes):
            kept = originals.path(document_id, content_hash)
            try:
                archive.write(kept, f"{ORIGINALS}/{document_id}/{content_hash}")
            except FileNotFoundError:  # Lost, purged meanwhile, or not kept yet by a build under way.
                logger.warning("%s: not there, and so not in the backup; 'prism doctor' says more", kept)
            reached("backup: after packing a file")


def read_backup(
    database: Database, originals: Path, archive_file: Path, reached: Reached = unwatched
) -> None:
    """Bring an archive into an empty catalogue: the files first, then the record in one commit.

    Raises:
        UsageError: the file is not a backup of Prism.
        StoreError: something in it is damaged, or it was made by a newer Prism; the record is as before.
    """
    if not archive_file.exists():
        raise UsageError(f"{archive_file}: there is no such file. Give one that 'prism backup' wrote.")
    if not archive_file.is_file() or not zipfile.is_zipfile(archive_file):
        raise UsageError(
            f"{archive_file}: not a backup of Prism, or cut short. Give a file that 'prism backup' wrote."
        )
    try:
        with zipfile.ZipFile(archive_file) as archive, tempfile.TemporaryDirectory() as folder:
            if CATALOGUE not in archive.namelist():
                raise UsageError(f"{archive_file}: holds no {CATALOGUE}, so it is not a backup of Prism.")
            if broken := archive.testzip():
                raise StoreDamagedError(f"{broken} cannot be read")
            archive.extract(CATALOGUE, folder)
            _unpack_originals(archive, originals, reached)
            database.replace_with(Path(folder) / CATALOGUE)
    except _BROKEN_ARCHIVE as error:
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
