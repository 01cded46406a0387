"""A run: index > ask > score > summarize, with everything that a reader of its figures must know."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from eval.datasets.dataset import Dataset
from eval.machine import UNKNOWN, Code, library_versions, machine_facts, settings_hash
from eval.metrics.latency import latency
from eval.metrics.score import score
from eval.metrics.summarize import count, summarize
from eval.outcome.result import Result
from eval.outcome.row import Row
from eval.runs import journal
from eval.runs.ask import Asker
from eval.runs.collection import Collection, Told, collection
from prism.settings import Settings

MEASURED: Final = (
    "prism",
    "eval/datasets",
    "eval/metrics",
    "eval/outcome",
    "eval/runs",
    "eval/bootstrap.py",
    "eval/machine.py",
)
"""Code whose changes make the figures another code's."""

OnQuestion = Callable[[int, int], None]
"""Told how many questions are done, and of how many."""


def run(
    dataset: Dataset,
    settings: Settings,
    *,
    name: str,
    code: Code,
    cache: Path,
    cut: int = 0,
    on_indexing: Told | None = None,
    on_question: OnQuestion | None = None,
) -> Result:
    """Ask every question of a set under some settings.

    Args:
        cache: a folder for what can be computed again; a run that was stopped goes on from it.
        cut: how many questions of the whole set were left out.

    Raises:
        PrismError: the documents cannot be indexed. A question that fails is a row of the result.
    """
    asked = _journal(dataset, settings, code, cache)
    if code.commit == UNKNOWN:
        # Whose rows these are cannot be told.
        asked.unlink(missing_ok=True)
    with collection(dataset, settings, cache, on_indexing) as opened:
        rows = _ask(dataset, opened, asked, on_question)
        index = _index_facts(opened)
        models = opened.prism.status().models
    scored = score(rows)
    # The next run asks anew: its figures are to be its own.
    asked.unlink(missing_ok=True)
    return Result(
        name=name,
        commit=code.commit,
        dirty=code.dirty,
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        dataset=dataset.name,
        unit=", ".join(dataset.units),
        fingerprint=dataset.fingerprint,
        settings=changed_settings(settings),
        settings_hash=settings_hash(settings),
        models=dict(models),
        machine=machine_facts(),
        libraries=library_versions(),
        k=settings.retrieval.k,
        counts={**count(scored), "cut": cut},
        index=index,
        metrics=summarize(scored),
        latency_ms=latency(scored),
        rows=scored,
        notes=dataset.notes,
    )


def changed_settings(settings: Settings) -> dict[str, Any]:
    """The settings that differ from the defaults, dotted."""
    return dict(_changed(settings.model_dump(mode="json"), Settings().model_dump(mode="json"), ""))


def _changed(values: Mapping[str, Any], defaults: Mapping[str, Any], above: str) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for key, value in values.items():
        if isinstance(value, Mapping):
            found += _changed(value, defaults[key], f"{above}{key}.")
        elif value != defaults[key] and f"{above}{key}" != "storage.path":
            found.append((f"{above}{key}", value))
    return found


def _ask(dataset: Dataset, opened: Collection, file: Path, on_question: OnQuestion | None) -> tuple[Row, ...]:
    asker = Asker(opened, dataset.key_of)
    done = journal.read(file)
    if len(done) < len(dataset.questions):
        # The first question opens the projections and loads the model, which no later one does.
        asker.ask(dataset.questions[0])
    for number, question in enumerate(dataset.questions, start=1):
        if question.question_id not in done:
            done[question.question_id] = asker.ask(question)
            journal.append(file, done[question.question_id])
        if on_question is not None:
            on_question(number, len(dataset.questions))
    return tuple(done[question.question_id] for question in dataset.questions)


def _journal(dataset: Dataset, settings: Settings, code: Code, cache: Path) -> Path:
    """Where the rows of a run under way are: a run of the same questions, settings and code goes on."""
    ids = [question.question_id for question in dataset.questions]
    parts = [*ids, dataset.fingerprint, settings_hash(settings), code.commit, code.changes]
    digest = hashlib.blake2b(json.dumps(parts).encode(), digest_size=8).hexdigest()
    return cache / "journals" / f"{dataset.name}-{digest}.jsonl"


def _index_facts(opened: Collection) -> dict[str, Any]:
    scores = {}
    if opened.reranker is not None:
        scores = {"scores_computed": opened.reranker.computed, "scores_read": opened.reranker.read}
    return {
        "documents": opened.documents,
        "leaves": opened.leaves,
        "built_in_s": opened.seconds,
        "leaves_embedded": opened.embedded,
        "failures": list(opened.failures),
        **scores,
    }
