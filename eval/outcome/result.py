"""The result of a run as JSON. The form has a version, since results are kept and compared for years."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from eval.outcome.row import Row, from_json, to_json
from prism.errors import UsageError

SCHEMA_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Summary:
    """A metric over the questions it was worked out for, with the 95 % interval of the mean."""

    mean: float
    low: float
    high: float
    questions: int


@dataclass(frozen=True, slots=True)
class Result:
    """A run: what was measured, with what, and every question's row.

    `settings` are those that differ from the defaults, dotted; `settings_hash` covers all of them, and
    `fingerprint` every byte of the dataset. `counts` tells how many questions were asked, scored,
    unscorable, failed and cut off by `--limit`. `k` passages were given to the answerer. `index` tells of
    the index: leaves, documents, seconds, from which cache. `latency_ms`: per stage its p50, p95 and p99.
    """

    name: str
    commit: str
    dirty: bool
    date: str
    dataset: str
    unit: str
    fingerprint: str
    settings: Mapping[str, Any]
    settings_hash: str
    models: Mapping[str, str]
    machine: Mapping[str, Any]
    libraries: Mapping[str, str]
    k: int
    counts: Mapping[str, int]
    index: Mapping[str, Any]
    metrics: Mapping[str, Summary]
    latency_ms: Mapping[str, Mapping[str, float]]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()


def write_result(file: Path, result: Result) -> None:
    """Write it, one row a line, all at once: a reader never finds half a result."""
    body = {
        "schema_version": SCHEMA_VERSION,
        **{name: _plain(getattr(result, name)) for name in Result.__dataclass_fields__ if name != "rows"},
    }
    head = json.dumps(body, ensure_ascii=False, indent=1, allow_nan=False).rstrip("}\n")
    lines = (json.dumps(to_json(row), ensure_ascii=False, allow_nan=False) for row in result.rows)
    text = head + ',\n "rows": [\n' + ",\n".join(f"  {line}" for line in lines) + "\n ]\n}\n"
    file.parent.mkdir(parents=True, exist_ok=True)
    unfinished = file.with_name(file.name + ".unfinished")
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(file)


def read_result(file: Path) -> Result:
    """Read a result.

    Raises:
        UsageError: there is none, or its form is another one.
    """
    try:
        body: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        version = body.pop("schema_version")
        if version != SCHEMA_VERSION:
            raise UsageError(
                f"{file}: a result of form {version}; this code reads form {SCHEMA_VERSION}. Run it again."
            )
        body["metrics"] = {name: Summary(**values) for name, values in body["metrics"].items()}
        body["rows"] = tuple(from_json(row) for row in body["rows"])
        body["notes"] = tuple(body["notes"])
        result = Result(**body)
        if result.counts["asked"] != len(result.rows):
            raise ValueError(f"it tells of {result.counts['asked']} questions and holds {len(result.rows)}")
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(
            f"{file}: not a result of 'python -m eval retrieval' ({type(error).__name__}: {error}). "
            "eval/results/ holds some."
        ) from None
    return result


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, Summary):
        return {name: getattr(value, name) for name in Summary.__dataclass_fields__}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(item) for item in value]
    return value
