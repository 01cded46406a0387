"""One file of token vectors: written, read to the bit, and every damage noticed."""

from __future__ import annotations

import errno
import json
import os
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from prism.errors import StoreDamagedError, UsageError
from prism.stores.leaf_sets import leaf_set
from prism.stores.token_files import MAGIC, TokenDraft, TokenFile

ONE = np.array([[1, -2, 3], [127, 0, -127]], dtype=np.int8)
NONE = np.zeros((0, 3), dtype=np.int8)
TWO = np.array([[5, 5, 5]], dtype=np.int8)


def written(file: Path, leaves: dict[str, np.ndarray] | None = None) -> Path:
    leaves = {"one": ONE, "none": NONE, "two": TWO} if leaves is None else leaves
    draft = TokenDraft(file)
    for node_id, rows in leaves.items():
        draft.append([node_id], [rows])
    draft.finish()
    draft.put_in_place()
    return file


def test_what_was_written_is_read_to_the_bit_and_cannot_be_changed(tmp_path: Path) -> None:
    file = TokenFile(written(tmp_path / "doc-1.tokens"))
    for node_id, rows in (("one", ONE), ("none", NONE), ("two", TWO)):
        found = file.get(node_id)
        assert found.dtype == np.int8
        np.testing.assert_array_equal(found, rows)
        assert not found.flags.writeable
    assert file.get("three") is None
    assert file.check() == leaf_set(["one", "none", "two"])


def test_the_layout_is_rows_footer_trailer(tmp_path: Path) -> None:
    data = written(tmp_path / "doc-1.tokens", {"one": ONE, "two": TWO}).read_bytes()
    rows = ONE.tobytes() + TWO.tobytes()
    length = int.from_bytes(data[-20:-12], "little")
    footer = data[-20 - length : -20]
    assert data.startswith(rows)
    assert len(data) == len(rows) + length + 20
    assert data[-8:] == MAGIC
    assert int.from_bytes(data[-12:-8], "little") == zlib.crc32(footer)
    assert json.loads(footer) == {
        "dimension": 3,
        "node_ids": ["one", "two"],
        "tokens": [2, 1],
        "crc32": [zlib.crc32(ONE.tobytes()), zlib.crc32(TWO.tobytes())],
    }


def test_a_draft_is_not_under_the_files_name_before_it_is_whole(tmp_path: Path) -> None:
    file = tmp_path / "doc-1.tokens"
    draft = TokenDraft(file)
    draft.append(["one"], [ONE])
    draft.finish()
    assert [path.name for path in tmp_path.iterdir()] == ["doc-1.tokens.partial"]
    draft.put_in_place()
    assert [path.name for path in tmp_path.iterdir()] == ["doc-1.tokens"]


def test_a_draft_that_is_given_up_raises_nothing_on_a_full_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = TokenDraft(tmp_path / "doc-1.tokens")
    draft.append(["one"], [ONE])
    os.close(draft._stream.fileno())  # What is buffered can be written nowhere now.
    draft.abandon()

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    other = TokenDraft(tmp_path / "doc-2.tokens")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        other.finish()
    other.abandon()


@pytest.mark.parametrize(
    "rows",
    [ONE.astype(np.float32), ONE[:, :2], ONE[0]],
    ids=["another type", "another dimension", "no rows"],
)
def test_what_is_no_token_vectors_is_refused_before_it_is_written(tmp_path: Path, rows: np.ndarray) -> None:
    draft = TokenDraft(tmp_path / "doc-1.tokens")
    draft.append(["one"], [ONE])
    with pytest.raises(UsageError, match="int8 of 3 numbers each"):
        draft.append(["two"], [rows])
    with pytest.raises(UsageError, match="one length"):
        draft.append(["two"], [])
    draft.finish()
    draft.put_in_place()
    assert TokenFile(tmp_path / "doc-1.tokens").check() == leaf_set(["one"])


def test_every_bit_counts(tmp_path: Path) -> None:
    """Whatever single byte is garbled, no leaf is read otherwise than it was written."""
    file = written(tmp_path / "doc-1.tokens")
    data = file.read_bytes()
    for place in range(len(data)):
        file.write_bytes(data[:place] + bytes([data[place] ^ 16]) + data[place + 1 :])
        with pytest.raises(StoreDamagedError):
            TokenFile(file).check()


def test_a_damaged_leaf_leaves_the_others_readable(tmp_path: Path) -> None:
    file = written(tmp_path / "doc-1.tokens")
    data = bytearray(file.read_bytes())
    data[0] ^= 1
    file.write_bytes(data)
    opened = TokenFile(file)
    with pytest.raises(StoreDamagedError, match=r"doc-1\.tokens.*leaf one"):
        opened.get("one")
    np.testing.assert_array_equal(opened.get("two"), TWO)


@pytest.mark.parametrize("cut", [0, 5, 19, 30])
def test_a_file_cut_short_is_damaged(tmp_path: Path, cut: int) -> None:
    file = written(tmp_path / "doc-1.tokens")
    file.write_bytes(file.read_bytes()[:cut])
    with pytest.raises(StoreDamagedError, match="prism doctor"):
        TokenFile(file)


@pytest.mark.parametrize(
    "footer",
    [
        b"[]",
        b"{}",
        b'{"dimension": 3, "node_ids": ["one"], "tokens": [9], "crc32": [0]}',
        b'{"dimension": 3, "node_ids": ["one"], "tokens": ["x"], "crc32": [0]}',
        b'{"dimension": 3, "node_ids": ["one"], "tokens": [], "crc32": [0]}',
        b"\xff",
    ],
)
def test_a_footer_that_says_what_cannot_be_is_damage(tmp_path: Path, footer: bytes) -> None:
    file = tmp_path / "doc-1.tokens"
    trailer = len(footer).to_bytes(8, "little") + zlib.crc32(footer).to_bytes(4, "little") + MAGIC
    file.write_bytes(ONE.tobytes() + footer + trailer)
    with pytest.raises(StoreDamagedError):
        TokenFile(file).check()


def test_who_reads_a_file_goes_on_when_it_is_replaced_or_removed(tmp_path: Path) -> None:
    file = written(tmp_path / "doc-1.tokens")
    reading = TokenFile(file)
    written(file, {"one": TWO})
    np.testing.assert_array_equal(reading.get("one"), ONE)
    np.testing.assert_array_equal(TokenFile(file).get("one"), TWO)
    file.unlink()
    np.testing.assert_array_equal(reading.get("one"), ONE)


@pytest.mark.parametrize("left", [0, 4, -1])
def test_a_file_cut_short_while_it_is_open_is_damaged_and_ends_no_process(tmp_path: Path, left: int) -> None:
    file = written(tmp_path / "doc-1.tokens")
    opened, size = TokenFile(file), file.stat().st_size
    os.truncate(file, left % size)
    for node_id in ("one", "two"):
        with pytest.raises(StoreDamagedError, match=rf"it has {left % size} bytes and had {size}"):
            opened.get(node_id)
    with pytest.raises(StoreDamagedError):
        opened.check()


def test_a_file_cut_short_between_its_size_and_its_rows_is_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = TokenFile(written(tmp_path / "doc-1.tokens"))
    before = os.fstat(opened._descriptor)
    os.truncate(tmp_path / "doc-1.tokens", 0)
    monkeypatch.setattr(os, "fstat", lambda _descriptor: before)
    with pytest.raises(StoreDamagedError, match="leaf one"):
        opened.get("one")


def test_a_file_is_let_go_of_with_the_last_who_reads_it(tmp_path: Path) -> None:
    opened = TokenFile(written(tmp_path / "doc-1.tokens"))
    descriptor = opened._descriptor
    os.fstat(descriptor)
    del opened
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(descriptor)


# Each example waits for the disk.
@settings(max_examples=40, deadline=None)
@given(st.lists(arrays(np.int8, st.tuples(st.integers(0, 5), st.just(4))), max_size=6), st.integers(1, 4))
def test_leaves_of_any_length_in_slices_of_any_size_come_back(
    tmp_path_factory: pytest.TempPathFactory, leaves: list[np.ndarray], slice_leaves: int
) -> None:
    file = tmp_path_factory.mktemp("tokens") / "doc-1.tokens"
    draft = TokenDraft(file)
    ids = [str(number) for number in range(len(leaves))]
    for start in range(0, len(ids), slice_leaves):
        draft.append(ids[start : start + slice_leaves], leaves[start : start + slice_leaves])
    draft.finish()
    draft.put_in_place()
    opened = TokenFile(file)
    for node_id, rows in zip(ids, leaves, strict=True):
        np.testing.assert_array_equal(opened.get(node_id), rows.reshape(-1, 4) if len(rows) else rows[:0])
    assert opened.check() == leaf_set(ids)
