"""The result of a run as JSON: raw values and what they say. The form has a version, as results are kept."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any, Final

from eval.bench.log import Record
from eval.bench.quantities import BUILDS, BY_NAME, QUANTITIES, Quantity
from eval.bench.stages import StageComparison, compare_stages
from eval.bench.statistics import Ratio, Verdict, advantage, verdict
from eval.machine import Code, library_versions, machine_facts, settings_hash
from prism.errors import UsageError
from prism.settings import Settings

SCHEMA_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Comparison:
    """One quantity at one size: both medians, how many times better Prism is, and what that means."""

    leaves: int
    quantity: str
    prism: float
    plain: float
    ratio: Ratio
    verdict: Verdict


def compare(records: Sequence[Record]) -> tuple[Comparison, ...]:
    """Compare what both builds have measured, by size and in the order of `QUANTITIES`."""
    sizes = sorted({record.leaves for record in records})
    found = (_compare(records, leaves, quantity) for leaves in sizes for quantity in QUANTITIES)
    return tuple(comparison for comparison in found if comparison is not None)


def _compare(records: Sequence[Record], leaves: int, quantity: Quantity) -> Comparison | None:
    values: dict[str, dict[int, float]] = {build: {} for build in BUILDS}
    for record in records:
        if (record.leaves, record.quantity) == (leaves, quantity.name):
            values[record.build][record.repetition] = record.value
    both = sorted(values["prism"].keys() & values["plain"].keys())
    if not both:
        return None
    prism, plain = ([values[build][repetition] for repetition in both] for build in BUILDS)
    ratio = advantage(prism, plain, quantity.better)
    return Comparison(leaves, quantity.name, median(prism), median(plain), ratio, verdict(ratio))


def write_result(
    folder: Path,
    records: Sequence[Record],
    code: Code,
    parameters: Mapping[str, object],
    *,
    only: str | None = None,
) -> Path:
    """Write `bench-<commit>.json` and return where.

    Args:
        only: the part that was measured alone, `bench-<only>-<commit>.json` then.
    """
    body = {
        "schema_version": SCHEMA_VERSION,
        "commit": code.commit,
        "dirty": code.dirty,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine_facts(),
        "libraries": library_versions(),
        "settings": settings_hash(Settings()),
        "parameters": parameters,
        "comparisons": [_to_json(comparison) for comparison in compare(records)],
        "stages": [_stage_to_json(each) for each in compare_stages(records)],
        "records": [asdict(record) for record in records],
    }
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{'-'.join(filter(None, ('bench', only, code.commit)))}.json"
    file.write_text(json.dumps(body, indent=1, allow_nan=False) + "\n", encoding="utf-8")
    return file


def read_records(file: Path) -> tuple[Record, ...]:
    """The raw values of a result.

    Raises:
        UsageError: it is no result of a form known here.
    """
    try:
        body: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        version = body["schema_version"]
        rows = body["records"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{file}: not a result of the bench ({error}). See eval/results.") from None
    if version != SCHEMA_VERSION:
        raise UsageError(f"{file}: a result of form {version}; this code reads form {SCHEMA_VERSION}.")
    return tuple(_known(Record(**row) for row in rows))


def _known(records: Iterator[Record]) -> Iterator[Record]:
    return (record for record in records if record.quantity in BY_NAME)


def _to_json(comparison: Comparison) -> Mapping[str, object]:
    return {
        **{key: value for key, value in asdict(comparison).items() if key != "ratio"},
        "unit": BY_NAME[comparison.quantity].unit,
        "better": BY_NAME[comparison.quantity].better,
        **_ratio_to_json(comparison.ratio),
    }


def _stage_to_json(each: StageComparison) -> Mapping[str, object]:
    return {
        "leaves": each.leaves,
        "stage": each.stage.name,
        "quantity": each.stage.quantity,
        "prism_ms": each.prism_ms,
        "plain_ms": each.plain_ms,
        **(_ratio_to_json(each.ratio) if each.ratio else {}),
    }


def _ratio_to_json(ratio: Ratio) -> Mapping[str, object]:
    high = ratio.high if math.isfinite(ratio.high) else None
    return {"times_better": ratio.mean, "low": ratio.low, "high": high}
