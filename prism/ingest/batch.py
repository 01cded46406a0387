"""A batch of sources, one after another, as a recorded job. One bad file never stops the rest."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from prism.ingest.discover import Skipped, discover
from prism.ingest.pipeline import IngestParts, ingest_source
from prism.ingest.progress import OnProgress, Progress
from prism.stores.history import History
from prism.types import FileReport, IngestReport, Source


def ingest_batch(
    given: Sequence[str | Path | Source],
    parts: IngestParts,
    history: History,
    on_progress: OnProgress | None,
    *,
    prune: bool,
) -> IngestReport:
    """Ingest everything given and report every file, in order.

    Raises:
        UsageError: a path does not exist.
    """
    began = time.perf_counter()
    sources, skipped = discover(given, parts.settings.read, parts.settings.storage.path)
    workspace = parts.active.workspace
    job = history.start_job(workspace, [source.name for source in sources])
    progress = Progress([_size_bytes(source) for source in sources], on_progress)
    reports: list[FileReport] = []
    for ordinal, source in enumerate(sources):
        report = ingest_source(source, parts, progress)
        history.finish_job_file(
            job, ordinal, document_id=report.document_id, status=report.status, reason=report.reason
        )
        reports.append(report)
    pruned = _prune({source.name for source in sources}, parts) if prune else []
    history.finish_job(job)
    files = (*reports, *map(_skipped_report, skipped), *pruned)
    return IngestReport(files, round(time.perf_counter() - began, 3))


def _prune(names: set[str], parts: IngestParts) -> list[FileReport]:
    reports = []
    for info in parts.catalogue.documents(parts.active.workspace):
        if info.status == "active" and info.document not in names:
            parts.active.hide(info.document_id)
            reason = "not among the paths given, so deleted (--prune); undo brings it back"
            reports.append(replace(_unread(info.document, reason), document_id=info.document_id))
    return reports


def _size_bytes(source: Source) -> int:
    return source.path.stat().st_size if source.path.is_file() else 0


def _skipped_report(item: Skipped) -> FileReport:
    return _unread(item.path.name, item.reason, str(item.path))


def _unread(document: str, reason: str, path: str = "") -> FileReport:
    return FileReport(
        path=path,
        document=document,
        document_id=None,
        status="skipped",
        reason=reason,
        chunks=0,
        page_count=0,
        warnings=(),
        seconds=0.0,
    )
