"""A batch of sources, one after another, as a recorded job. One bad file never stops the rest; a job that was
stopped goes on with what it has not brought in."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from prism.ingest.discover import discover
from prism.ingest.identify import document_id
from prism.ingest.pipeline import IngestParts, ingest_source
from prism.ingest.progress import OnProgress, Progress
from prism.ingest.prune import LookedThrough, looked_through, without_file
from prism.ingest.reading import ReadingProcess
from prism.ingest.retry import patient
from prism.ingest.walk import Skipped
from prism.stores.jobs import PROGRAM_STOPPED, Jobs
from prism.types import UNFINISHED, FileReport, FileStatus, IngestReport, JobFile, JobInfo, Source

logger = logging.getLogger(__name__)

NAMED = 20
"""Documents about to be pruned that are told by name."""


@dataclass(frozen=True, slots=True)
class _Task:
    """A file of a job. `source` is where its bytes are now, None when they are nowhere."""

    ordinal: int
    document: str
    path: str
    source: Source | None


def ingest_batch(
    given: Sequence[str | Path | Source],
    parts: IngestParts,
    jobs: Jobs,
    on_progress: OnProgress | None,
    *,
    prune: bool,
    sleep: Callable[[float], None] = time.sleep,
) -> IngestReport:
    """Ingest everything given and report every file, in order.

    Args:
        sleep: waits so many seconds before an embedder is asked again.

    Raises:
        UsageError: a path does not exist.
    """
    began = time.perf_counter()
    sources, skipped = discover(given, parts.settings.read, parts.settings.storage.path)
    job_id = jobs.start(parts.active.workspace, sources, keep=parts.settings.ingest.keep_jobs)
    tasks = [_Task(n, source.name, str(source.path), source) for n, source in enumerate(sources)]
    with _recorded(job_id, jobs):
        reports = _run(job_id, tasks, parts, jobs, on_progress, sleep)
        is_whole = not any(report.status == "cancelled" for report in reports)
        seen = {source.name for source in sources}
        # What could not be looked into may still be there, as on a disk that is not mounted.
        is_all = is_whole and bool(seen) and not any(item.is_unreadable for item in skipped)
        folders = looked_through(given, parts.settings.read) if prune and is_all else []
        pruned = _prune(seen, folders, parts, jobs)
        if prune and is_whole and not is_all:
            logger.warning("nothing was deleted (--prune), since not all that was given could be looked into")
        elif prune and is_all and not folders:
            logger.warning("nothing was deleted (--prune), since no folder was given")
        jobs.finish(job_id, "done" if is_whole else "cancelled")
    files = (*reports, *map(_skipped_report, skipped), *pruned)
    return IngestReport(files, round(time.perf_counter() - began, 3), job_id)


def resume_job(
    job: JobInfo,
    parts: IngestParts,
    jobs: Jobs,
    on_progress: OnProgress | None,
    *,
    retry_failed: bool,
    sleep: Callable[[float], None] = time.sleep,
) -> IngestReport:
    """Bring in what a job has left; the report tells of these files alone.

    Args:
        retry_failed: the files that failed, too.
        sleep: as for `ingest_batch`.
    """
    began = time.perf_counter()
    wanted = (*UNFINISHED, "failed") if retry_failed else UNFINISHED
    tasks = [
        _Task(file.ordinal, file.document, file.path, _source(file, parts))
        for file in job.files
        if file.status in wanted
    ]
    if not tasks:
        return IngestReport((), 0.0, job.job_id)
    jobs.reopen(job.job_id, [task.ordinal for task in tasks])
    with _recorded(job.job_id, jobs):
        reports = _run(job.job_id, tasks, parts, jobs, on_progress, sleep)
        was_cancelled = any(report.status == "cancelled" for report in reports)
        jobs.finish(job.job_id, "cancelled" if was_cancelled else "done")
    return IngestReport(tuple(reports), round(time.perf_counter() - began, 3), job.job_id)


@contextmanager
def _recorded(job_id: str, jobs: Jobs) -> Iterator[None]:
    """Record how a job ended that something else than its files stopped."""
    try:
        yield
    except BaseException as error:
        is_failure = isinstance(error, Exception)
        try:
            jobs.finish(
                job_id,
                "failed" if is_failure else "interrupted",
                (str(error) or type(error).__name__) if is_failure else PROGRAM_STOPPED,
            )
        except Exception:  # the first error is the one to show; the next opening puts the job in order
            logger.exception("the end of job %s could not be recorded", job_id)
        raise


def _run(
    job_id: str,
    tasks: Sequence[_Task],
    parts: IngestParts,
    jobs: Jobs,
    on_progress: OnProgress | None,
    sleep: Callable[[float], None],
) -> list[FileReport]:
    progress = Progress(
        [_size_bytes(task.source) for task in tasks],
        on_progress,
        job_id=job_id,
        is_cancelled=partial(jobs.is_cancelled, job_id),
    )
    embedder = patient(parts.embedder, parts.settings.ingest, check=progress.check, sleep=sleep)
    with ReadingProcess(parts.settings.read, check=progress.check) as reading:
        parts = replace(parts, embedder=embedder, load=reading.load)
        return list(_one_by_one(job_id, tasks, parts, jobs, progress))


def _one_by_one(
    job_id: str, tasks: Sequence[_Task], parts: IngestParts, jobs: Jobs, progress: Progress
) -> Iterator[FileReport]:
    for task in tasks:
        if jobs.is_cancelled(job_id):
            yield _unread(task.document, "cancelled before it was begun", task.path, "cancelled")
        elif not jobs.begin_file(job_id, task.ordinal):
            progress.finished(0)
            yield _unread(task.document, "deleted while it waited", task.path)
        else:
            report = _bring_in(task, parts, progress)
            jobs.finish_file(
                job_id,
                task.ordinal,
                document_id=report.document_id,
                status=report.status,
                reason=report.reason,
            )
            yield report


def _bring_in(task: _Task, parts: IngestParts, progress: Progress) -> FileReport:
    if task.source is None:
        progress.finished(0)
        where = f"{task.path} is no longer there" if task.path else "where it was is not known"
        reason = f"{task.document}: {where}, and no copy of it was kept. Give the file again."
        return _unread(task.document, reason, task.path, "failed")
    return replace(ingest_source(task.source, parts, progress), path=task.path)


def _source(file: JobFile, parts: IngestParts) -> Source | None:
    """Where a file's bytes are: where it was, or, when that was a temporary place, among the originals."""
    if file.path and Path(file.path).exists():
        return Source(Path(file.path), file.document)
    identity = document_id(parts.active.workspace, file.document)
    # Only a copy this job made: an earlier one holds what the document said before.
    hashed = parts.catalogue.built_since(identity, file.started_at) if file.started_at else ""
    kept = parts.originals.path(identity, hashed)
    return Source(kept, file.document) if hashed and kept.is_file() else None


def _prune(
    seen: set[str], folders: Sequence[LookedThrough], parts: IngestParts, jobs: Jobs
) -> list[FileReport]:
    """Delete the documents whose file is gone, after saying which."""
    workspace = parts.active.workspace
    if not folders:
        return []
    gone = without_file(parts.catalogue.documents(workspace), jobs.paths(workspace), seen, folders)
    if gone:
        names = ", ".join(info.document for info in gone[:NAMED])
        more = f" and {len(gone) - NAMED} more" if len(gone) > NAMED else ""
        what = "document whose file is gone is" if len(gone) == 1 else "documents whose file is gone are"
        logger.warning("%d %s deleted (--prune; undo brings it back): %s%s", len(gone), what, names, more)
    reports = []
    for info in gone:
        jobs.withdraw(workspace, info.document)
        parts.active.hide(info.document_id)
        reason = "its file is gone, so deleted (--prune); undo brings it back"
        reports.append(replace(_unread(info.document, reason), document_id=info.document_id))
    return reports


def _size_bytes(source: Source | None) -> int:
    return source.path.stat().st_size if source is not None and source.path.is_file() else 0


def _skipped_report(item: Skipped) -> FileReport:
    return _unread(item.path.name, item.reason, str(item.path))


def _unread(document: str, reason: str, path: str = "", status: FileStatus = "skipped") -> FileReport:
    return FileReport(
        path=path,
        document=document,
        document_id=None,
        status=status,
        reason=reason,
        chunks=0,
        page_count=0,
        warnings=(),
        seconds=0.0,
    )
