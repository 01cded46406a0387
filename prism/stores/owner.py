"""Who works on a storage folder: the first process to open it owns it until it ends, however it ends."""

from __future__ import annotations

import fcntl
from pathlib import Path


class Ownership:
    """An advisory lock on a file of the folder. The system gives it back when the process dies."""

    def __init__(self, file: Path) -> None:
        """Try to take the lock; `is_owner` tells whether it was free. Never waits."""
        self._stream = file.open("a+b")
        try:
            fcntl.flock(self._stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.is_owner = True
        except BlockingIOError:
            self.is_owner = False

    def release(self) -> None:
        """Give the lock back."""
        self._stream.close()
        self.is_owner = False
