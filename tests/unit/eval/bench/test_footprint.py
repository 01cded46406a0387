"""Memory and disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from eval.bench import footprint
from eval.bench.footprint import disk_mb, peak_memory_mb
from prism.errors import UsageError


def test_disk_counts_the_files_of_every_folder_below(tmp_path: Path) -> None:
    (tmp_path / "one").write_bytes(b"x" * 250_000)
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "deep" / "er" / "two").write_bytes(b"x" * 750_000)
    assert disk_mb(tmp_path) == pytest.approx(1.0)


def test_peak_memory_is_read_in_kibibytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    status = tmp_path / "status"
    status.write_text("Name:\tpython\nVmHWM:\t  250000 kB\nVmRSS:\t  1000 kB\n")
    monkeypatch.setattr(footprint, "_STATUS", status)
    assert peak_memory_mb() == pytest.approx(256.0)


def test_a_system_that_does_not_tell_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(footprint, "_STATUS", tmp_path / "status")
    with pytest.raises(UsageError, match="Linux"):
        peak_memory_mb()
