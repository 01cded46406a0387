"""The reading process as an ingest holds it: started, talked to over pipes, ended with all it has started."""

from __future__ import annotations

import os
import re
import selectors
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

from prism.errors import PrismError
from prism.ingest import reading_messages as messages
from prism.ingest.reading_messages import MessageError

POLL_S: Final = 0.1
"""How often a wait looks whether it is to go on."""

END_S: Final = 2.0
"""How long a process that has closed its pipe may take to end."""

_PIPE_BYTES: Final = 1 << 20
_NOISE_BYTES: Final = 20_000
_SECRET = re.compile(r"KEY|TOKEN|SECRET|PASS|CREDENTIAL", re.I)


class Crashed(Exception):  # noqa: N818 - how a process ended, not an error of ours
    """The process ended while it was asked something.

    `code` is its exit code, minus the signal that ended it; None where it had to be killed. `data_bytes` is
    the memory it was last seen to have (Linux only, else 0).
    """

    def __init__(self, code: int | None, data_bytes: int) -> None:
        super().__init__(code)
        self.code = code
        self.data_bytes = data_bytes


class Worker:
    """One reading process."""

    def __init__(self, memory_bytes: int) -> None:
        """Start it. Raises `PrismError` when that cannot be."""
        # What readers put aside for a moment goes with the process, even when that is killed.
        self._temporary = tempfile.TemporaryDirectory(prefix="prism-reading-", ignore_cleanup_errors=True)
        self._data_bytes = 0
        self.files_read = 0
        self.noise = bytearray()
        """What libraries printed, the middle left out where it is long."""
        try:
            self._popen = subprocess.Popen(  # noqa: S603
                # -P: a folder of documents must not become a place to import from.
                [sys.executable, "-P", "-X", "faulthandler", "-m", "prism.ingest.reading_process",
                 str(memory_bytes)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                env=_surroundings(self._temporary.name),
                # Ctrl-C at the terminal is for the ingest; and what a reader starts is ended with it.
                start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            self._temporary.cleanup()
            raise PrismError(f"The process that reads files cannot be started: {error}.") from error
        self._stdin, self._stdout, self._stderr = self._pipes()

    def messages(
        self, to_send: Sequence[bytes], max_chars: int, tick: Callable[[bool], None]
    ) -> Generator[tuple[bytes, bytearray], None, None]:
        """Send, and yield what is said meanwhile and after it, without end.

        Args:
            max_chars: of a text; more is refused before it is taken in.
            tick: called ten times a second and after each message, with whether nothing was said since;
                what it raises ends this.

        Raises:
            Crashed: the process ended.
            MessageError: what is said is no message.
        """
        said = _Said(self._stdout, max_chars)
        left = [memoryview(piece) for piece in to_send if piece]
        with selectors.DefaultSelector() as selector:
            for pipe in (self._stdout, self._stderr):
                selector.register(pipe, selectors.EVENT_READ)
            if left:
                selector.register(self._stdin, selectors.EVENT_WRITE)
            while True:
                ready = [key.fileobj for key, _ in selector.select(POLL_S)]
                self._data_bytes = _data_bytes(self._popen.pid) or self._data_bytes
                tick(self._stdout not in ready)
                if self._stderr in ready and not self._listen():
                    selector.unregister(self._stderr)
                if self._stdin in ready:
                    _send_some(self._stdin, left)
                    if not left:
                        selector.unregister(self._stdin)
                if self._stdout in ready:
                    for message in said.new():
                        yield message
                        tick(False)  # who never stops talking is never silent
                    if said.is_over:
                        self._listen()
                        raise Crashed(self._ended_by_itself(), self._data_bytes)

    def end(self) -> None:
        """End the process with everything it has started; nothing of it remains."""
        if self._popen.returncode is None:
            self._kill_group()
            self._popen.wait()
        for pipe in (self._stdin, self._stdout, self._stderr):
            pipe.close()
        self._temporary.cleanup()

    def _pipes(self) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
        stdin, stdout, stderr = self._popen.stdin, self._popen.stdout, self._popen.stderr
        if stdin is None or stdout is None or stderr is None:
            raise TypeError("a process was started without the pipes that were asked for")
        for pipe in (stdin, stdout, stderr):
            os.set_blocking(pipe.fileno(), False)
        return stdin, stdout, stderr

    def _listen(self) -> bool:
        """Take what libraries print; False at the end of it."""
        try:
            heard = os.read(self._stderr.fileno(), _PIPE_BYTES)
        except BlockingIOError:
            return True
        self.noise += heard
        if len(self.noise) > 2 * _NOISE_BYTES:
            # The beginning says what went wrong, the end says where it crashed.
            del self.noise[_NOISE_BYTES:-_NOISE_BYTES]
        return bool(heard)

    def _ended_by_itself(self) -> int | None:
        """The exit code of the process, whose pipe is closed."""
        try:
            return self._popen.wait(END_S)
        except subprocess.TimeoutExpired:
            return None
        finally:
            self._kill_group()  # itself, and what it had started
            self._popen.wait()

    def _kill_group(self) -> None:
        with suppress(ProcessLookupError, PermissionError):  # nothing of it is left
            os.killpg(self._popen.pid, signal.SIGKILL)


class _Said:
    """What comes out of a pipe, message by message."""

    def __init__(self, pipe: IO[bytes], max_chars: int) -> None:
        self._fd = pipe.fileno()
        self._max_chars = max_chars
        self._kind: bytes | None = None
        self._buffer = bytearray(messages.FRAME.size)
        self._filled = 0
        self.is_over = False

    def new(self) -> Iterator[tuple[bytes, bytearray]]:
        """Messages that have come whole by now. Raises `MessageError`."""
        while True:
            while self._filled < len(self._buffer):
                try:
                    with memoryview(self._buffer) as view, view[self._filled :] as rest:
                        count = os.readv(self._fd, [rest])
                except BlockingIOError:
                    return
                if not count:
                    self.is_over = True
                    return
                self._filled += count
            whole, self._filled = self._buffer, 0
            if self._kind is None:
                kind, length = messages.FRAME.unpack(whole)
                if length > messages.most_bytes(kind, self._max_chars):
                    raise MessageError(f"{kind!r} of {length} bytes")
                self._kind, self._buffer = kind, bytearray(length)
            else:
                kind, self._kind = self._kind, None
                self._buffer = bytearray(messages.FRAME.size)
                yield kind, whole


def _data_bytes(pid: int) -> int:
    """What a process has of the memory that is limited. (The peak that the system tells after the end counts
    what the process had that started it.)"""
    try:
        status = Path(f"/proc/{pid}/status").read_bytes()
    except OSError:  # no such system, or the process has ended
        return 0
    found = re.search(rb"^VmData:\s+(\d+) kB", status, re.M)
    return int(found[1]) * 1024 if found else 0


def _surroundings(temporary: str) -> dict[str, str]:
    """This process's environment, without what a taken-over parser should not learn."""
    around = {name: value for name, value in os.environ.items() if not _SECRET.search(name)}
    path = os.pathsep.join(os.path.abspath(entry) for entry in sys.path)  # noqa: PTH100
    return {**around, "PYTHONPATH": path, "TMPDIR": temporary}


def _send_some(pipe: IO[bytes], left: list[memoryview]) -> None:
    """Write what the pipe takes; nothing is left when nobody reads it any longer."""
    try:
        written = os.write(pipe.fileno(), left[0][:_PIPE_BYTES])
    except BlockingIOError:
        return
    except BrokenPipeError:
        left.clear()
        return
    left[0] = left[0][written:]
    if not left[0]:
        del left[0]
