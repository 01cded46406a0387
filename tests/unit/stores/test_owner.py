"""One owner at a time, and none left behind by the dead."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from prism.errors import StoreBusyError, StoreError
from prism.stores.owner import WHO_FILE, Ownership

OTHER = {"pid": 1, "host": "elsewhere", "command": "prism chat", "started_at": "2026-01-02T03:04:05+00:00"}


def test_the_second_in_the_same_program_is_told_to_close_the_first(tmp_path: Path) -> None:
    first = Ownership(tmp_path)
    with pytest.raises(StoreBusyError, match=r"this program has it open already.*with_settings.*--storage"):
        Ownership(tmp_path)
    first.release()


def test_the_second_is_told_who_owns_the_folder_and_what_to_do(tmp_path: Path) -> None:
    first = Ownership(tmp_path)
    (tmp_path / WHO_FILE).write_text(json.dumps(OTHER), encoding="utf-8")
    expected = (
        r"process 1 on elsewhere \(prism chat, since 2026-01-0[123] \d\d:\d\d\)\. Stop it, or .*--storage"
    )
    with pytest.raises(StoreBusyError, match=expected):
        Ownership(tmp_path)
    first.release()


@pytest.mark.parametrize(
    "text", [None, "", "{", "[]", "null", '{"pid": 3}', "\x00\xff", json.dumps({**OTHER, "started_at": 7})]
)
def test_an_owner_who_cannot_be_named_is_an_owner_all_the_same(tmp_path: Path, text: str | None) -> None:
    first = Ownership(tmp_path)
    (tmp_path / WHO_FILE).unlink()
    if text is not None:
        (tmp_path / WHO_FILE).write_text(text, encoding="utf-8")
    with pytest.raises(StoreBusyError, match="in use by another process"):
        Ownership(tmp_path)
    first.release()


def test_a_stale_name_without_a_lock_keeps_nobody_out(tmp_path: Path) -> None:
    (tmp_path / WHO_FILE).write_text(json.dumps(OTHER), encoding="utf-8")
    held = Ownership(tmp_path)
    assert json.loads((tmp_path / WHO_FILE).read_text(encoding="utf-8"))["pid"] == os.getpid()
    held.release()


def test_what_is_released_can_be_owned_again(tmp_path: Path) -> None:
    first = Ownership(tmp_path)
    first.release()
    first.release()
    assert not (tmp_path / WHO_FILE).exists()
    Ownership(tmp_path).release()


def test_who_was_released_does_not_take_the_name_of_the_next(tmp_path: Path) -> None:
    first = Ownership(tmp_path)
    first.release()
    second = Ownership(tmp_path)
    first.release()
    assert (tmp_path / WHO_FILE).exists()
    second.release()


def test_what_is_forgotten_is_given_back(tmp_path: Path) -> None:
    Ownership(tmp_path)
    gc.collect()
    Ownership(tmp_path).release()


def test_a_killed_process_leaves_no_owner(tmp_path: Path) -> None:
    script = (
        "import os, pathlib, signal, sys; from prism.stores.owner import Ownership; "
        "held = Ownership(pathlib.Path(sys.argv[1])); os.kill(os.getpid(), signal.SIGKILL)"
    )
    command = [sys.executable, "-c", script, str(tmp_path)]
    ended = subprocess.run(command, check=False)  # noqa: S603
    assert ended.returncode == -9
    assert (tmp_path / WHO_FILE).exists()
    Ownership(tmp_path).release()


def test_a_folder_that_cannot_hold_the_lock_is_refused_plainly(tmp_path: Path) -> None:
    (tmp_path / ".owner").mkdir()
    with pytest.raises(StoreError, match=r"cannot be locked.*--storage"):
        Ownership(tmp_path)


def test_a_name_left_by_a_process_whose_id_another_has_now_is_not_given(tmp_path: Path) -> None:
    first = Ownership(tmp_path)
    named = json.loads((tmp_path / WHO_FILE).read_text(encoding="utf-8"))
    if named["process_start"] is None:
        pytest.skip("this system does not say when a process began")
    named |= {"pid": os.getppid(), "process_start": named["process_start"] + 1}
    (tmp_path / WHO_FILE).write_text(json.dumps(named), encoding="utf-8")
    with pytest.raises(StoreBusyError, match="in use by another process"):
        Ownership(tmp_path)
    first.release()


def test_another_thread_than_took_the_folder_can_give_it_back(tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(Ownership, tmp_path).result()
    first.release()
    Ownership(tmp_path).release()


def test_a_folder_taken_by_a_thread_that_has_ended_stays_taken(tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(Ownership, tmp_path).result()
    with pytest.raises(StoreBusyError):
        Ownership(tmp_path)
    first.release()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_owns_nothing_and_gives_nothing_back(tmp_path: Path) -> None:
    script = (
        "import os, pathlib, sys\n"
        "from prism.errors import StoreBusyError\n"
        "from prism.stores.owner import Ownership\n"
        "held = Ownership(pathlib.Path(sys.argv[1]))\n"
        "if not (child := os.fork()):\n"
        "    print(held.is_ours, flush=True)\n"
        "    held.release()\n"
        "    sys.exit(0)\n"
        "os.waitpid(child, 0)\n"
        "try:\n"
        "    Ownership(pathlib.Path(sys.argv[1]))\n"
        "except StoreBusyError:\n"
        "    print('busy', flush=True)\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path)]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    assert ended.stdout.split() == ["False", "busy"]


@pytest.mark.parametrize(
    ("argv", "command"),
    [
        (["/usr/bin/prism", "ask", "how much?"], "prism ask 'how much?'"),
        (["C:/Scripts/prism.exe", "chat"], "prism chat"),
        (["/app/ui/__main__.py", "--port", "80"], "ui"),
        (["-c"], "python"),
        ([""], "python"),
        ([], "python"),
        (["/usr/bin/prism", "ask", "x" * 200], f"prism ask {'x' * 70}…"),
    ],
)
def test_the_owner_is_named_by_what_it_was_asked_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, argv: list[str], command: str
) -> None:
    monkeypatch.setattr(sys, "argv", argv)
    held = Ownership(tmp_path)
    assert json.loads((tmp_path / WHO_FILE).read_text(encoding="utf-8"))["command"] == command
    held.release()
