"""The result as JSON: what was measured, and what it depends on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from eval.machine import Code, library_versions, machine_facts
from eval.reading.measure import Measured, means
from prism.settings import ReadSettings

SCHEMA_VERSION: Final = 1


def write_result(folder: Path, measured: Sequence[Measured], code: Code, settings: ReadSettings) -> Path:
    """Write `reading-<commit>.json` and return where."""
    body = {
        "schema_version": SCHEMA_VERSION,
        "commit": code.commit,
        "dirty": code.dirty,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine_facts(),
        "libraries": library_versions(),
        "settings": settings.model_dump(mode="json"),
        "means": [asdict(group) for group in means(measured)],
        "files": [
            {
                **asdict(file),
                "precision": file.overlap.precision,
                "recall": file.overlap.recall,
            }
            for file in measured
        ],
    }
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"reading-{code.commit}.json"
    text = json.dumps(body, indent=1, ensure_ascii=False, allow_nan=False)
    file.write_text(f"{text}\n", encoding="utf-8")
    return file
