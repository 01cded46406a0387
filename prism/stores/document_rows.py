"""A document as lists and commands show it, read from its row and that of its version."""

from __future__ import annotations

import json
import sqlite3

from prism.types import DocumentInfo, DocumentStatus

DOCUMENT_SELECT = """
    SELECT d.*, v.generation, v.version, v.state, v.reason, v.title, v.page_count, v.leaves, v.bytes,
        v.warnings
    FROM documents d JOIN versions v ON v.document_id = d.document_id AND v.generation = coalesce(
        d.live_generation, (SELECT max(generation) FROM versions w WHERE w.document_id = d.document_id))
"""
"""Documents with the version shown, or the last one tried when none ever was."""


def document_info(row: sqlite3.Row) -> DocumentInfo:
    """The value of one row of `DOCUMENT_SELECT`."""
    warnings = tuple(json.loads(row["warnings"]))
    if row["reason"]:
        warnings = (*warnings, row["reason"])
    return DocumentInfo(
        document_id=row["document_id"],
        document=row["source_key"],
        title=row["title"],
        workspace=row["workspace"],
        status=_status(row),
        page_count=row["page_count"],
        leaves=row["leaves"],
        bytes=row["bytes"],
        version=row["version"],
        generation=row["generation"],
        added_at=row["added_at"],
        warnings=warnings,
    )


def _status(row: sqlite3.Row) -> DocumentStatus:
    if row["is_active"]:
        return "active"
    if row["live_generation"] is not None:
        return "deleted"
    never_shown: dict[str, DocumentStatus] = {"building": "indexing", "failed": "failed"}
    return never_shown.get(row["state"], "interrupted")
