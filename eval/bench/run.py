"""A run: builds take turns, repetition after repetition, each phase in a process of its own."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from eval.bench import log
from eval.bench.quantities import BUILDS, BuildName, Phase, names_of
from eval.bench.schedule import schedule_for
from prism.errors import PrismError

Report = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """What to measure. `cache` keeps corpora, `log` what has been measured, `work` the folders built."""

    sizes: Sequence[int]
    repetitions: int
    cache: Path
    log: Path
    work: Path
    embeds: bool = True
    """Whether to measure what the embedding model takes part in; loading it takes seconds a process."""

    only: Literal["query", "reading"] | None = None
    """Measure questions alone, all repetitions on one index; or the reading of PDFs."""

    data: Path | None = None
    """Where the PDFs lie that are read."""


def run(plan: Plan, report: Report) -> tuple[log.Record, ...]:
    """Measure what the log does not hold yet, and return all records of the plan.

    Raises:
        PrismError: a phase failed; its output is in the message.
    """
    plan.log.parent.mkdir(parents=True, exist_ok=True)
    log.repair(plan.log)
    if plan.only == "reading":
        _run_reading(plan, report)
        return records_of(plan)
    for repetition in range(1, plan.repetitions + 1) if plan.only is None else ():
        for build in BUILDS:
            if _is_missing(plan, 0, repetition, build, ("embed",)):
                report(f"embedding, {build}, repetition {repetition}")
                _phase("embed", plan, 0, repetition, build)
    for leaves in plan.sizes:
        if plan.only is None:
            _run_size(plan, leaves, report)
        else:
            _run_questions(plan, leaves, report)
    return records_of(plan)


def records_of(plan: Plan) -> tuple[log.Record, ...]:
    """The log's records that belong to the plan."""
    return tuple(
        record
        for record in log.read(plan.log)
        if record.leaves in (0, *plan.sizes) and record.repetition <= plan.repetitions
        # An index made once to be asked is no repetition of indexing.
        if plan.only is None or record.quantity in names_of(plan.only)
    )


def _run_size(plan: Plan, leaves: int, report: Report) -> None:
    material: str | None = None
    indexings = schedule_for(leaves).indexings
    kept = {build: plan.work / f"{build}-{leaves}-indexed" for build in BUILDS}
    # What an earlier run left there may come from other code.
    _remove(kept.values())
    for repetition in range(1, plan.repetitions + 1):
        phases: tuple[Phase, ...] = ("index", "use") if repetition <= indexings else ("use",)
        for build in BUILDS:
            if not _is_missing(plan, leaves, repetition, build, phases):
                continue
            material = material or _prepared(plan, leaves, report)
            # What follows indexing changes the folder, so a repetition cut short is done whole.
            folder = plan.work / f"{build}-{leaves}-{repetition}"
            _remove([folder])
            where = ("--material", material, "--work", str(folder))
            how = () if plan.embeds else ("--without-model",)
            if "index" in phases or not kept[build].is_dir():
                report(f"{leaves:,} leaves, {build}, repetition {repetition}: index")
                _phase("index", plan, leaves, repetition, build, *where)
                if plan.repetitions > indexings:
                    _remove([kept[build]])
                    shutil.copytree(folder, kept[build])
            else:
                shutil.copytree(kept[build], folder)
            report(f"{leaves:,} leaves, {build}, repetition {repetition}: use")
            _phase("use", plan, leaves, repetition, build, *where, *how)
            _remove([folder])
    _remove(kept.values())


def _run_questions(plan: Plan, leaves: int, report: Report) -> None:
    """Asking leaves an index as it is, so each build is indexed once and asked in every repetition."""
    turns = [
        (repetition, build)
        for repetition in range(1, plan.repetitions + 1)
        for build in BUILDS
        if _is_missing(plan, leaves, repetition, build, ("query",))
    ]
    if not turns:
        return
    material = _prepared(plan, leaves, report)
    how = () if plan.embeds else ("--without-model",)
    folders = {build: plan.work / f"{build}-{leaves}-asked" for build in BUILDS}
    where = {build: ("--material", material, "--work", str(folders[build])) for build in BUILDS}
    for build in BUILDS:
        if any(build == asked for _, asked in turns):
            report(f"{leaves:,} leaves, {build}: index, once")
            _phase("index", plan, leaves, 1, build, *where[build])
    for repetition, build in turns:
        report(f"{leaves:,} leaves, {build}, repetition {repetition}: ask")
        _phase("query", plan, leaves, repetition, build, *where[build], *how)
    _remove(folders.values())


def _run_reading(plan: Plan, report: Report) -> None:
    how = () if plan.embeds else ("--without-model",)
    for repetition in range(1, plan.repetitions + 1):
        # Who begins changes, since what the first reads from the disk the second finds in memory.
        for build in BUILDS if repetition % 2 else BUILDS[::-1]:
            if _is_missing(plan, 0, repetition, build, ("reading",)):
                report(f"reading, {build}, repetition {repetition}")
                work = plan.work / f"{build}-reading"
                _phase(
                    "reading", plan, 0, repetition, build, "--data", str(plan.data), "--work", str(work), *how
                )


def _prepared(plan: Plan, leaves: int, report: Report) -> str:
    report(f"corpus of {leaves:,} leaves")
    return _worker("prepare", plan, "--leaves", str(leaves)).strip()


def _remove(folders: Iterable[Path]) -> None:
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


def _is_missing(plan: Plan, leaves: int, repetition: int, build: BuildName, phases: Sequence[Phase]) -> bool:
    held = {record.key for record in log.read(plan.log)}
    wanted = {name for phase in phases for name in names_of(phase, embeds=plan.embeds)}
    return any((leaves, repetition, build, name) not in held for name in wanted)


def _phase(phase: str, plan: Plan, leaves: int, repetition: int, build: BuildName, *more: str) -> None:
    _worker(phase, plan, "--build", build, "--leaves", str(leaves), "--repetition", str(repetition), *more)


def _worker(phase: str, plan: Plan, *arguments: str) -> str:
    command = [sys.executable, "-m", "eval.bench.worker", phase, *arguments]
    command += ["--cache", str(plan.cache), "--log", str(plan.log)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        said = "\n".join(done.stderr.strip().splitlines()[-12:])
        raise PrismError(f"the bench stopped in {' '.join(command[3:])}:\n{said}\nThe same command goes on.")
    return done.stdout
