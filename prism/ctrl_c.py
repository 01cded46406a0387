"""Ctrl-C during an ingest: the first cancels the job cleanly, the second stops at once."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any

from prism.types import IngestProgress

_STDERR = 2


class CtrlC:
    """While entered, watches for Ctrl-C. It does nothing outside the main thread, where Python lets nobody
    watch, and where Ctrl-C is ignored, as shells have it for what they run in the background."""

    def __init__(self, cancel: Callable[[str], None], on_progress: Callable[[IngestProgress], None]) -> None:
        """`cancel` is given the id of the job under way; `on_progress` is told what `update` is told."""
        self._cancel = cancel
        self._on_progress = on_progress
        self._job_id = ""
        self._before: Any = None

    def __enter__(self) -> CtrlC:
        is_main = threading.current_thread() is threading.main_thread()
        if is_main and signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
            self._before = signal.signal(signal.SIGINT, self._interrupted)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def update(self, progress: IngestProgress) -> None:
        """Progress of the job, which is how its id becomes known."""
        self._job_id = progress.job_id
        self._on_progress(progress)

    def _interrupted(self, _: int, __: FrameType | None) -> None:
        signal.signal(signal.SIGINT, self._before)
        if not self._job_id:
            raise KeyboardInterrupt
        self._cancel(self._job_id)
        # Not print: the signal may have come in the middle of one, which cannot be entered twice.
        os.write(_STDERR, b"\nStopping after the leaves at hand. Ctrl-C again stops at once.\n")
