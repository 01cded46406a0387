"""A process that brings files in with an arithmetic embedder and says what became of them, how long each
took and how much memory it needed: `python -m tests.integration.ingest_measured REQUEST.json`, answer on
stdout."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from prism import IngestProgress, Prism, Source
from tests.fakes import BY_WORDS, LetterEmbedder
from tests.memory import PeakMemory

MODELS: dict[str, Any] = {
    "rerank.kind": "none",
    "models.answerer": "quote",
    "gate.calibration": BY_WORDS,
}
"""No model but letters; the keyword store is the real one."""


def open_light(storage: Path, **overlay: Any) -> Prism:
    return Prism.open(overlay={"storage.path": storage, **MODELS, **overlay}, embedder=LetterEmbedder())


def run_measured(request: Path) -> dict[str, Any]:
    """The answer of this module run as a process of its own on a request's file."""
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "tests.integration.ingest_measured", str(request)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def main(request: dict[str, Any]) -> dict[str, Any]:
    """`storage`, `sources` (path, name), `overlay`, and options of `Prism.ingest`."""
    pages: list[tuple[int, int]] = []
    leaves: list[int] = []

    def told(progress: IngestProgress) -> None:
        if getattr(progress, "pages", 0):
            pages.append((progress.page, progress.pages))
        leaves.append(progress.leaves_done)

    sources = [Source(Path(path), name) for path, name in request["sources"]]
    with (
        PeakMemory() as memory,
        open_light(Path(request["storage"]), **request.get("overlay", {})) as prism,
    ):
        report = prism.ingest(sources, told, **request.get("options", {}))
    return {
        "files": [asdict(file) for file in report.files],
        "peak_mb": memory.mb,
        "pages": pages,
        "leaves": leaves,
    }


if __name__ == "__main__":
    print(json.dumps(main(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))))
