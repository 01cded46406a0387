"""One owner per storage folder: whoever opens it first, until it is closed or its process ends, however.

    <folder>/.owner         locked by the owner; the system gives the lock back when a process dies
    <folder>/.owner.json    who that is, for the message to whoever comes second

Two processes on one folder would miss each other's documents and show what the other deleted: Chroma, the
keyword index and what is visible are held in memory.
"""

from __future__ import annotations

import json
import os
import shlex
import socket
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout

from prism.errors import StoreBusyError, StoreError

LOCK_FILE = ".owner"
WHO_FILE = ".owner.json"


@dataclass(frozen=True, slots=True)
class Owner:
    """The process at work on a folder. `started_at` is when it opened the folder, ISO 8601 in UTC."""

    pid: int
    host: str
    command: str
    started_at: str


class Ownership:
    """The lock on a storage folder. Never waits."""

    def __init__(self, folder: Path) -> None:
        """Take the folder.

        Raises:
            StoreBusyError: it has an owner; the message says who, and what to do.
            StoreError: the folder cannot be written.
        """
        self._who = folder / WHO_FILE
        self._lock = FileLock(folder / LOCK_FILE)
        try:
            self._lock.acquire(blocking=False)
        except Timeout:
            raise StoreBusyError(_refusal(folder, _read(self._who))) from None
        except (OSError, NotImplementedError) as error:
            raise StoreError(
                f"{folder}: the folder cannot be locked ({error}). Check that you may write there and that "
                "its file system has locks, or choose another with --storage."
            ) from error
        try:
            _write(self._who, _this_process())
        except OSError as error:
            self._lock.release()
            raise StoreError(
                f"{self._who}: cannot be written ({error.strerror or error}). Check the folder's permissions "
                "and free space, or choose another with --storage."
            ) from error

    def release(self) -> None:
        """Give the folder back. Doing so again changes nothing."""
        if self._lock.is_locked:
            with suppress(OSError):  # What stays there names a process without the lock, so nobody reads it.
                self._who.unlink(missing_ok=True)
            self._lock.release()


def _this_process() -> Owner:
    program = Path(sys.argv[0]).name if sys.argv else "python"
    command = shlex.join((program, *sys.argv[1:])) if program == "prism" else program
    return Owner(os.getpid(), socket.gethostname(), command, datetime.now(UTC).isoformat(timespec="seconds"))


def _write(file: Path, owner: Owner) -> None:
    draft = file.with_name(f"{file.name}.new")
    draft.write_text(json.dumps(asdict(owner)), encoding="utf-8")
    draft.replace(file)


def _read(file: Path) -> Owner | None:
    """Who the file names; None when it is missing, unreadable or half written."""
    try:
        return Owner(**json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def _refusal(folder: Path, owner: Owner | None) -> str:
    elsewhere = "or choose another folder with --storage DIR (storage.path)."
    if owner is None:
        return f"{folder}: in use by another process. Stop it, {elsewhere}"
    if owner.pid == os.getpid() and owner.host == socket.gethostname():
        return (
            f"{folder}: this program has it open already (since {owner.started_at}). Close that Prism first, "
            f"use its with_settings(...) for other settings, {elsewhere}"
        )
    place = "" if owner.host == socket.gethostname() else f" on {owner.host}"
    return (
        f"{folder}: in use by process {owner.pid}{place} ({owner.command}, since {owner.started_at}). "
        f"Stop it, {elsewhere}"
    )
