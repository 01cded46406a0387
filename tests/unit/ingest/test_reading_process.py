from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.processes import surroundings

FAULTY_READERS = Path(__file__).parents[2] / "faulty_readers"

PARENT = """
import sys
from pathlib import Path
from prism.ingest.reading import ReadingProcess
from prism.settings import ReadSettings
from prism.types import Source

with ReadingProcess(ReadSettings(), check=lambda: None) as reading:
    source = Source(Path("a.txt"), "a.txt")
    reading.load(source, b"fine", ReadSettings())
    print(reading._worker._popen.pid, flush=True)
    reading.load(source, sys.argv[1].encode(), ReadSettings())
"""


def is_alive(pid: int) -> bool:
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("fault", ["for_ever", "for_ever_in_c"])
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_the_process_ends_with_the_ingest_whatever_ends_that(
    tmp_path: Path, fault: str, how: signal.Signals
) -> None:
    around = surroundings(tmp_path)
    path = os.pathsep.join(filter(None, (str(FAULTY_READERS), *sys.path)))
    with subprocess.Popen(  # noqa: S603
        [sys.executable, "-c", PARENT, f"FAULT {fault}"],
        cwd=tmp_path,
        env={**around, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as parent:
        assert parent.stdout is not None
        assert parent.stderr is not None
        worker = int(parent.stdout.readline())
        time.sleep(0.3)
        assert is_alive(worker)
        parent.send_signal(how)
        assert parent.wait(20) == -how
        until = time.monotonic() + 10
        while is_alive(worker) and time.monotonic() < until:
            time.sleep(0.01)
        assert not is_alive(worker)
        # Python's own word on Ctrl-C, once: the process that reads adds nothing.
        assert parent.stderr.read().count("Traceback") == (how == signal.SIGINT)
