"""One owner at a time, and none left behind by the dead."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
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
    expected = r"process 1 on elsewhere \(prism chat, since 2026-01-02T03:04:05.*\)\. Stop it, or .*--storage"
    with pytest.raises(StoreBusyError, match=expected):
        Ownership(tmp_path)
    first.release()


@pytest.mark.parametrize("text", [None, "", "{", "[]", '{"pid": 3}', "\x00\xff"])
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
