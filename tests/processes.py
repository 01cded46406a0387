"""Prism in a process of its own, as a person or a script starts it; with the network watched if wanted."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

WATCH = Path(__file__).parent / "network_watch"
"""Holds a `sitecustomize` that blocks and records every connection but to loopback."""

KEPT = ("PATH", "LANG", "LD_LIBRARY_PATH", "PYTHONPATH", "TMPDIR")


@dataclass(frozen=True, slots=True)
class Ended:
    """A process that has ended, and the connections it tried (when watched)."""

    code: int
    out: str
    err: str
    attempts: tuple[str, ...] = ()

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def surroundings(folder: Path) -> dict[str, str]:
    """The environment of a process: an empty HOME in `folder`, and little of this process's own."""
    home = folder / "home"
    home.mkdir(parents=True, exist_ok=True)
    return {"HOME": str(home), **{name: os.environ[name] for name in KEPT if name in os.environ}}


def run_prism(
    *arguments: str | Path,
    folder: Path,
    typed: str = "",
    environ: Mapping[str, str] | None = None,
    watch: bool = False,
) -> Ended:
    """`prism ARGUMENTS…` in `folder`, with an empty HOME and nothing else of this process's environment.

    Args:
        typed: what comes on standard input.
        watch: block and record connections.
    """
    return run_python("-m", "prism.cli", *arguments, folder=folder, typed=typed, environ=environ, watch=watch)


def run_python(
    *arguments: str | Path,
    folder: Path,
    typed: str = "",
    environ: Mapping[str, str] | None = None,
    watch: bool = False,
) -> Ended:
    """Python with these arguments, surroundings as `run_prism` has them."""
    log = folder / "attempts.txt"
    around = {**surroundings(folder), **(environ or {})}
    if watch:
        path = os.pathsep.join(filter(None, (str(WATCH), around.get("PYTHONPATH"))))
        around |= {"PYTHONPATH": path, "NETWORK_ATTEMPTS": str(log)}
    ended = subprocess.run(  # noqa: S603
        [sys.executable, *map(str, arguments)],
        cwd=folder,
        env=around,
        input=typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    attempts = tuple(log.read_text(encoding="utf-8").splitlines()) if log.exists() else ()
    return Ended(ended.returncode, ended.stdout, ended.stderr, attempts)
