"""The process that reads files: `python -m prism.ingest.reading_process MEMORY_BYTES`.

An ingest starts it (`reading.py`) and talks to it over its standard streams: a file comes in, its text goes
out. A parser that hangs, crashes or eats all memory takes this process with it and nothing else. It imports
no model and no store.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import select
import signal
import sys
import threading
import traceback
from io import FileIO
from pathlib import Path
from typing import IO

from prism.errors import SourceError
from prism.ingest import reading_messages as messages
from prism.ingest.load import load
from prism.settings import ReadSettings
from prism.text.storable import storable
from prism.types import Source

_PR_SET_PDEATHSIG = 1


class Replies:
    """Where messages to the ingest go."""

    def __init__(self, pipe: FileIO) -> None:
        self._pipe = pipe

    def send(self, kind: bytes, payload: bytes = b"") -> None:
        """Send a message whole."""
        for piece in messages.frame(kind, payload):
            left = memoryview(piece)
            while left:
                left = left[self._pipe.write(left) or 0 :]

    def page(self, page: int, pages: int) -> None:
        """Say which page is at hand."""
        self.send(messages.PAGE, messages.as_json([page, pages]))

    def recognizing(self) -> None:
        """Say that a picture is about to be recognized, which has time of its own."""
        self.send(messages.RECOGNIZING)


def main() -> None:
    """Read file after file until the ingest closes the pipe."""
    requests, replies = _own_pipes()
    _limit_memory(int(sys.argv[1]))
    _end_with_the_ingest(requests.fileno())
    # What a reader starts (text recognition, an office program) has a Python path of its own, if any.
    os.environ.pop("PYTHONPATH", None)
    replies.send(messages.READY)
    while _answer_next(requests, replies):
        pass


def _own_pipes() -> tuple[IO[bytes], Replies]:
    """The pipes to the ingest, moved away from where a library prints to and what a reader starts reads."""
    requests, replies = os.fdopen(os.dup(0), "rb"), FileIO(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    return requests, Replies(replies)


def _limit_memory(limit_bytes: int) -> None:
    """Keep this process, and what it starts, from taking more; and from leaving a document in a core file."""
    for kind, wanted in ((resource.RLIMIT_DATA, limit_bytes), (resource.RLIMIT_CORE, 0)):
        hard = resource.getrlimit(kind)[1]
        limit = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        # A system that knows no such limit (macOS) reads without it.
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(kind, (limit, limit))


def _end_with_the_ingest(requests: int) -> None:
    """End as soon as the other end of the pipe is closed, whatever a reader is doing."""
    if sys.platform == "linux":
        # For a parser that holds the interpreter, in which no thread of ours would run.
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)

    def watch() -> None:
        poll = select.poll()
        poll.register(requests, select.POLLHUP)
        poll.poll()
        if os.getpgrp() == os.getpid():  # what a reader has started goes, too
            os.killpg(os.getpid(), signal.SIGKILL)
        os._exit(0)

    threading.Thread(target=watch, daemon=True, name="end with the ingest").start()


def _answer_next(requests: IO[bytes], replies: Replies) -> bool:
    """Read one file; False when there is none."""
    request = _payload(requests)
    if request is None:
        return False
    asked = messages.from_json(request)
    data = _payload(requests) or b""
    try:
        loaded = load(
            Source(Path(asked["name"]), asked["name"]),
            data,
            ReadSettings(**asked["settings"]),
            password=asked["password"],
            on_page=replies.page,
            on_recognizing=replies.recognizing,
        )
        del data
        replies.send(messages.TEXT, loaded.text.encode("utf-8"))
        replies.send(messages.STRUCTURE, messages.structure_of(loaded))
    except SourceError as error:
        replies.send(messages.REFUSAL, messages.as_json([type(error).__name__, _cut(str(error))]))
    except MemoryError:
        replies.send(messages.NO_MEMORY)
    except Exception as error:  # noqa: BLE001 - whatever a file does to a reader, the ingest is told
        said = [type(error).__name__, _cut(str(error)), _cut(traceback.format_exc())]
        replies.send(messages.FAULT, messages.as_json(said))
    return True


def _payload(requests: IO[bytes]) -> bytes | None:
    """The next message's payload, None when the pipe is closed."""
    head = requests.read(messages.FRAME.size)
    if len(head) < messages.FRAME.size:
        return None
    length: int = messages.FRAME.unpack(head)[1]
    return requests.read(length)


def _cut(text: str) -> str:
    """The end of a long text, which is where an error is told; short enough however it is escaped."""
    return storable(text[-messages.MAX_SAID_BYTES // 40 :])


if __name__ == "__main__":
    main()
