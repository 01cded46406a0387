"""Ingest as durable jobs: begin one, go on with one, cancel one, list them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from prism.errors import NotFoundError
from prism.ingest.batch import ingest_batch, resume_job
from prism.ingest.pipeline import IngestParts
from prism.ingest.progress import OnProgress
from prism.models.loaded import Models
from prism.settings import Settings
from prism.stores.storage import Storage
from prism.types import IngestReport, JobInfo, Source

MIN_ID_CHARS = 6
"""How much of a job's id must be given to stand for it."""


class Ingesting:
    """Runs one job at a time over a storage folder."""

    def __init__(self, settings: Settings, storage: Storage, models: Models) -> None:
        self._settings = settings
        self._storage = storage
        self._models = models

    def ingest(
        self,
        given: Sequence[str | Path | Source],
        on_progress: OnProgress | None,
        workspace: str,
        *,
        prune: bool,
        password: str,
    ) -> IngestReport:
        """`Prism.ingest`, in a workspace."""
        with self._storage.ingest_lock:
            parts = replace(self._parts(workspace), password=password)
            report = ingest_batch(given, parts, self._storage.jobs, on_progress, prune=prune)
            self._note_dimension(report)
            return report

    def resume(
        self,
        job_id: str | None,
        on_progress: OnProgress | None,
        workspace: str,
        *,
        retry_failed: bool,
        password: str,
    ) -> IngestReport:
        """`Prism.resume`, in a workspace."""
        with self._storage.ingest_lock:
            # Whatever is left running now was left so by a failure: this lock is held by who runs a job.
            self._storage.jobs.interrupt_left()
            jobs = self._to_resume(job_id, workspace)
            reports: list[IngestReport] = []
            for job in jobs:
                parts = replace(self._parts(workspace), password=password)
                report = resume_job(job, parts, self._storage.jobs, on_progress, retry_failed=retry_failed)
                self._note_dimension(report)
                reports.append(report)
                if report.count("cancelled"):
                    break
            return _joined(reports)

    def cancel(self, job_id: str) -> None:
        """`Prism.cancel`."""
        if not self._storage.jobs.cancel(job_id):
            raise NotFoundError(f"There is no job {job_id!r}. 'prism jobs' lists them.")

    def job(self, job_id: str, workspace: str) -> JobInfo:
        """A job by its id or the beginning of it. Raises `NotFoundError`."""
        jobs = self._storage.jobs.of_workspace(workspace)
        found = [
            job
            for job in jobs
            if job.job_id == job_id or (len(job_id) >= MIN_ID_CHARS and job.job_id.startswith(job_id))
        ]
        if len(found) != 1:
            why = "several jobs" if found else "no job"
            raise NotFoundError(f"There is {why} {job_id!r} in {workspace}. 'prism jobs' lists them.")
        return found[0]

    def _to_resume(self, job_id: str | None, workspace: str) -> list[JobInfo]:
        """The job named, or all that were stopped against anybody's will, oldest first."""
        if job_id is not None:
            return [self.job(job_id, workspace)]
        jobs = self._storage.jobs.of_workspace(workspace)
        return [job for job in reversed(jobs) if job.state in ("interrupted", "failed")]

    def _parts(self, workspace: str) -> IngestParts:
        embedder = self._models.embedder
        self._storage.check_models(embedder.name)
        self._storage.note_models(embedder.name)
        self._storage.keep_tokens(self._models.token_recipe)
        return IngestParts(
            catalogue=self._storage.catalogue,
            originals=self._storage.originals,
            active=self._storage.active(workspace),
            embedder=embedder,
            settings=self._settings,
        )

    def _note_dimension(self, report: IngestReport) -> None:
        if report.count("added") or report.count("updated"):
            self._storage.note_dimension(self._models.embedder.dimension)


def _joined(reports: Sequence[IngestReport]) -> IngestReport:
    files = tuple(file for report in reports for file in report.files)
    seconds = round(sum(report.seconds for report in reports), 3)
    return IngestReport(files, seconds, reports[-1].job_id if reports else "")
