"""Ask the cases of a set, and keep the features that the gate saw. What was asked once is read again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, get_args

from eval.calibrate.cases import Case
from eval.calibrate.kinds import Kind
from eval.machine import UNKNOWN, Code, settings_hash
from eval.runs.collection import Collection
from prism.settings import Settings
from prism.types import Scope

MEASURED: Final = (
    "prism",
    "eval/datasets",
    "eval/runs",
    "eval/machine.py",
    "eval/calibrate/cases.py",
    "eval/calibrate/observe.py",
)
"""Code whose changes make the features another code's."""

OnQuestion = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Observation:
    """A case and its features by name, None where one could not be had. `documents` are those that its
    question is on, as SET/NAME."""

    case_id: str
    kind: Kind
    features: Mapping[str, float | None]
    documents: tuple[str, ...] = ()


def observe(
    opened: Collection, cases: tuple[Case, ...], journal: Path, on_question: OnQuestion | None = None
) -> tuple[Observation, ...]:
    """The observations of the cases, in their order.

    Args:
        journal: each is written there at once, so that a run that was stopped goes on.

    Raises:
        PrismError: retrieval fails.
    """
    document_ids = {info.document: info.document_id for info in opened.prism.documents()}
    done = read(journal)
    for number, case in enumerate(cases, start=1):
        if case.case_id not in done:
            done[case.case_id] = _asked(opened, case, document_ids)
            _append(journal, done[case.case_id])
        if on_question is not None:
            on_question(number, len(cases))
    return tuple(done[case.case_id] for case in cases)


def features_of(gate: Mapping[str, Any]) -> dict[str, float | None]:
    """All features in the `gate` of a trace, whatever their names."""
    return {name: None if value is None else float(value) for name, value in gate["features"].items()}


def journal_of(
    cache: Path, name: str, cases: Iterable[Case], fingerprint: str, settings: Settings, code: Code
) -> Path:
    """Where the observations of these cases are kept: under other settings, by other code or over other
    documents they are others. What code of no known commit kept may be any code's, so it is removed."""
    asked = [[case.case_id, case.text, sorted(case.excluded), sorted(case.documents)] for case in cases]
    parts = [fingerprint, settings_hash(settings), code.commit, code.changes, asked]
    digest = hashlib.blake2b(json.dumps(parts).encode(), digest_size=8).hexdigest()
    journal = cache / "journals" / f"calibrate-{name.replace('/', '-')}-{digest}.jsonl"
    if code.commit == UNKNOWN:
        journal.unlink(missing_ok=True)
    return journal


def read(journal: Path) -> dict[str, Observation]:
    """Observations by case id. From a line on that a crash cut short or spoiled, the cases are asked again,
    so the file is cut there."""
    if not journal.is_file():
        return {}
    found: dict[str, Observation] = {}
    sound = 0
    for line in journal.read_bytes().splitlines(keepends=True):
        observation = _from_line(line)
        if observation is None:
            with journal.open("r+b") as stream:
                stream.truncate(sound)
            break
        found[observation.case_id] = observation
        sound += len(line)
    return found


def _asked(opened: Collection, case: Case, document_ids: Mapping[str, str]) -> Observation:
    scope = None
    if case.excluded:
        kept = frozenset(
            document_id for name, document_id in document_ids.items() if name not in case.excluded
        )
        scope = Scope(document_ids=kept)
    opened.embedder.forget()
    trace = opened.prism.trace(opened.prism.retrieve(case.text, scope=scope).trace_id)
    return Observation(case.case_id, case.kind, features_of(trace["gate"]), tuple(sorted(case.documents)))


def _append(journal: Path, observation: Observation) -> None:
    journal.parent.mkdir(parents=True, exist_ok=True)
    with journal.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(asdict(observation), ensure_ascii=False, allow_nan=False) + "\n")


def _from_line(line: bytes) -> Observation | None:
    try:
        row = json.loads(line) if line.endswith(b"\n") else None
        observation = Observation(**{**row, "documents": tuple(row["documents"])}) if row else None
    except (ValueError, TypeError, KeyError):
        return None
    return observation if observation and observation.kind in get_args(Kind) else None
