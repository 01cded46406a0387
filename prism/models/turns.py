"""Turns: a lock that is given in the order it was asked for.

`threading.Lock` promises no order: who releases it and asks again at once, as a loop over batches does,
mostly gets it again, and a waiting question could wait for a whole document.
"""

from __future__ import annotations

import threading
from collections import deque
from types import TracebackType


class Turns:
    """First come, first served; used by `with`. Not reentrant."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._queue: deque[threading.Lock] = deque()
        self._is_taken = False

    @property
    def waiting(self) -> int:
        """How many callers wait for their turn."""
        with self._guard:
            return len(self._queue)

    def __enter__(self) -> None:
        with self._guard:
            if not self._is_taken:
                self._is_taken = True
                return
            ticket = threading.Lock()
            ticket.acquire()
            self._queue.append(ticket)
        try:
            ticket.acquire()
        except BaseException:  # Ctrl-C while waiting: nobody may be left waiting for one who has gone
            self._give_up(ticket)
            raise

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._guard:
            self._pass_on()

    def _give_up(self, ticket: threading.Lock) -> None:
        with self._guard:
            if ticket in self._queue:
                self._queue.remove(ticket)
            else:
                self._pass_on()

    def _pass_on(self) -> None:
        if self._queue:
            self._queue.popleft().release()
        else:
            self._is_taken = False
