"""A calibration as the file that Prism reads, with all that it rests on."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from eval.calibrate.kinds import KINDS, Kind
from eval.calibrate.measure import Area, Observed, Point
from eval.machine import Code, library_versions
from prism.query.calibration import SCHEMA_VERSION, Calibration
from prism.settings import Settings

RECORDED: Final = ("chunk", "keywords", "retrieval", "rerank")
"""Sections of the settings that shape the features. Only what `Circumstances` names must agree later; the
rest is there to be read."""

DIGITS: Final = 6
"""Decimals of coefficients and scores: those that follow differ between machines."""


def provenance_of(
    observed: Sequence[Observed],
    settings: Settings,
    code: Code,
    *,
    target: Mapping[str, float],
    weights: Mapping[Kind, float],
    limit: int,
) -> dict[str, Any]:
    """Where a calibration comes from: date, code, settings, sets, and what it was to reach."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": code.commit,
        "dirty": code.dirty,
        "libraries": dict(library_versions()),
        "settings": {name: getattr(settings, name).model_dump(mode="json") for name in RECORDED},
        "target": dict(target),
        "weights": dict(weights),
        "limit": limit,
        "sets": [
            {
                "name": item.name,
                "fingerprint": item.fingerprint,
                "documents": item.documents,
                "leaves": item.leaves,
                "questions": {kind: item.count(kind) for kind in KINDS if item.count(kind)},
            }
            for item in observed
        ],
    }


def write_calibration(
    file: Path, calibration: Calibration, areas: Sequence[Area], points: Sequence[Point]
) -> None:
    """Write it, all at once. `load_calibration` reads it; areas and points are there for people."""
    made = calibration.made_under
    body = {
        "schema_version": SCHEMA_VERSION,
        "threshold": calibration.threshold,
        "curves": [
            {"coefficients": dict(curve.coefficients), "bias": curve.bias} for curve in calibration.curves
        ],
        "made_under": None if made is None else asdict(made),
        "provenance": dict(calibration.provenance),
        "auroc": [asdict(area) for area in areas],
        "operating_curve": [asdict(point) for point in points],
    }
    text = json.dumps(_rounded(body), ensure_ascii=False, allow_nan=False, indent=1)
    file.parent.mkdir(parents=True, exist_ok=True)
    unfinished = file.with_name(file.name + ".unfinished")
    unfinished.write_text(text + "\n", encoding="utf-8")
    unfinished.replace(file)


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, DIGITS)
    if isinstance(value, Mapping):
        return {key: _rounded(item) for key, item in value.items()}
    return [_rounded(item) for item in value] if isinstance(value, list | tuple) else value
