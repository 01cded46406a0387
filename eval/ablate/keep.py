"""An ablation as JSON: means and differences with their intervals, without the questions' rows."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from eval.ablate.run import Trial
from eval.outcome.result import Result

SCHEMA_VERSION: Final = 1


def write_ablation(folder: Path, name: str, base: Result, trials: Sequence[Trial]) -> Path:
    """Write `ablate-NAME-<commit>.json` and return where."""
    body: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "commit": base.commit,
        "dirty": base.dirty,
        "date": base.date,
        "machine": dict(base.machine),
        "libraries": dict(base.libraries),
        "dataset": base.dataset,
        "fingerprint": base.fingerprint,
        "unit": base.unit,
        "counts": dict(base.counts),
        "base": {"settings": dict(base.settings), **_measured(base)},
        "trials": [
            {
                "axis": trial.variant.axis,
                "label": trial.variant.label,
                "settings": dict(trial.variant.overlay),
                **_measured(trial.result),
                "differences": {key: asdict(value) for key, value in trial.differences.items()},
            }
            for trial in trials
        ],
    }
    file = folder / f"ablate-{name}-{base.commit}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(body, ensure_ascii=False, allow_nan=False) + "\n", encoding="utf-8")
    return file


def _measured(result: Result) -> Mapping[str, Any]:
    return {
        "leaves": result.index["leaves"],
        "metrics": {name: asdict(summary) for name, summary in result.metrics.items()},
        "latency_ms": {stage: dict(values) for stage, values in result.latency_ms.items()},
    }
