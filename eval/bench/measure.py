"""The measurements of one build in one repetition, each phase in a process of its own.

What is measured is also checked: an added document must be found, a deleted one must not, not even after
closing and opening again. A build that is fast and wrong ends the run.
"""

from __future__ import annotations

import gc
import shutil
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from statistics import median
from typing import TypeVar

from eval.bench.builds import Build, Scope
from eval.bench.footprint import disk_mb, peak_memory_mb
from eval.bench.material import WARM_UP_QUESTIONS, Material, Question, Ready
from eval.bench.recall import recall
from eval.bench.schedule import Schedule
from eval.bench.statistics import percentile
from prism.errors import PrismError

T = TypeVar("T")

NEIGHBOURS = 10
RECALL_QUESTIONS = 100

Measured = Iterator[tuple[str, float, Mapping[str, object]]]
"""Quantity, value, details."""

MakeBuild = Callable[[Path], Build]


def index_phase(make: MakeBuild, folder: Path, material: Material) -> Measured:
    """Index the corpus in an empty folder. Yields indexing rate, peak memory and disk."""
    warm_up(make, folder, material)
    shutil.rmtree(folder, ignore_errors=True)
    seconds = make(folder).index(material.documents())
    yield "indexing_rate", material.leaves / seconds, {"seconds": seconds, "leaves": material.leaves}
    yield "indexing_memory", peak_memory_mb(), {}
    yield "disk", disk_mb(folder), {}


def use_phase(
    make: MakeBuild, folder: Path, material: Material, schedule: Schedule, *, embeds: bool = True
) -> Measured:
    """Open what was indexed, ask, change. The folder is changed by it."""
    warm_up(make, folder, material)
    build = make(folder)
    yield from _opening(build, material, schedule)
    yield from _asking(build, material, schedule)
    yield "answering_memory", peak_memory_mb(), {}
    yield from _recall(build, material)
    # After the memory was noted, since it brings in torch; before what is asked about goes.
    if embeds:
        yield from _asking_embedded(build, material, schedule)
    yield from _changing(build, material, schedule)
    build.close()


def query_phase(
    make: MakeBuild, folder: Path, material: Material, schedule: Schedule, *, embeds: bool = True
) -> Measured:
    """Open what was indexed and ask. Traces apart, the folder stays as it is."""
    warm_up(make, folder, material)
    build = make(folder)
    build.open()
    yield from _asking(build, material, schedule)
    if embeds:
        yield from _asking_embedded(build, material, schedule)
    build.close()


def warm_up(make: MakeBuild, folder: Path, material: Material) -> None:
    """Index and ask a corpus of one document elsewhere: imports and first-time set-up are not measured."""
    beside = folder.with_name(f"{folder.name}-warm-up")
    shutil.rmtree(beside, ignore_errors=True)
    build = make(beside)
    document = next(material.documents())
    build.index(iter([document]))
    build.open()
    build.ask(material.about(document)[0])
    build.close()
    shutil.rmtree(beside)


def _opening(build: Build, material: Material, schedule: Schedule) -> Measured:
    opening_ms, answering_ms = [], []
    for _ in range(schedule.reopenings):
        build.close()
        began = time.perf_counter()
        build.open()
        opening_ms.append(_since_ms(began))
        build.ask(material.questions[0])
        answering_ms.append(_since_ms(began))
    yield "open", median(opening_ms), {"all": opening_ms}
    yield "reopen", median(answering_ms), {"all": answering_ms}


def _asking(build: Build, material: Material, schedule: Schedule) -> Measured:
    questions = material.questions[: schedule.questions]
    for question in questions[:WARM_UP_QUESTIONS]:
        build.ask(question)
    spent_ms, stages = _ask_all(build, questions, lambda _: None)
    details = {"questions": len(questions), "stages_p50_ms": _percentiles(stages, 50)}
    yield "query_p50", percentile(spent_ms, 50), details
    yield "query_p95", percentile(spent_ms, 95), {"stages_p95_ms": _percentiles(stages, 95)}
    scoped = questions[: schedule.scoped_questions]
    spent_ms, _ = _ask_all(build, scoped, lambda question: frozenset({question.document_id}))
    yield (
        "scoped_one_p50",
        percentile(spent_ms, 50),
        {"questions": len(scoped), "p95": percentile(spent_ms, 95)},
    )
    spent_ms, _ = _ask_all(build, scoped, lambda question: question.tenth)
    yield (
        "scoped_tenth_p50",
        percentile(spent_ms, 50),
        {"questions": len(scoped), "p95": percentile(spent_ms, 95)},
    )


def _asking_embedded(build: Build, material: Material, schedule: Schedule) -> Measured:
    build.embed_questions()
    questions = material.questions[: schedule.scoped_questions]
    for question in questions[:WARM_UP_QUESTIONS]:
        build.ask(question)
    spent_ms, stages = _ask_all(build, questions, lambda _: None)
    details = {"questions": len(questions), "stages_p50_ms": _percentiles(stages, 50)}
    yield "query_embedded_p50", percentile(spent_ms, 50), details


def _ask_all(
    build: Build, questions: tuple[Question, ...], scope_of: Callable[[Question], Scope]
) -> tuple[list[float], Mapping[str, list[float]]]:
    spent_ms: list[float] = []
    stages: dict[str, list[float]] = defaultdict(list)
    for question in questions:
        scope = scope_of(question)
        began = time.perf_counter()
        answered = build.ask(question, scope)
        spent_ms.append(_since_ms(began))
        for stage, stage_ms in answered.stages_ms.items():
            stages[stage].append(stage_ms)
        _hold(bool(answered.document_ids), f"nothing was found for {question.text!r}")
        strangers = set(answered.document_ids) - scope if scope is not None else set()
        _hold(not strangers, f"{question.text!r} found {strangers} outside its scope")
    return spent_ms, stages


def _percentiles(stages: Mapping[str, list[float]], percent: float) -> Mapping[str, float]:
    return {stage: round(percentile(values, percent), 4) for stage, values in stages.items()}


def _recall(build: Build, material: Material) -> Measured:
    questions = material.questions[:RECALL_QUESTIONS]
    leaves, ids = material.leaf_vectors(), material.leaf_ids()
    vectors = [material.question_vector(question.text) for question in questions]
    found = [build.nearest(vector, NEIGHBOURS) for vector in vectors]
    share = recall(found, vectors, ids, leaves, NEIGHBOURS)
    yield "recall", share, {"questions": len(questions), "k": NEIGHBOURS}


def _changing(build: Build, material: Material, schedule: Schedule) -> Measured:
    build.prepare_changes()
    added = material.spare_documents()[: schedule.changes]
    adding_ms = [_timed_ms(build.add, document) for document in added]
    for document in added:
        _hold(_is_found(build, material, document), f"{document.name} was added and is not found")
    yield "add", median(adding_ms), {"all": adding_ms}

    # Half of the corpus stays: a question that nothing is near to any more is embedded by sentences.
    changes = min(schedule.changes, material.document_count // 4)
    gone = list(material.documents())[: 2 * changes]
    deleted, purged = gone[:changes], gone[changes:]
    deleting_ms = [_timed_ms(build.delete, document.document_id) for document in deleted]
    yield "delete", median(deleting_ms), {"all": deleting_ms}
    if build.deletes_for_good:
        yield "purge", median(deleting_ms), {"all": deleting_ms}
        gone = deleted
    else:
        purging_ms = [_timed_ms(build.purge, document.document_id) for document in purged]
        yield "purge", median(purging_ms), {"all": purging_ms}

    build.close()
    build.open()
    for document in added:
        _hold(_is_found(build, material, document), f"{document.name} was added and is lost by a restart")
    for document in gone:
        _hold(not _comes_back(build, material, document), f"{document.name} was deleted and came back")


def _is_found(build: Build, material: Material, document: Ready) -> bool:
    """Whether words and vector of the document's leaves find it."""
    return any(
        document.document_id in build.ask(question).document_ids for question in material.about(document)
    )


def _comes_back(build: Build, material: Material, document: Ready) -> bool:
    """Whether a scope of this document alone finds anything. (Asked of all, Prism's gate would embed
    sentences for want of evidence, and no vectors are prepared for those.)"""
    scope = frozenset({document.document_id})
    return any(build.ask(question, scope).document_ids for question in material.about(document))


def _timed_ms(change: Callable[[T], None], argument: T) -> float:
    # What the bench itself has let go of is not to be collected in the middle.
    gc.collect()
    began = time.perf_counter()
    change(argument)
    return _since_ms(began)


def _since_ms(began: float) -> float:
    return (time.perf_counter() - began) * 1000


def _hold(condition: bool, otherwise: str) -> None:
    if not condition:
        raise PrismError(f"{otherwise}: the build is wrong, and its times mean nothing.")
