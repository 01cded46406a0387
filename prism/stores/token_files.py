"""The file of one build's token vectors.

    rows of the first leaf | rows of the second | … | footer | trailer

Rows are int8, `dimension` to a token, leaf after leaf. The footer is JSON: `dimension`, and per leaf
`node_ids`, `tokens` (rows) and `crc32` (of its rows). The trailer holds the footer's length and CRC-32, and
eight letters by which the file is known to end where it should.

A draft is written beside it and takes its name once all of it is on the disk: a file under its name is whole.
"""

from __future__ import annotations

import json
import os
import struct
import weakref
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from prism.errors import StoreDamagedError, UsageError
from prism.stores.leaf_sets import LeafSet, leaf_set

TokenVectors = NDArray[np.int8]
"""Shape (tokens, d)."""

DRAFT_SUFFIX: Final = ".partial"
"""Added to the name of a file that is not whole yet."""

MAGIC: Final = b"PRISMTV1"
_TRAILER: Final = struct.Struct("<QI8s")


@dataclass(frozen=True, slots=True)
class _Leaf:
    """Where a leaf's rows begin, in bytes, how many they are, and their CRC-32."""

    start: int
    tokens: int
    crc32: int


class TokenDraft:
    """A file being written, a slice of leaves at a time. Not safe for several threads."""

    def __init__(self, file: Path) -> None:
        """Begin the draft of `file`, which gets its name by `finish`. Raises `OSError`."""
        self._file = file
        self._draft = file.with_name(f"{file.name}{DRAFT_SUFFIX}")
        self._stream = self._draft.open("wb")
        self._dimension: int | None = None
        self._node_ids: list[str] = []
        self._tokens: list[int] = []
        self._sums: list[int] = []

    def append(self, node_ids: Sequence[str], arrays: Sequence[TokenVectors]) -> None:
        """Add leaves.

        Args:
            arrays: int8 (tokens, d) per leaf, d alike for all.

        Raises:
            UsageError: lengths, types or dimensions differ.
            OSError: the disk is full or fails.
        """
        if len(node_ids) != len(arrays):
            raise UsageError("node_ids and token vectors must be of one length")
        for array in arrays:
            self._dimension = array.shape[-1] if self._dimension is None else self._dimension
            if array.dtype != np.int8 or array.ndim != 2 or array.shape[1] != self._dimension:
                raise UsageError(
                    f"token vectors must be int8 of {self._dimension} numbers each, not {array.dtype} of "
                    f"shape {array.shape}: check the embedder's output"
                )
        for node_id, array in zip(node_ids, arrays, strict=True):
            rows = array.tobytes()
            self._stream.write(rows)
            self._node_ids.append(node_id)
            self._tokens.append(len(array))
            self._sums.append(zlib.crc32(rows))

    def finish(self) -> None:
        """Write the footer and have the system write the draft to the disk. Raises `OSError`."""
        footer = json.dumps(
            {
                "dimension": self._dimension or 0,
                "node_ids": self._node_ids,
                "tokens": self._tokens,
                "crc32": self._sums,
            }
        ).encode()
        self._stream.write(footer)
        self._stream.write(_TRAILER.pack(len(footer), zlib.crc32(footer), MAGIC))
        self._stream.flush()
        os.fsync(self._stream.fileno())
        self._stream.close()

    def put_in_place(self) -> None:
        """Give a finished draft its name. Raises `OSError`."""
        self._draft.replace(self._file)
        descriptor = os.open(self._file.parent, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def abandon(self) -> None:
        """Let go of the draft, which stays on the disk. Raises nothing."""
        # What could not be written is of no use to anybody.
        with suppress(OSError):
            self._stream.close()


class TokenFile:
    """A whole file, held open. Safe for many threads; outlives its name on the disk.

    Its rows are read, not mapped: to touch a mapped page of a file that was cut short ends the process.
    """

    def __init__(self, file: Path) -> None:
        """Read the footer.

        Raises:
            StoreDamagedError: the file is not as it was written.
            OSError: it is gone, or cannot be read.
        """
        self._file = file
        self._descriptor = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
        # Closed with the last who reads it, wherever that is.
        weakref.finalize(self, os.close, self._descriptor)
        self._size = os.fstat(self._descriptor).st_size
        if self._size < _TRAILER.size:
            raise self._damaged(f"it has {self._size} bytes")
        try:
            self._dimension, self._leaves = self._footer(self._size)
        except (ValueError, KeyError, TypeError, struct.error) as error:
            raise self._damaged(str(error)) from error

    def get(self, node_id: str) -> TokenVectors | None:
        """A leaf's rows, read-only; None when the file has no such leaf.

        Raises:
            StoreDamagedError: they are not what was written, or the file is no longer as long as it was.
            OSError: the disk fails.
        """
        leaf = self._leaves.get(node_id)
        if leaf is None:
            return None
        # Rows may be whole where the footer is gone: such a file has to be made anew all the same.
        if (size := os.fstat(self._descriptor).st_size) != self._size:
            raise self._damaged(f"it has {size} bytes and had {self._size} when it was opened")
        rows = self._read(leaf.start, leaf.tokens * self._dimension)
        if zlib.crc32(rows) != leaf.crc32:
            raise self._damaged(f"leaf {node_id} holds other bytes than were written")
        return np.frombuffer(rows, dtype=np.int8).reshape(leaf.tokens, self._dimension)

    def check(self) -> LeafSet:
        """Which leaves it holds, each read. Raises as `get`."""
        for node_id in self._leaves:
            self.get(node_id)
        return leaf_set(self._leaves)

    def _footer(self, size: int) -> tuple[int, dict[str, _Leaf]]:
        length, crc, magic = _TRAILER.unpack(self._read(size - _TRAILER.size, _TRAILER.size))
        start = size - _TRAILER.size - length
        if magic != MAGIC or start < 0:
            raise ValueError("it does not end as it should")
        footer = self._read(start, length)
        if zlib.crc32(footer) != crc:
            raise ValueError("its footer holds other bytes than were written")
        told = json.loads(footer)
        dimension = int(told["dimension"])
        leaves = dict(_leaves(dimension, told["node_ids"], told["tokens"], told["crc32"]))
        if sum(leaf.tokens for leaf in leaves.values()) * dimension != start:
            raise ValueError("its rows are fewer or more than it tells")
        return dimension, leaves

    def _read(self, start: int, length: int) -> bytes:
        """These bytes, or those of them that are left; their sum tells."""
        parts: list[bytes] = []
        # A system may give less than it is asked for, 2 GB at most.
        while length and (part := os.pread(self._descriptor, length, start)):
            parts.append(part)
            start, length = start + len(part), length - len(part)
        return b"".join(parts)

    def _damaged(self, what: str) -> StoreDamagedError:
        return StoreDamagedError(
            f"{self._file}: the token vectors are damaged ({what}). They are made anew from the catalogue "
            "before the next question, or by prism doctor."
        )


def _leaves(
    dimension: int, node_ids: Sequence[str], tokens: Sequence[int], sums: Sequence[int]
) -> Iterator[tuple[str, _Leaf]]:
    start = 0
    for node_id, count, crc32 in zip(node_ids, tokens, sums, strict=True):
        yield node_id, _Leaf(start, count, crc32)
        start += count * dimension
