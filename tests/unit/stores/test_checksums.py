from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from prism.stores.checksums import FileSum, changes, file_sum, file_sums


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
