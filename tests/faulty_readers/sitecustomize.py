"""Where this folder is on the path of a new Python, a text file that says `FAULT name` is read by a reader
with that fault; every other one is read as ever."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import tempfile
import time
import types
from collections.abc import Callable
from pathlib import Path

from prism.errors import UnreadableError
from prism.ingest import load
from prism.ingest.kinds import Kind
from prism.ingest.readers import text
from prism.ingest.readers.protocol import SourceFile
from prism.types import SourceText


def for_ever(file: SourceFile) -> None:
    file.on_page(17, 500)
    time.sleep(600)


def for_ever_in_c(file: SourceFile) -> None:
    ctypes.PyDLL(None).sleep(600)  # holds the interpreter


def pages_for_ever(file: SourceFile) -> None:
    while True:
        file.on_page(1, 1)


def slow_pictures(file: SourceFile) -> None:
    for _ in range(3):
        file.on_recognizing()
        time.sleep(0.6)


def segfault(file: SourceFile) -> None:
    ctypes.string_at(0)


def segfault_unless_first(file: SourceFile) -> None:
    if done:
        ctypes.string_at(0)


def leave(file: SourceFile) -> None:
    os._exit(3)


def leave_politely(file: SourceFile) -> None:
    sys.exit("done")


def eat_memory(file: SourceFile) -> None:
    eaten = []
    while True:
        eaten.append(bytearray(10_000_000))


def abort_full(file: SourceFile) -> None:
    eaten = []
    try:
        while True:
            eaten.append(b"x" * 1_000_000)
    except MemoryError:
        time.sleep(0.5)
        os.abort()
    del eaten


def close_and_stay(file: SourceFile) -> None:
    os.closerange(3, 100)
    time.sleep(600)


def print_much(file: SourceFile) -> None:
    print("printed " * 100_000, flush=True)
    os.write(1, b"written\n")


def flood(file: SourceFile) -> None:
    for _ in range(500):
        os.write(2, b"noise\n" * 20_000)
    os.write(2, b"the last word\n")


def divide(file: SourceFile) -> None:
    print(1 / 0)


def recurse(file: SourceFile) -> None:
    recurse(file)


def say_half_a_character(file: SourceFile) -> None:
    raise UnreadableError(f"{file.name}: \ud835 is half a character.")


def leave_things_behind(file: SourceFile) -> None:
    place = Path(tempfile.mkdtemp())
    (place / "left.txt").write_text("left")
    child = subprocess.Popen(["sleep", "600"])  # noqa: S607
    raise UnreadableError(f"{place} {child.pid} {os.getpid()}")


def surroundings(file: SourceFile) -> None:
    raise UnreadableError(" ".join(sorted(os.environ)))


def read_standard_input(file: SourceFile) -> None:
    raise UnreadableError(repr(os.read(0, 100)))


FAULTS: dict[str, Callable[[SourceFile], None]] = {
    name: found for name, found in globals().items() if isinstance(found, types.FunctionType)
}
done: list[str] = []


def read(file: SourceFile) -> SourceText:
    if file.data.startswith(b"FAULT "):
        FAULTS[file.data.split()[1].decode()](file)
    done.append(file.name)
    return text.read(file)


faulty = types.ModuleType("prism.ingest.readers.faulty")
faulty.read = read  # type: ignore[attr-defined]
sys.modules[faulty.__name__] = faulty
load.READERS[Kind.TEXT] = "faulty"  # type: ignore[index]
