"""One SQLite file, safe for many threads: a connection per thread, writes one at a time, WAL."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from weakref import WeakSet

from prism.errors import StoreDamagedError, StoreError
from prism.stores.schema import FORMAT_VERSION, MIGRATIONS

BUSY_TIMEOUT_S = 30.0
VALUES_PER_STATEMENT = 500


class _ThreadConnection:
    """A thread's connection; closed when the thread ends and its thread-local values go."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def __del__(self) -> None:
        self.connection.close()


class Database:
    """Opens (and migrates) the catalogue file.

    Raises:
        StoreDamagedError: the file is not a readable SQLite database.
        StoreError: the folder cannot be written, or the file was made by a newer Prism.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self._write_lock = threading.RLock()
        self._is_closed = False
        self._local = threading.local()
        self._connections: WeakSet[_ThreadConnection] = WeakSet()
        self._connections_lock = threading.Lock()
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            self._migrate()
        except StoreError:
            self.close()
            raise
        except sqlite3.DatabaseError as error:
            self.close()
            if isinstance(error, sqlite3.OperationalError):
                raise StoreError(
                    f"{file}: cannot open the catalogue ({error}). Check the folder's permissions and free "
                    "space, or choose another with --storage."
                ) from error
            raise StoreDamagedError(
                f"{file}: the catalogue is not a readable SQLite file ({error}). Restore a backup beside it "
                "(*.backup), or choose another folder with --storage."
            ) from error
        except OSError as error:
            raise StoreError(
                f"{file.parent}: cannot create the storage folder ({error.strerror}). "
                "Choose another with --storage."
            ) from error

    def read(self) -> sqlite3.Connection:
        """This thread's connection, for reading. Raises `StoreError` once closed."""
        if self._is_closed:
            raise StoreError(f"{self.file.parent}: this storage folder was closed. Open it again.")
        held: _ThreadConnection | None = getattr(self._local, "held", None)
        if held is None:
            held = _ThreadConnection(self._connect())
            self._local.held = held
            with self._connections_lock:
                self._connections.add(held)
        return held.connection

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """One transaction: committed at the end of the block, rolled back if it raises."""
        with self._write_lock:
            connection = self.read()
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                # A full disk makes SQLite roll back by itself.
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def copy_to(self, file: Path) -> None:
        """A consistent copy, while others read and write."""
        copy = sqlite3.connect(file)
        try:
            self.read().backup(copy)
        finally:
            copy.close()

    def replace_with(self, file: Path) -> None:
        """Take over the content of another catalogue file, brought up to date.

        Raises:
            StoreDamagedError: the file is not a sound catalogue; nothing was changed.
            StoreError: it was made by a newer Prism; nothing was changed.
        """
        source = sqlite3.connect(file)
        try:
            _check_sound(file, source)
            with self._write_lock:
                source.backup(self.read())
                self._migrate()
        finally:
            source.close()

    def shrink_log(self) -> None:
        """Move the write-ahead log into the file and empty it, so that nothing deleted is left in it."""
        with self._write_lock:
            self.read().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def close(self) -> None:
        """Close every thread's connection."""
        self._is_closed = True
        with self._connections_lock:
            for held in list(self._connections):
                held.connection.close()
            self._connections.clear()
        self._local = threading.local()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.file, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
        )
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        # What is purged is overwritten with zeros, not left in unused pages of the file.
        connection.execute("PRAGMA secure_delete = ON")
        return connection

    def _migrate(self) -> None:
        connection = self.read()
        found = _format_of(self.file, connection)
        if 0 < found < FORMAT_VERSION:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            shutil.copyfile(self.file, self.file.with_suffix(f".format{found}.backup"))
        for number, statements in enumerate(MIGRATIONS[found:], start=found + 1):
            connection.executescript(f"BEGIN; {statements}; PRAGMA user_version = {number}; COMMIT;")


def _format_of(file: Path, connection: sqlite3.Connection) -> int:
    """The catalogue's format, 0 when it is new. Raises `StoreError` when this Prism is too old for it."""
    found = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if found > FORMAT_VERSION:
        raise StoreError(
            f"{file}: made by a newer Prism (format {found}; this reads up to {FORMAT_VERSION}). "
            "Upgrade Prism, or choose another folder with --storage."
        )
    return found


def _check_sound(file: Path, connection: sqlite3.Connection) -> None:
    try:
        problem = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
        is_catalogue = _format_of(file, connection) > 0
    except sqlite3.DatabaseError as error:
        raise StoreDamagedError(f"{file.name}: not a readable SQLite file ({error}).") from error
    if problem != "ok":
        raise StoreDamagedError(f"{file.name}: damaged ({problem}).")
    if not is_catalogue:
        raise StoreDamagedError(f"{file.name}: not a catalogue of Prism.")


def in_batches(values: Iterable[str]) -> Iterator[list[str]]:
    """Distinct values in lists that fit the variables of one statement."""
    unique = list(dict.fromkeys(values))
    for first in range(0, len(unique), VALUES_PER_STATEMENT):
        yield unique[first : first + VALUES_PER_STATEMENT]
