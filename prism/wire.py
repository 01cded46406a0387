"""The JSON forms that scripts rely on (the command line's `--json`, stored exports). Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, get_args

from prism.doctor import Finding
from prism.types import (
    Answer,
    Citation,
    Copy,
    DocumentInfo,
    FileStatus,
    IngestReport,
    JobInfo,
    Notice,
    PageRef,
    Passage,
    Retrieval,
    Status,
)

Json = dict[str, Any]


def ingest_json(report: IngestReport) -> Json:
    """`{"files": […], "totals": {…}}`; of a job that was cancelled also its `job_id`, to go on with."""
    was_cancelled = report.count("cancelled") > 0
    shown = [status for status in get_args(FileStatus) if status != "cancelled" or was_cancelled]
    counts = {status: report.count(status) for status in shown}
    made: Json = {
        "files": [{**asdict(file), "warnings": list(file.warnings)} for file in report.files],
        "totals": {**counts, "seconds": report.seconds},
    }
    return {**made, "job_id": report.job_id} if was_cancelled else made


def jobs_json(jobs: Sequence[JobInfo]) -> Json:
    """`{"jobs": […]}`, each with its files."""
    return {"jobs": [{**asdict(job), "files": [asdict(file) for file in job.files]} for job in jobs]}


def retrieval_json(retrieval: Retrieval) -> Json:
    """A search: its passages, notices, timings and trace id."""
    return {
        "question": retrieval.question,
        "passages": [passage_json(item) for item in retrieval.passages],
        "notices": [notice_json(item) for item in retrieval.notices],
        "timings_ms": dict(retrieval.timings_ms),
        "trace_id": retrieval.trace_id,
    }


def answer_json(answer: Answer) -> Json:
    """An answer with its evidence."""
    return {
        "answer": answer.text,
        "abstained": answer.abstained,
        "citations": [citation_json(item) for item in answer.citations],
        "sentences": [
            {"text": item.text, "citations": list(item.citations), "support": item.support}
            for item in answer.sentences
        ],
        "nearest": [passage_json(item) for item in answer.nearest],
        "notices": [notice_json(item) for item in answer.notices],
        "conversation_id": answer.conversation_id,
        "trace_id": answer.trace_id,
        "model": answer.model,
        "timings_ms": dict(answer.timings_ms),
    }


def passage_json(passage: Passage) -> Json:
    """A passage: where it is, what it says, how it was found."""
    return {
        "rank": passage.rank,
        "node_id": passage.node_id,
        "leaf_ids": list(passage.leaf_ids),
        "document": passage.document,
        "document_id": passage.document_id,
        "pages": _pages(passage.pages),
        "start": passage.start,
        "end": passage.end,
        "text": passage.text,
        "header": passage.header,
        "score": passage.score,
        "legs": {leg: passage.legs.get(leg) for leg in ("dense", "keyword")},
        "copies": [copy_json(item) for item in passage.copies],
        "copy_of": passage.copy_of,
    }


def copy_json(copy: Copy) -> Json:
    """Another place that says the same."""
    return {
        "node_id": copy.node_id,
        "document": copy.document,
        "document_id": copy.document_id,
        "pages": _pages(copy.pages),
        "start": copy.start,
        "end": copy.end,
    }


def citation_json(citation: Citation) -> Json:
    """A passage's fields with `n`, the quote, and the quote's own place."""
    return {
        **passage_json(citation.passage),
        "n": citation.n,
        "quote": citation.quote,
        "quote_start": citation.quote_start,
        "quote_end": citation.quote_end,
        "quote_pages": _pages(citation.pages),
    }


def notice_json(notice: Notice) -> Json:
    """A notice: its code and what it says."""
    return {"code": notice.code, "message": notice.message}


def documents_json(documents: Sequence[DocumentInfo]) -> Json:
    """`{"documents": […]}`."""
    return {"documents": [document_json(item) for item in documents]}


def document_json(info: DocumentInfo) -> Json:
    """A document as lists show it."""
    return {
        "document_id": info.document_id,
        "document": info.document,
        "title": info.title,
        "status": info.status,
        "page_count": info.page_count,
        "leaves": info.leaves,
        "bytes": info.bytes,
        "version": info.version,
        "added_at": info.added_at,
        "warnings": list(info.warnings),
    }


def status_json(status: Status) -> Json:
    """Counts, sizes and models of a workspace."""
    shown = {"models": dict(status.models), "bytes": dict(status.bytes), "abstain_rate": status.abstain_rate}
    return asdict(status) | shown


def findings_json(findings: Sequence[Finding]) -> Json:
    """`{"findings": […]}`: what the doctor found, and what became of it (`mended`, `left`, `noted`)."""
    return {"findings": [asdict(finding) for finding in findings]}


def _pages(pages: Sequence[PageRef]) -> list[Json]:
    return [{"label": page.label, "sheet": page.sheet} for page in pages]
