"""One owner at a time, and none left behind by the dead."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from prism.stores.owner import Ownership


def test_the_first_to_come_owns_and_the_next_does_not(tmp_path: Path):
    first, second = Ownership(tmp_path / "owner"), Ownership(tmp_path / "owner")
    assert (first.is_owner, second.is_owner) == (True, False)


def test_what_is_released_can_be_owned_again(tmp_path: Path):
    Ownership(tmp_path / "owner").release()
    assert Ownership(tmp_path / "owner").is_owner


def test_a_killed_process_leaves_no_owner(tmp_path: Path):
    script = (
        "import os, pathlib, signal, sys; from prism.stores.owner import Ownership; "
        "held = Ownership(pathlib.Path(sys.argv[1])); assert held.is_owner; "
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "owner")]
    ended = subprocess.run(command, check=False)  # noqa: S603
    assert ended.returncode == -9
    assert Ownership(tmp_path / "owner").is_owner
