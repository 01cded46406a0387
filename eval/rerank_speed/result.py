"""The result as JSON: the figures, what they follow from, and what they depend on."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from eval.datasets.dataset import Dataset
from eval.machine import Code, library_versions, machine_facts, settings_hash
from eval.rerank_speed.figures import Figures
from eval.rerank_speed.ingest import BlockTimes
from eval.rerank_speed.pools import Pool
from eval.rerank_speed.rerank import Timed
from eval.runs.run import changed_settings
from prism.settings import Settings

SCHEMA_VERSION: Final = 1


def write_result(
    folder: Path,
    figures: Figures,
    *,
    dataset: Dataset,
    settings: Settings,
    code: Code,
    parameters: Mapping[str, object],
    models: Mapping[str, str],
    measured: Sequence[tuple[Pool, Timed]],
    blocks: Sequence[BlockTimes],
) -> Path:
    """Write `rerank-speed-SET-<commit>.json` and return where.

    Args:
        models: names of the embedder and of its token vectors' recipe.
        measured: each question's pool and what it took.
    """
    body = {
        "schema_version": SCHEMA_VERSION,
        "commit": code.commit,
        "dirty": code.dirty,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "dataset": dataset.name,
        "fingerprint": dataset.fingerprint,
        "settings": changed_settings(settings),
        "settings_hash": settings_hash(settings),
        "models": dict(models),
        "machine": machine_facts(),
        "libraries": library_versions(),
        "parameters": dict(parameters),
        "figures": {**asdict(figures), "bytes_per_leaf": figures.disk.bytes_per_leaf},
        "questions": [
            {
                "question_id": pool.question_id,
                "leaves": len(pool.leaves),
                "stored_ms": timed.stored_ms,
                "fresh_ms": timed.fresh_ms,
            }
            for pool, timed in measured
        ],
        "blocks": [asdict(block) for block in blocks],
    }
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"rerank-speed-{dataset.name}-{code.commit}.json"
    text = json.dumps(body, indent=1, ensure_ascii=False, allow_nan=False)
    file.write_text(f"{text}\n", encoding="utf-8")
    return file
