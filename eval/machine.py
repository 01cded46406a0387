"""What a result depends on besides the code: machine, libraries, settings, state of the repository."""

from __future__ import annotations

import hashlib
import os
import platform
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Final

from prism.settings import Settings

LIBRARIES: Final = (
    "llama-index-core",
    "llama-index-vector-stores-chroma",
    "llama-index-retrievers-bm25",
    "llama-index-embeddings-huggingface",
    "chromadb",
    "bm25s",
    "sentence-transformers",
    "torch",
    "numpy",
    "ir_measures",
    "pytrec_eval-terrier",
)
REPOSITORY: Final = Path(__file__).parents[1]
RESULTS: Final = REPOSITORY / "eval" / "results"


UNKNOWN: Final = "unknown"
"""The commit of a copy without history."""


@dataclass(frozen=True, slots=True)
class Code:
    """The code measured: its commit, and whether files of it differ. `changes` hashes the difference."""

    commit: str
    dirty: bool
    changes: str


def code_now(*measured: str) -> Code:
    """The state of the repository this file lies in; a copy without history is `unknown`.

    Args:
        measured: folders whose changes count.
    """
    commit = _git("rev-parse", "--short=12", "HEAD").strip()
    if not commit:
        return Code(UNKNOWN, True, "")
    difference = _git("diff", "HEAD", "--", *measured) + _git("status", "--porcelain", "--", *measured)
    # A new file is named by the status, and its contents are part of the code too.
    for name in _git("ls-files", "-z", "--others", "--exclude-standard", "--", *measured).split("\0"):
        if name:
            difference += hashlib.blake2b((REPOSITORY / name).read_bytes(), digest_size=8).hexdigest()
    return Code(commit, bool(difference), hashlib.blake2b(difference.encode(), digest_size=4).hexdigest())


def machine_facts() -> Mapping[str, str | int | float]:
    """Processor, cores, memory, system, Python, and how busy the machine was."""
    pages, page_bytes = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    return {
        "processor": _processor(),
        "cores": os.cpu_count() or 0,
        "memory_gb": round(pages * page_bytes / 1e9, 1),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "load_1_min": round(os.getloadavg()[0], 2),
    }


def library_versions() -> Mapping[str, str]:
    """Versions of the libraries that figures depend on, as far as they are installed."""
    installed = {dist.metadata["Name"] for dist in metadata.distributions()}
    return {name: metadata.version(name) for name in LIBRARIES if name in installed}


def settings_hash(settings: Settings) -> str:
    """Hash of all settings but where the data lies."""
    text = settings.model_dump_json(exclude={"storage"})
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def _processor() -> str:
    file = Path("/proc/cpuinfo")
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    named = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor()


def _git(*arguments: str) -> str:
    command = ["git", "-C", str(REPOSITORY), *arguments]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout  # noqa: S603
    except (OSError, subprocess.CalledProcessError):  # no git, or no repository: `unknown` says so
        return ""
