"""Progress of an ingest: files, leaves, rate and time left, told as it goes; and the wish to stop, heeded."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final

from prism.types import IngestProgress, IngestStage

OnProgress = Callable[[IngestProgress], None]

PAGE_EVERY_S: Final = 0.1
"""Pages are told no more often than an eye follows."""


class Cancelled(BaseException):
    """The job was cancelled: not an error, and so, as `KeyboardInterrupt`, caught by no handler of errors."""


def _never() -> bool:
    return False


class Progress:
    """Counts for one batch. Time left is judged by bytes, since leaves are not known before reading."""

    def __init__(
        self,
        sizes_bytes: Sequence[int],
        on_progress: OnProgress | None,
        *,
        job_id: str = "",
        is_cancelled: Callable[[], bool] = _never,
    ) -> None:
        self._sizes_bytes = sizes_bytes
        self._tell = on_progress
        self._job_id = job_id
        self._is_cancelled = is_cancelled
        self._began = time.monotonic()
        self._files_done = 0
        self._leaves_stored = 0
        self._leaves_now = 0
        self._document = ""
        self._page = self._pages = 0
        self._told_page = 0.0

    def reading(self, document: str) -> None:
        """A file is about to be read."""
        self._document, self._leaves_now = document, 0
        self._report("reading")

    def page(self, page: int, pages: int) -> None:
        """A page of the file at hand is about to be read. Raises `Cancelled` when the job was."""
        self.check()
        now = time.monotonic()
        if now - self._told_page < PAGE_EVERY_S and page < pages:
            return
        self._told_page = now
        self._page, self._pages = page, pages
        self._report("reading")
        self._page = self._pages = 0

    def embedding(self, leaves_done: int) -> None:
        """So many leaves of the file at hand are embedded. Raises `Cancelled` when the job was."""
        self._leaves_now = leaves_done
        self._report("embedding")
        self.check()

    def storing(self) -> None:
        """The file at hand is being made visible."""
        self._report("storing")

    def finished(self, leaves: int) -> None:
        """The file at hand is done with, for better or worse."""
        self._files_done += 1
        self._leaves_stored += leaves if self._leaves_now else 0
        self._leaves_now = 0
        self._report("done")

    def check(self) -> None:
        """Raise `Cancelled` when the job was cancelled."""
        if self._is_cancelled():
            raise Cancelled

    def _report(self, stage: IngestStage) -> None:
        if self._tell is None:
            return
        spent_s = max(time.monotonic() - self._began, 1e-9)
        leaves = self._leaves_stored + self._leaves_now
        self._tell(
            IngestProgress(
                stage=stage,
                document=self._document,
                files_done=self._files_done,
                files_total=len(self._sizes_bytes),
                leaves_done=leaves,
                leaves_per_s=leaves / spent_s,
                seconds_left=self._seconds_left(spent_s),
                job_id=self._job_id,
                page=self._page,
                pages=self._pages,
            )
        )

    def _seconds_left(self, spent_s: float) -> float | None:
        done_bytes = sum(self._sizes_bytes[: self._files_done])
        left_bytes = sum(self._sizes_bytes[self._files_done :])
        return spent_s * left_bytes / done_bytes if done_bytes else None
