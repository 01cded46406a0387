"""Memory and disk a build takes."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from prism.errors import UsageError

MB: Final = 1_000_000
_STATUS: Final = Path("/proc/self/status")


def peak_memory_mb() -> float:
    """The most memory this process has held at once (VmHWM), models and libraries included.

    Raises:
        UsageError: the system does not tell (it is no Linux).
    """
    if _STATUS.is_file():
        for line in _STATUS.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024 / MB
    raise UsageError("peak memory is read from /proc/self/status, which is not here: run the bench on Linux")


def disk_mb(folder: Path) -> float:
    """What the files below a folder hold."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / MB
