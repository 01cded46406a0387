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
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout

from prism.errors import StoreBusyError, StoreError

LOCK_FILE = ".owner"
WHO_FILE = ".owner.json"

MAX_COMMAND_CHARS = 80


@dataclass(frozen=True, slots=True)
class Owner:
    """The process at work on a folder.

    `started_at` is when it opened the folder, ISO 8601 in UTC; `process_start` when the process itself began
    (`_process_start`), which tells it from a later one of the same id.
    """

    pid: int
    host: str
    command: str
    started_at: str
    process_start: int | None = None


class Ownership:
    """The lock on a storage folder. Never waits."""

    def __init__(self, folder: Path) -> None:
        """Take the folder.

        Raises:
            StoreBusyError: it has an owner; the message says who, and what to do.
            StoreError: the folder cannot be written.
        """
        self._who = folder / WHO_FILE
        self._pid = os.getpid()
        # Closed by another thread than opened it, it must be given back all the same.
        self._lock = FileLock(folder / LOCK_FILE, thread_local=False)
        try:
            self._lock.acquire(blocking=False)
        except Timeout:
            raise StoreBusyError(_refusal(folder, _owner_named_in(self._who))) from None
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

    @property
    def is_ours(self) -> bool:
        """False in a process that was forked from the owner: it owns nothing."""
        return os.getpid() == self._pid and self._lock.is_locked

    def release(self) -> None:
        """Give the folder back. Doing so again, or in a forked process, changes nothing."""
        if self.is_ours:
            with suppress(OSError):  # What stays there names a process without the lock, so nobody reads it.
                self._who.unlink(missing_ok=True)
            self._lock.release()


def _this_process() -> Owner:
    return Owner(
        pid=os.getpid(),
        host=socket.gethostname(),
        command=_command(),
        started_at=datetime.now(UTC).isoformat(timespec="seconds"),
        process_start=_process_start(os.getpid()),
    )


def _command() -> str:
    """The program, and what `prism` was asked to do."""
    program = Path(sys.argv[0]) if sys.argv and sys.argv[0] not in ("", "-c") else Path("python")
    name = program.parent.name if program.stem == "__main__" else program.stem
    if name != "prism":
        return name
    command = shlex.join((name, *sys.argv[1:]))
    return command if len(command) <= MAX_COMMAND_CHARS else f"{command[:MAX_COMMAND_CHARS]}…"


def _process_start(pid: int) -> int | None:
    """When a process began, in clock ticks since the machine started (field 22 of Linux's /proc/PID/stat);
    None where the system does not say so, or there is no such process."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    # The second field, a name in brackets, may hold spaces and brackets itself.
    return int(stat.rpartition(")")[2].split()[19])


def _write(file: Path, owner: Owner) -> None:
    draft = file.with_name(f"{file.name}.new")
    draft.write_text(json.dumps(asdict(owner)), encoding="utf-8")
    draft.replace(file)


def _owner_named_in(file: Path) -> Owner | None:
    """None when the file is missing, unreadable or half written, or names a process that has ended: the one
    that holds the lock now has not written its name yet."""
    try:
        owner = Owner(**json.loads(file.read_text(encoding="utf-8")))
        opened = datetime.fromisoformat(owner.started_at)
    except (OSError, ValueError, TypeError):
        return None
    is_here = owner.host == socket.gethostname()
    if is_here and owner.process_start is not None and _process_start(owner.pid) != owner.process_start:
        return None
    return replace(owner, started_at=f"{opened.astimezone():%Y-%m-%d %H:%M}")


def _refusal(folder: Path, owner: Owner | None) -> str:
    elsewhere = "or choose another folder with --storage DIR (storage.path)."
    if owner is None:
        return f"{folder}: in use by another process. Stop it, {elsewhere}"
    is_here = owner.host == socket.gethostname()
    if owner.pid == os.getpid() and is_here:
        return (
            f"{folder}: this program has it open already (since {owner.started_at}). Close that Prism first, "
            f"use its with_settings(...) for other settings, {elsewhere}"
        )
    place = "" if is_here else f" on {owner.host}"
    return (
        f"{folder}: in use by process {owner.pid}{place} ({owner.command}, since {owner.started_at}). "
        f"Stop it, {elsewhere}"
    )
