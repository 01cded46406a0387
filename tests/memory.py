"""The memory of a process and of those it starts."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

_EVERY_S = 0.02


class PeakMemory:
    """Watches this process and all below it while the block runs; `mb` is the most they held together.

    What one process has held at most counts while it lives, so that the sum is rather too high. `getrusage`
    will not do: on Linux a child's figure begins with what its parent held when it was started.
    """

    def __init__(self) -> None:
        self.mb = 0.0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> PeakMemory:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()

    def _watch(self) -> None:
        while True:
            self.mb = max(self.mb, sum(_peak_mb(process) for process in _with_children(os.getpid())))
            if self._stop.wait(_EVERY_S):
                return


def _with_children(process: int) -> Iterator[int]:
    yield process
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            children = task.read_text().split()
        except OSError:  # it has ended meanwhile
            continue
        for child in children:
            yield from _with_children(int(child))


def _peak_mb(process: int) -> float:
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")) / 1000
