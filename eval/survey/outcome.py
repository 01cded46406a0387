"""What a choice came to on a set, small enough to be kept with the code."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from eval.machine import Code, library_versions, machine_facts
from eval.outcome.result import Result, Summary
from prism.errors import UsageError

SCHEMA_VERSION: Final = 1

METRICS: Final = (
    "ndcg@10",
    "recall@5",
    "recall@10",
    "recall@20",
    "hit@1",
    "mrr",
    "context_recall",
    "abstain_rate",
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A choice on a set: means with their intervals, and the milliseconds of a search, None where every
    question failed.

    `ndcg` holds every question's nDCG@10, in the order of the set, so that choices can be compared in pairs.
    """

    set: str
    choice: str
    questions: int
    leaves: int
    metrics: Mapping[str, Summary]
    search_p50_ms: float | None
    search_p95_ms: float | None
    ndcg: tuple[float | None, ...]

    @classmethod
    def of(cls, surveyed: str, choice: str, result: Result) -> Outcome:
        """The outcome of a run."""
        spent = result.latency_ms.get("total")
        return cls(
            set=surveyed,
            choice=choice,
            questions=result.counts["scored"],
            leaves=result.index["leaves"],
            metrics={name: result.metrics[name] for name in METRICS if name in result.metrics},
            search_p50_ms=round(spent["p50"], 2) if spent else None,
            search_p95_ms=round(spent["p95"], 2) if spent else None,
            ndcg=tuple(
                None if (value := row.metrics.get("ndcg@10")) is None else round(value, 6)
                for row in result.rows
            ),
        )


def write_outcomes(
    folder: Path, outcomes: Sequence[Outcome], code: Code, parameters: Mapping[str, object]
) -> Path:
    """Write `survey-<commit>.json` (`ladder-…` and `weights-…` of the other comparisons) and return where."""
    body = {
        "schema_version": SCHEMA_VERSION,
        "commit": code.commit,
        "dirty": code.dirty,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine_facts(),
        "libraries": library_versions(),
        "parameters": parameters,
        "outcomes": [asdict(outcome) for outcome in outcomes],
    }
    folder.mkdir(parents=True, exist_ok=True)
    compared = parameters.get("compared", "fusions")
    kind = "survey" if compared == "fusions" else compared
    file = folder / f"{kind}-{code.commit}.json"
    file.write_text(
        json.dumps(body, ensure_ascii=False, allow_nan=False, indent=None) + "\n", encoding="utf-8"
    )
    return file


def read_outcomes(file: Path) -> list[Outcome]:
    """The outcomes of a survey.

    Raises:
        UsageError: it is no survey of a form known here.
    """
    try:
        body = json.loads(file.read_text(encoding="utf-8"))
        version, rows = body["schema_version"], body["outcomes"]
        if version != SCHEMA_VERSION:
            raise UsageError(f"{file}: a survey of form {version}; this code reads form {SCHEMA_VERSION}.")
        return [
            Outcome(
                **{
                    **row,
                    "metrics": {name: Summary(**values) for name, values in row["metrics"].items()},
                    "ndcg": tuple(row["ndcg"]),
                }
            )
            for row in rows
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{file}: not a result of 'python -m eval survey' ({error}).") from None
