"""What was asked: conversations with their turns, traces, feedback.

Turns keep the answer's own words; of what they cite they keep ids and places, never the passage's text,
so that purging a document leaves nothing of it here but what an answer quoted.
"""

from __future__ import annotations

import json
import sqlite3
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from prism.stores.catalogue import now
from prism.stores.database import Database
from prism.types import PageRef


@dataclass(frozen=True, slots=True)
class CitationRecord:
    """Where a [n] of a stored answer points. `start:end` is the quote in the document's text."""

    n: int
    node_id: str
    document_id: str
    generation: int
    document: str
    pages: tuple[PageRef, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """A stored turn. `standalone` is the question as it was searched."""

    ordinal: int
    question: str
    standalone: str
    answer: str
    abstained: bool
    citations: tuple[CitationRecord, ...]
    trace_id: str
    asked_at: str


class History:
    """Reads and writes conversations, traces and feedback. Safe for many threads."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # ── conversations ───────────────────────────────────────────────────────────────────────────

    def start_conversation(self, workspace: str, conversation_id: str | None = None) -> str:
        """Make a conversation (or find the one of that id) and return its id."""
        identifier = conversation_id or uuid.uuid4().hex
        with self._database.write() as connection:
            connection.execute(
                "INSERT INTO conversations VALUES (?, ?, ?) ON CONFLICT (conversation_id) DO NOTHING",
                (identifier, workspace, now()),
            )
        return identifier

    def conversation_workspace(self, conversation_id: str) -> str | None:
        """The workspace a conversation belongs to, None when there is no such conversation."""
        row = (
            self._database.read()
            .execute("SELECT workspace FROM conversations WHERE conversation_id = ?", (conversation_id,))
            .fetchone()
        )
        return None if row is None else str(row["workspace"])

    def conversations(self, workspace: str) -> list[str]:
        """Conversation ids of a workspace, latest first."""
        rows = self._database.read().execute(
            "SELECT conversation_id FROM conversations WHERE workspace = ? ORDER BY started_at DESC",
            (workspace,),
        )
        return [row[0] for row in rows]

    def add_turn(
        self,
        conversation_id: str,
        *,
        question: str,
        standalone: str,
        answer: str,
        abstained: bool,
        citations: Sequence[CitationRecord],
        trace_id: str,
    ) -> int:
        """Append a turn with its citations; returns its ordinal, from 1."""
        with self._database.write() as connection:
            ordinal = (
                int(
                    connection.execute(
                        "SELECT coalesce(max(ordinal), 0) FROM turns WHERE conversation_id = ?",
                        (conversation_id,),
                    ).fetchone()[0]
                )
                + 1
            )
            connection.execute(
                "INSERT INTO turns VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (conversation_id, ordinal, question, standalone, answer, int(abstained), trace_id, now()),
            )
            connection.executemany(
                "INSERT INTO turn_citations VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (
                        conversation_id,
                        ordinal,
                        item.n,
                        item.node_id,
                        item.document_id,
                        item.generation,
                        item.document,
                        json.dumps([[page.label, page.sheet] for page in item.pages], ensure_ascii=False),
                        item.start,
                        item.end,
                    )
                    for item in citations
                ],
            )
        return ordinal

    def turns(self, conversation_id: str, last: int | None = None) -> list[TurnRecord]:
        """The turns of a conversation, oldest first; only the `last` ones when given."""
        connection = self._database.read()
        rows = connection.execute(
            "SELECT * FROM turns WHERE conversation_id = ? ORDER BY ordinal DESC LIMIT ?",
            (conversation_id, -1 if last is None else last),
        ).fetchall()
        return [
            TurnRecord(
                ordinal=row["ordinal"],
                question=row["question"],
                standalone=row["standalone"],
                answer=row["answer"],
                abstained=bool(row["abstained"]),
                citations=self._citations(connection, conversation_id, row["ordinal"]),
                trace_id=row["trace_id"],
                asked_at=row["asked_at"],
            )
            for row in reversed(rows)
        ]

    def _citations(
        self, connection: sqlite3.Connection, conversation_id: str, ordinal: int
    ) -> tuple[CitationRecord, ...]:
        rows = connection.execute(
            "SELECT * FROM turn_citations WHERE conversation_id = ? AND ordinal = ? ORDER BY n",
            (conversation_id, ordinal),
        )
        return tuple(
            CitationRecord(
                n=row["n"],
                node_id=row["node_id"],
                document_id=row["document_id"],
                generation=row["generation"],
                document=row["document"],
                pages=tuple(PageRef(label, sheet) for label, sheet in json.loads(row["pages"])),
                start=row["start"],
                end=row["end"],
            )
            for row in rows
        )

    # ── traces and feedback ─────────────────────────────────────────────────────────────────────

    def add_trace(
        self, trace_id: str, *, workspace: str, kind: str, abstained: bool, body: Mapping[str, Any]
    ) -> None:
        """Keep a trace."""
        with self._database.write() as connection:
            connection.execute(
                "INSERT INTO traces VALUES (?, ?, ?, ?, ?, ?)",
                (trace_id, workspace, kind, int(abstained), now(), json.dumps(body, ensure_ascii=False)),
            )

    def trace(self, trace_id: str) -> dict[str, Any] | None:
        """A trace's body, None when there is no such trace."""
        row = (
            self._database.read()
            .execute("SELECT body FROM traces WHERE trace_id = ?", (trace_id,))
            .fetchone()
        )
        if row is None:
            return None
        body: dict[str, Any] = json.loads(row["body"])
        return body

    def answer_counts(self, workspace: str) -> tuple[int, int]:
        """How many questions were answered, and how many of them by abstaining."""
        row = (
            self._database.read()
            .execute(
                "SELECT count(*), coalesce(sum(abstained), 0) FROM traces "
                "WHERE workspace = ? AND kind = 'ask'",
                (workspace,),
            )
            .fetchone()
        )
        return int(row[0]), int(row[1])

    def add_feedback(self, trace_id: str, *, helpful: bool, comment: str) -> None:
        """Keep a person's word on an answer."""
        with self._database.write() as connection:
            connection.execute(
                "INSERT INTO feedback VALUES (?, ?, ?, ?)", (trace_id, now(), int(helpful), comment)
            )
