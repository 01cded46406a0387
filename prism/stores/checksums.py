"""Sizes and checksums of a folder's files, to notice what changed while nobody had them open.

CRC-32 finds every accidental change of up to 32 neighbouring bits and misses one in four thousand million
others; it is no protection against a forger. It is the fastest in the standard library (over 1 GB/s).

A file whose size and time of writing are as they were noted is taken for the same without being read, as
`make`, `rsync` and `git` do; otherwise opening would take the longer the larger the files.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

SETTLED_NS: Final = 2_000_000_000
"""The coarsest clock of a file system (FAT's): two changes so far apart bear different times."""

_READ_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class FileSum:
    """A file's size in bytes and its CRC-32.

    `written_ns` is when it was written last (nanoseconds since 1970), 0 when that was so shortly before that
    a later change might bear the same time; it is no part of what two files must share to be the same.
    """

    size: int
    crc32: int
    written_ns: int = field(default=0, compare=False)


def file_sum(file: Path) -> FileSum:
    """Read a file whole. Raises `OSError`."""
    written_ns = file.stat().st_mtime_ns
    is_settled = time.time_ns() - written_ns >= SETTLED_NS
    size = crc = 0
    with file.open("rb") as stream:
        while piece := stream.read(_READ_BYTES):
            size += len(piece)
            crc = zlib.crc32(piece, crc)
    return FileSum(size, crc, written_ns if is_settled else 0)


def file_sums(
    folder: Path, files: Iterable[Path], known: Mapping[str, FileSum] | None = None
) -> dict[str, FileSum]:
    """Sums by path relative to `folder`; a file that bears the time it has in `known` is not read again.

    Raises:
        OSError: a file cannot be read.
    """
    known = known or {}
    sums: dict[str, FileSum] = {}
    for file in files:
        name = file.relative_to(folder).as_posix()
        before = known.get(name)
        sums[name] = before if before and _bears_its_time(file, before) else file_sum(file)
    return sums


def changes(folder: Path, sums: Mapping[str, FileSum], *, read_all: bool = False) -> list[str]:
    """What is no longer as it was, in words; empty when every file is. Files not in `sums` do not count.

    Args:
        read_all: read every file, also where its time says that it was left alone.

    Raises:
        OSError: a file is there and cannot be read (permissions, a failing disk), so nothing is known of it.
    """
    found = []
    for name, wanted in sums.items():
        file = folder / name
        if not file.is_file():
            found.append(f"{name} is missing")
        elif (size := file.stat().st_size) != wanted.size:
            found.append(f"{name} has {size:,} bytes instead of {wanted.size:,}")
        elif not read_all and _bears_its_time(file, wanted):
            continue
        elif file_sum(file) != wanted:
            found.append(f"{name} holds other bytes than were written")
    return found


def _bears_its_time(file: Path, noted: FileSum) -> bool:
    now = file.stat()
    return bool(noted.written_ns) and (now.st_mtime_ns, now.st_size) == (noted.written_ns, noted.size)
