"""Reading files in a process that can be killed: a parser that hangs or crashes costs one file.

The process is started when the first file is to be read, reads one file after another, and ends with the
block. A file that takes it down is refused with the reason, and the next one is read in a new process. A file
on which a process crashed that had read others before is tried once more in a new one: the fault may have
been theirs.
"""

from __future__ import annotations

import logging
import signal
import time
from collections.abc import Callable
from contextlib import closing
from types import TracebackType
from typing import Final

from prism.errors import PrismError, SourceError, TooLargeError, UnreadableError, UnsupportedError
from prism.ingest import reading_messages as messages
from prism.ingest.readers.protocol import OnPage, untold
from prism.ingest.reading_messages import MessageError
from prism.ingest.reading_worker import Crashed, Worker
from prism.settings import ReadSettings
from prism.types import Source, SourceText

logger = logging.getLogger(__name__)

START_S: Final = 60.0
"""Python and the readers take 0.3 s to load, and much longer on a machine with other work."""

FULL_SHARE: Final = 0.8
"""A process that crashed with so much of its memory in use is taken to have crashed for want of it."""

REPLY_S: Final = 5.0
"""How long after its time a process may go on talking."""

_REFUSALS = {error.__name__: error for error in (UnreadableError, UnsupportedError, TooLargeError)}


class _OverMemoryError(TooLargeError):
    """It takes more memory than a file may."""


class _TimeUpError(TooLargeError):
    """It takes longer than a file may."""


class ReadingProcess:
    """Reads files one at a time in a process of its own, while entered. Not for several threads at once."""

    def __init__(self, settings: ReadSettings, *, check: Callable[[], None]) -> None:
        """`check` is called while a file is being read; what it raises stops the reading at once."""
        self._settings = settings
        self._check = check
        self._worker: Worker | None = None

    def __enter__(self) -> ReadingProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def load(
        self,
        source: Source,
        data: bytes,
        settings: ReadSettings,
        *,
        password: str = "",
        on_page: OnPage = untold,
    ) -> SourceText:
        """`prism.ingest.load.load`, in the other process.

        Raises:
            SourceError: as `load`, and for a file that took the process down.
            TooLargeError: also over `read.timeout_s` or `read.memory_mb`.
            PrismError: no such process can be started.
        """
        asked = _Asked(source.name, settings, self._check, on_page)
        while True:
            worker = self._running()
            is_fresh = not worker.files_read
            worker.files_read += 1
            try:
                return asked.of(worker, data, password)
            except Crashed as crash:
                self._end()
                if is_fresh:
                    raise _refusal(source.name, crash, settings) from None
            except _OverMemoryError:
                self._end()
                if is_fresh:
                    raise
            except MessageError as error:
                self._end()
                logger.error("%s: the reading process said something wrong: %s", source.name, error)
                raise _failed(source.name, "gave no sensible answer on this file") from None
            except BaseException as error:
                # After a refusal the process is as good as before.
                if not isinstance(error, SourceError) or isinstance(error, _TimeUpError):
                    self._end()
                raise
            logger.debug("%s took the reading process down; once more in a new one", source.name)

    def _running(self) -> Worker:
        if self._worker is None:
            self._worker = Worker(int(self._settings.memory_mb * 1_000_000))
            try:
                _wait_until_ready(self._worker, self._check)
            except BaseException:
                self._end()
                raise
        return self._worker

    def _end(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.end()


def _wait_until_ready(worker: Worker, check: Callable[[], None]) -> None:
    """Until the process can be asked. Raises `PrismError` when that never comes."""
    deadline = time.monotonic() + START_S

    def tick(is_silent: bool) -> None:
        check()
        if is_silent and time.monotonic() > deadline:
            raise PrismError(f"The process that reads files did not start within {START_S:.0f} s.")

    try:
        with closing(worker.messages([], 0, tick)) as said:
            kind, _ = next(said)
    except Crashed:
        lines = worker.noise.decode("utf-8", "replace").strip().splitlines() or ["it said nothing"]
        raise PrismError(f"The process that reads files did not start: {lines[-1]}.") from None
    except MessageError as error:
        raise PrismError(f"The process that reads files began wrongly: {error}.") from None
    if kind != messages.READY:
        raise PrismError(f"The process that reads files began with {kind!r}.")


class _Asked:
    """What is asked of a process: the text of one file, within its time."""

    def __init__(self, name: str, settings: ReadSettings, check: Callable[[], None], on_page: OnPage) -> None:
        self._name = name
        self._settings = settings
        self._check = check
        self._on_page = on_page
        self._deadline = 0.0
        self._pictures = 0
        self._where = ""
        self._text: str | None = None

    def of(self, worker: Worker, data: bytes, password: str) -> SourceText:
        """The text, asked of this process.

        Raises:
            SourceError: what the reader says of the file, or a limit.
            Crashed: the process ended.
            MessageError: it said something that no reader says.
        """
        request = messages.as_json(
            {"name": self._name, "settings": self._settings.model_dump(mode="json"), "password": password}
        )
        to_send = [*messages.frame(messages.REQUEST, request), *messages.frame(messages.DATA, data)]
        self._deadline = time.monotonic() + self._settings.timeout_s
        self._pictures, self._where, self._text = 0, "", None
        worker.noise.clear()
        try:
            with closing(worker.messages(to_send, self._settings.max_chars, self._tick)) as said:
                while True:
                    loaded = self._told(*next(said))
                    if loaded is not None:
                        return loaded
        finally:
            if worker.noise:
                logger.debug("%s: %s", self._name, worker.noise.decode("utf-8", "replace"))

    def _tick(self, is_silent: bool) -> None:
        self._check()
        # A reply that lies there already is taken, as after the whole program was stopped for a while.
        if time.monotonic() > self._deadline + (0.0 if is_silent else REPLY_S):
            raise _TimeUpError(
                f"{self._name}: given up{self._where}, since reading took longer than "
                f"{self._settings.timeout_s:g} s. Raise read.timeout_s or split the file."
            )

    def _told(self, kind: bytes, payload: bytearray) -> SourceText | None:
        if kind == messages.PAGE:
            page, pages = messages.said_page(payload)
            self._where = f" at page {page} of {pages}"
            self._on_page(page, pages)
        elif kind == messages.RECOGNIZING:
            self._pictures += 1
            if self._pictures > self._settings.max_pages:
                raise MessageError("more pictures than a document may have pages")
            self._deadline += self._settings.ocr_timeout_s
        elif kind == messages.TEXT:
            try:
                self._text = payload.decode("utf-8")
            except UnicodeDecodeError as error:
                raise MessageError(str(error)) from None
        elif kind == messages.STRUCTURE and self._text is not None:
            return messages.source_text(self._text, payload)
        elif kind == messages.REFUSAL:
            refusal, says = messages.said_texts(payload, 2)
            raise _REFUSALS.get(refusal, UnreadableError)(says)
        elif kind == messages.NO_MEMORY:
            raise _over_memory(self._name, self._settings)
        elif kind == messages.FAULT:
            fault, says, trace = messages.said_texts(payload, 3)
            logger.error("%s could not be read:\n%s", self._name, trace)
            raise _failed(self._name, f"failed on this file ({fault}{says and f': {says}'})")
        else:
            raise MessageError(f"{kind!r} is out of place")
        return None


def _refusal(name: str, crash: Crashed, settings: ReadSettings) -> SourceError:
    """What a crash is told as."""
    if crash.data_bytes > FULL_SHARE * settings.memory_mb * 1_000_000:
        return _over_memory(name, settings)
    if crash.code == -signal.SIGKILL:
        return _failed(name, "was ended on this file (signal 9), as a system does that runs out of memory")
    if not crash.code:  # it stayed without a pipe, or whoever we are part of took its exit code
        return _failed(name, "crashed on this file")
    how = f"signal {-crash.code}" if crash.code < 0 else f"exit code {crash.code}"
    return _failed(name, f"crashed on this file ({how})")


def _over_memory(name: str, settings: ReadSettings) -> _OverMemoryError:
    return _OverMemoryError(
        f"{name}: reading needs more memory than the limit of {settings.memory_mb:g} MB. "
        "Raise read.memory_mb or split the file."
    )


def _failed(name: str, what: str) -> UnreadableError:
    return UnreadableError(f"{name}: the reader {what}. It may be damaged; save it again from its program.")
