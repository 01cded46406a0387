"""One SQLite file, safe for many threads: a connection per thread, writes one at a time, WAL."""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn
from weakref import WeakSet

from prism.errors import StoreBusyError, StoreDamagedError, StoreError
from prism.stores.boundary import Reached, unwatched
from prism.stores.migrate import check_sound, migrate
from prism.stores.record import way_back

BUSY_TIMEOUT_S = 30.0
VALUES_PER_STATEMENT = 500

logger = logging.getLogger(__name__)


class _ThreadConnection:
    """A thread's connection; closed when the thread ends and its thread-local values go."""

    def __init__(self, connection: _Connection) -> None:
        self.connection = connection

    def __del__(self) -> None:
        self.connection.close()


class Database:
    """Opens (and migrates) the catalogue file.

    Raises:
        StoreDamagedError: the file is not a readable SQLite database.
        StoreError: the folder cannot be written, or the file was made by a newer Prism.
    """

    def __init__(self, file: Path, reached: Reached = unwatched) -> None:
        self.file = file
        self._reached = reached
        self._write_lock = threading.RLock()
        self._is_closed = False
        self._pid = os.getpid()
        self._local = threading.local()
        self._connections: WeakSet[_ThreadConnection] = WeakSet()
        self._connections_lock = threading.Lock()
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            migrate(file, self.read(), reached)
        except StoreError:
            self.close()
            raise
        except (sqlite3.Error, OSError) as error:
            self.close()
            raise _told(file, error) from error

    def read(self) -> sqlite3.Connection:
        """This thread's connection, for reading.

        Raises:
            StoreError: closed.
            StoreBusyError: this process was forked from the one that owns the folder.
        """
        if os.getpid() != self._pid:
            raise StoreBusyError(
                f"{self.file.parent}: opened by process {self._pid}, from which this one was forked. Open "
                "Prism after forking, in one process, and let the others ask that one."
            )
        if self._is_closed:
            raise StoreError(_closed(self.file))
        held: _ThreadConnection | None = getattr(self._local, "held", None)
        if held is None:
            held = _ThreadConnection(self._connect())
            self._local.held = held
            with self._connections_lock:
                self._connections.add(held)
        return held.connection

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """One transaction: committed at the end of the block, rolled back if it raises.

        Raises:
            StoreError: the disk is full, or the file cannot be written; nothing was changed.
            StoreDamagedError: the file is damaged.
        """
        with self._write_lock:
            connection = self.read()
            try:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
                self._reached("catalogue: before commit")
                connection.execute("COMMIT")
            except BaseException as error:
                # A full disk makes SQLite roll back by itself.
                with suppress(sqlite3.ProgrammingError):  # Closed meanwhile, which rolls back, too.
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
                if isinstance(error, sqlite3.OperationalError) or type(error) is sqlite3.DatabaseError:
                    raise _told(self.file, error) from error
                raise
            self._reached("catalogue: after commit")

    def copy_to(self, file: Path) -> None:
        """A consistent copy, while others read and write."""
        copy = sqlite3.connect(file)
        try:
            self.read().backup(copy)
            # One plain file, without a log beside it.
            copy.execute("PRAGMA journal_mode = DELETE").fetchall()
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
            check_sound(file, source)
            with self._write_lock:
                self._reached("catalogue: before replacement")
                source.backup(self.read())
                self._reached("catalogue: after replacement")
                migrate(self.file, self.read(), self._reached)
        finally:
            source.close()

    def shrink_log(self) -> None:
        """Move the write-ahead log into the file and empty it, so that nothing deleted is left in it."""
        with self._write_lock:
            busy = self.read().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        if busy:
            logger.warning(
                "%s: another program reads it, so that what was deleted stays in its log until that ends and "
                "Prism is closed",
                self.file,
            )

    def remove_older_copies(self) -> None:
        """Remove the copies that migrations made: they hold what is purged since.

        Raises:
            StoreError: one cannot be removed.
        """
        for copy in self.file.parent.glob(f"{self.file.stem}.format*.backup*"):
            try:
                copy.unlink(missing_ok=True)
            except OSError as error:
                raise StoreError(
                    f"{copy}: cannot be removed ({error.strerror}) and may hold what was purged. Remove it."
                ) from error

    def close(self) -> None:
        """Close every thread's connection."""
        self._is_closed = True
        with self._connections_lock:
            for held in list(self._connections):
                # Closing a connection that another thread is inside of would end the process.
                with held.connection.lock:
                    held.connection.close()
            self._connections.clear()
        self._local = threading.local()

    def _connect(self) -> _Connection:
        connection = sqlite3.connect(
            self.file,
            timeout=BUSY_TIMEOUT_S,
            isolation_level=None,
            check_same_thread=False,
            factory=_Connection,
        )
        connection.file = self.file
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        # What is purged is overwritten with zeros, not left in unused pages of the file.
        connection.execute("PRAGMA secure_delete = ON")
        return connection


class _Cursor(sqlite3.Cursor):
    """Reads that fail because of the file, not of the statement, fail in our words."""

    connection: _Connection

    def execute(self, statement: str, parameters: Any = (), /) -> _Cursor:
        with self._guarded():
            super().execute(statement, parameters)
        return self

    def executemany(self, statement: str, parameters: Any, /) -> _Cursor:
        with self._guarded():
            super().executemany(statement, parameters)
        return self

    def fetchone(self) -> Any:
        with self._guarded():
            return super().fetchone()

    def fetchall(self) -> list[Any]:
        with self._guarded():
            return super().fetchall()

    def __next__(self) -> Any:
        with self._guarded():
            return super().__next__()

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            with self.connection.lock:
                yield
        except sqlite3.DatabaseError as error:
            self._raise(error)

    def _raise(self, error: sqlite3.DatabaseError) -> NoReturn:
        if isinstance(error, sqlite3.ProgrammingError) and "closed" in str(error):
            raise StoreError(_closed(self.connection.file)) from error
        if not hasattr(error, "sqlite_errorcode") and isinstance(error, sqlite3.OperationalError):
            # Text that is no UTF-8 fails in Python, not in SQLite, and so without a code.
            raise StoreDamagedError(_damaged(self.connection.file, error)) from error
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGE:
            raise _told(self.connection.file, error) from error
        raise error


class _Connection(sqlite3.Connection):
    """A connection whose reads are guarded; `file` is what messages name, `lock` is held within each call."""

    file: Path

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.lock = threading.RLock()

    def execute(self, statement: str, parameters: Any = (), /) -> _Cursor:
        return self._cursor().execute(statement, parameters)

    def executemany(self, statement: str, parameters: Any, /) -> _Cursor:
        return self._cursor().executemany(statement, parameters)

    def _cursor(self) -> _Cursor:
        try:
            return self.cursor(_Cursor)
        except sqlite3.ProgrammingError as error:
            raise StoreError(_closed(self.file)) from error


_DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_IOERR}


def _told(file: Path, error: BaseException) -> StoreError:
    """A failure of the file in our words."""
    reason = error.strerror or error if isinstance(error, OSError) else error
    if isinstance(error, sqlite3.OperationalError | OSError):
        return StoreError(
            f"{file}: cannot be used ({reason}); nothing was changed. Check free space and permissions, then "
            "try again, or choose another folder with --storage."
        )
    return StoreDamagedError(_damaged(file, reason))


def _closed(file: Path) -> str:
    return f"{file.parent}: this storage folder was closed. Open it again."


def _damaged(file: Path, reason: object) -> str:
    return f"{file}: the catalogue is damaged ({reason}). {way_back(file.parent)}"


def in_batches(values: Iterable[str]) -> Iterator[list[str]]:
    """Distinct values in lists that fit the variables of one statement."""
    unique = list(dict.fromkeys(values))
    for first in range(0, len(unique), VALUES_PER_STATEMENT):
        yield unique[first : first + VALUES_PER_STATEMENT]
