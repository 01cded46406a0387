"""Two processes, one storage folder (DEP-02, DEP-03): the second is told who is at work, and sees all once
the first has ended."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.processes import run_prism, run_python, surroundings
from tests.shelf import write

HOLDER = (
    "import sys; from prism import Prism; prism = Prism.open(); prism.ingest(sys.argv[1]); "
    "print('ready', flush=True); sys.stdin.readline(); prism.close()"
)


@contextmanager
def held_by_another(folder: Path, source: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that has ingested a file and keeps the folder until a line comes on its standard input."""
    command = [sys.executable, "-c", HOLDER, str(source)]
    with subprocess.Popen(  # noqa: S603
        command,
        cwd=folder,
        env=surroundings(folder),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.slow
def test_dep_02_dep_03_a_second_process_is_refused_by_name_and_sees_all_afterwards(tmp_path: Path) -> None:
    first, second = write(tmp_path, {"a.txt": "The locker code is 4471.", "b.txt": "Leave is fifteen days."})
    with held_by_another(tmp_path, first.path) as owner:
        for arguments in (("ingest", second.path), ("ask", "What is the locker code?"), ("status",)):
            refused = run_prism(*arguments, folder=tmp_path)
            assert refused.code == 1, arguments
            assert f"in use by process {owner.pid}" in refused.err
            assert "--storage" in refused.err
            assert "Traceback" not in refused.err
        elsewhere = run_prism("--storage", tmp_path / "other", "ingest", second.path, folder=tmp_path)
        assert elsewhere.code == 0
        assert owner.stdin is not None
        owner.stdin.write("\n")
        owner.stdin.flush()
        assert owner.wait(timeout=60) == 0
    assert run_prism("ingest", second.path, folder=tmp_path).code == 0
    listed = run_prism("--json", "documents", folder=tmp_path)
    assert [item["document"] for item in listed.json["documents"]] == ["a.txt", "b.txt"]
    found = run_prism("--json", "ask", "What is the locker code?", folder=tmp_path)
    assert "4471" in found.json["answer"]


@pytest.mark.slow
def test_the_refusal_is_json_when_json_is_asked_for(tmp_path: Path) -> None:
    (first,) = write(tmp_path, {"a.txt": "The locker code is 4471."})
    with held_by_another(tmp_path, first.path) as owner:
        refused = run_prism("--json", "status", folder=tmp_path)
    assert refused.code == 1
    assert f"process {owner.pid}" in refused.err + refused.out
    if refused.out:
        json.loads(refused.out)


@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_a_process_that_was_ended_leaves_the_folder_free(tmp_path: Path, end: signal.Signals) -> None:
    (first,) = write(tmp_path, {"a.txt": "The locker code is 4471."})
    with held_by_another(tmp_path, first.path) as owner:
        owner.send_signal(end)
        owner.wait(timeout=60)
    assert (tmp_path / "storage" / "data" / ".owner.json").exists()
    found = run_prism("--json", "ask", "What is the locker code?", folder=tmp_path)
    assert found.code == 0
    assert "4471" in found.json["answer"]


FORKER = """
import os, sys
from prism import Prism, PrismError
prism = Prism.open()
prism.ingest(sys.argv[1])
prism.ask("What is the locker code?")
if not (child := os.fork()):
    for act in (prism.documents, prism.status, lambda: prism.ask("What is the locker code?"),
                lambda: prism.ingest(sys.argv[1]), prism.conversation):
        try:
            act()
        except PrismError as error:
            print(type(error).__name__, "forked" in str(error), flush=True)
    prism.close()
    sys.stdout.flush()
    os._exit(0)
os.waitpid(child, 0)
print(prism.ask("What is the locker code?").text, flush=True)
try:
    Prism.open()
except PrismError as error:
    print(type(error).__name__, flush=True)
prism.close()
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_is_refused_and_takes_nothing_from_the_owner(tmp_path: Path) -> None:
    (first,) = write(tmp_path, {"a.txt": "The locker code is 4471."})
    ended = run_python("-c", FORKER, str(first.path), folder=tmp_path)
    assert ended.code == 0, ended.err[-2000:]
    *refused, answer, second = ended.out.splitlines()
    assert refused == ["StoreBusyError True"] * 5
    assert "4471" in answer
    assert second == "StoreBusyError"
    assert run_prism("documents", folder=tmp_path).code == 0
