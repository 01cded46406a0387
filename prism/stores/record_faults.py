"""Does the record agree with itself? What SQLite can say of its file, and what must hold between our rows."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Literal

from prism.types import LEAF_LEVEL

FaultKind = Literal[
    "file", "reference", "no_version", "no_nodes", "no_pages", "leaf_count", "offsets", "parents", "tokens"
]

_ROWS_NAMED = 3

_LIVE = (
    "documents d JOIN versions v ON v.document_id = d.document_id AND v.generation = d.live_generation "
    "JOIN nodes n ON n.document_id = v.document_id AND n.generation = v.generation"
)
_DOCUMENT = "SELECT d.workspace, d.source_key, d.document_id,"


@dataclass(frozen=True, slots=True)
class RecordFault:
    """Something wrong in the catalogue. `workspace`, `document` and `document_id` are empty where it concerns
    the file as a whole; `what` is for people."""

    kind: FaultKind
    what: str
    workspace: str = ""
    document: str = ""
    document_id: str = ""


_CHECKS: tuple[tuple[FaultKind, str, str], ...] = (
    (
        "no_version",
        "the version to be shown is not in the record",
        f"{_DOCUMENT} 1 FROM documents d LEFT JOIN versions v ON v.document_id = d.document_id "
        "AND v.generation = d.live_generation AND v.state = 'live' "
        "WHERE d.live_generation IS NOT NULL AND v.document_id IS NULL",
    ),
    (
        "no_nodes",
        "the record holds none of its passages",
        f"{_DOCUMENT} 1 FROM documents d JOIN versions v ON v.document_id = d.document_id "
        "AND v.generation = d.live_generation WHERE NOT EXISTS (SELECT 1 FROM nodes n "
        "WHERE n.document_id = v.document_id AND n.generation = v.generation)",
    ),
    (
        "no_pages",
        "the record holds none of its pages",
        f"{_DOCUMENT} 1 FROM documents d JOIN versions v ON v.document_id = d.document_id "
        "AND v.generation = d.live_generation WHERE v.page_count > 0 AND NOT EXISTS (SELECT 1 FROM pages p "
        "WHERE p.document_id = v.document_id AND p.generation = v.generation)",
    ),
    (
        "leaf_count",
        "the record holds another number of leaves than were indexed",
        f"{_DOCUMENT} 1 FROM {_LIVE} WHERE n.level = {LEAF_LEVEL} "
        "GROUP BY d.document_id HAVING count(*) <> v.leaves",
    ),
    (
        "offsets",
        "passages lie outside the stored text",
        f"{_DOCUMENT} 1 FROM {_LIVE} GROUP BY d.document_id "
        "HAVING min(n.start) < 0 OR min(n.end - n.start) < 1 OR max(n.end) > length(v.text)",
    ),
    (
        "parents",
        "passages belong to a parent that is not in the record",
        f"{_DOCUMENT} count(*) FROM {_LIVE} LEFT JOIN nodes p ON p.node_id = n.parent_id "
        "WHERE n.parent_id IS NOT NULL AND p.node_id IS NULL GROUP BY d.document_id",
    ),
    (
        "tokens",
        "leaves have no keyword tokens",
        f"{_DOCUMENT} count(*) FROM {_LIVE} LEFT JOIN leaf_tokens t ON t.node_id = n.node_id "
        f"WHERE n.level = {LEAF_LEVEL} AND t.node_id IS NULL GROUP BY d.document_id",
    ),
)


def record_faults(connection: sqlite3.Connection) -> list[RecordFault]:
    """Everything found, the file first; empty when all is well.

    Args:
        connection: of a `Database`, so that a file which cannot even be read raises `StoreDamagedError`.
    """
    found = [
        RecordFault("file", str(row[0]))
        for row in connection.execute(f"PRAGMA integrity_check({_ROWS_NAMED})")
        if row[0] != "ok"
    ]
    dangling = connection.execute("PRAGMA foreign_key_check").fetchall()
    if dangling:
        tables = ", ".join(sorted({str(row[0]) for row in dangling}))
        found.append(RecordFault("reference", f"{len(dangling)} rows refer to rows that are gone ({tables})"))
    for kind, what, query in _CHECKS:
        found += [RecordFault(kind, what, *map(str, row[:3])) for row in connection.execute(query)]
    return found
