from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace as changed
from pathlib import Path

import pytest

from prism.stores.checksums import SETTLED_NS, FileSum, changes, file_sum, file_sums


def test_the_sum_is_size_and_crc32(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"123456789")
    # The check value of CRC-32 as its catalogues give it.
    assert file_sum(file) == FileSum(9, 0xCBF43926)


def test_a_file_larger_than_one_reading_is_summed_whole(tmp_path: Path) -> None:
    small, large = tmp_path / "small", tmp_path / "large"
    small.write_bytes(b"")
    large.write_bytes(bytes(3 << 20))
    assert file_sum(small) == FileSum(0, 0)
    assert file_sum(large).size == 3 << 20
    before = file_sum(large)
    large.write_bytes(bytes((3 << 20) - 1) + b"\x01")
    assert file_sum(large) != before


def cut(file: Path) -> None:
    file.write_bytes(b"123")


def replace(file: Path) -> None:
    file.write_bytes(b"123456780")


def make_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


@pytest.mark.parametrize(
    ("harm", "told"),
    [
        (Path.unlink, "below/file is missing"),
        (make_folder, "below/file is missing"),
        (cut, "below/file has 3 bytes instead of 9"),
        (replace, "below/file holds other bytes than were written"),
    ],
)
def test_every_change_is_told(tmp_path: Path, harm: Callable[[Path], object], told: str) -> None:
    file = tmp_path / "below" / "file"
    file.parent.mkdir()
    file.write_bytes(b"123456789")
    sums = file_sums(tmp_path, [file])
    assert changes(tmp_path, sums) == []
    (tmp_path / "new").write_text("of no interest")
    assert changes(tmp_path, sums) == []
    harm(file)
    assert changes(tmp_path, sums) == [told]


def write_at(file: Path, content: bytes, written_ns: int) -> None:
    file.write_bytes(content)
    os.utime(file, ns=(written_ns, written_ns))


LONG_AGO = 1_600_000_000_000_000_000


def test_the_time_of_writing_is_noted_once_a_later_change_would_bear_another(tmp_path: Path) -> None:
    file = tmp_path / "file"
    write_at(file, b"x", LONG_AGO)
    assert file_sum(file).written_ns == LONG_AGO
    for written_ns in (time.time_ns() - SETTLED_NS // 2, time.time_ns() + 3600 * 10**9):
        write_at(file, b"x", written_ns)
        assert file_sum(file).written_ns == 0


def test_a_file_that_bears_its_time_is_read_only_when_all_are(tmp_path: Path) -> None:
    file = tmp_path / "file"
    write_at(file, b"one", LONG_AGO)
    sums = file_sums(tmp_path, [file])
    write_at(file, b"two", LONG_AGO)
    assert changes(tmp_path, sums) == []
    assert changes(tmp_path, sums, read_all=True) == ["file holds other bytes than were written"]


@pytest.mark.parametrize("content", [b"two", b"four"])
def test_a_file_of_another_time_or_size_is_noticed(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "file"
    write_at(file, b"one", LONG_AGO)
    sums = file_sums(tmp_path, [file])
    write_at(file, content, LONG_AGO + (len(content) == 3))
    assert len(changes(tmp_path, sums)) == 1


def test_a_file_written_again_at_once_is_noticed_though_it_bears_its_time(tmp_path: Path) -> None:
    file, now = tmp_path / "file", time.time_ns()
    write_at(file, b"one", now)
    sums = file_sums(tmp_path, [file])
    write_at(file, b"two", now)
    assert changes(tmp_path, sums) == ["file holds other bytes than were written"]


def test_a_known_file_that_bears_its_time_is_not_summed_again(tmp_path: Path) -> None:
    file = tmp_path / "file"
    write_at(file, b"one", LONG_AGO)
    known = {"file": changed(file_sum(file), crc32=7)}
    assert file_sums(tmp_path, [file], known)["file"].crc32 == 7
    write_at(file, b"two", LONG_AGO + 1)
    assert file_sums(tmp_path, [file], known)["file"] == file_sum(file)
