"""The system of record: documents, their versions, texts and pages; nodes are in `nodes.py`.

A build of a version is written under a new *generation* that nobody sees; `activate` is the one commit
that shows it. `deactivate` and `reactivate` are one commit each. Chroma and BM25 are projections of this.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from prism.errors import StoreError
from prism.stores.database import Database, in_batches
from prism.stores.document_rows import DOCUMENT_SELECT, document_info
from prism.stores.nodes import Nodes
from prism.stores.record import PURGED
from prism.stores.texts import TextCache
from prism.stores.unread import Unread, write_pictures
from prism.types import DocumentInfo, PageSpan, SourceText


@dataclass(frozen=True, slots=True)
class Live:
    """The version readers see of a document, or would see were it not deleted."""

    document_id: str
    generation: int
    version: str
    is_active: bool


def now() -> str:
    """UTC time as ISO 8601 with microseconds."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


class Catalogue:
    """Reads and writes the documents' side of the catalogue. Safe for many threads."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._texts = TextCache(self._read_text)
        self.nodes = Nodes(database, self.text)
        self.unread = Unread(database)

    # ── identity of the index ───────────────────────────────────────────────────────────────────

    def meta(self, key: str) -> str | None:
        """A value kept about the whole index (embedder name, dimension, tokenizer version)."""
        row = self._database.read().execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row["value"])

    def set_meta(self, values: Mapping[str, str]) -> None:
        """Keep values about the whole index."""
        with self._database.write() as connection:
            connection.executemany(
                "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                list(values.items()),
            )

    def drop_meta(self, key: str) -> None:
        """Forget a value."""
        with self._database.write() as connection:
            connection.execute("DELETE FROM meta WHERE key = ?", (key,))

    # ── building a version ──────────────────────────────────────────────────────────────────────

    def live(self, document_id: str) -> Live | None:
        """The last version that was made visible, deleted since or not."""
        row = (
            self._database.read()
            .execute(
                "SELECT d.is_active, v.generation, v.version FROM documents d JOIN versions v "
                "ON v.document_id = d.document_id AND v.generation = d.live_generation "
                "WHERE d.document_id = ?",
                (document_id,),
            )
            .fetchone()
        )
        if row is None:
            return None
        return Live(document_id, row["generation"], row["version"], bool(row["is_active"]))

    def begin(
        self,
        document_id: str,
        *,
        workspace: str,
        source_key: str,
        version: str,
        content_hash: str,
        size_bytes: int,
        loaded: SourceText,
        recognizer: str = "",
    ) -> int:
        """Open a new generation of a document, invisible, and return its number.

        A generation that was begun and never shown is taken over: its rows go, its number is used
        again, so that an interrupted build and its repetition give the same node ids.

        Args:
            recognizer: what unread pages were tried with; says, when it changes, that they may be readable.
        """
        with self._database.write() as connection:
            connection.execute(
                "INSERT INTO documents (document_id, workspace, source_key, added_at) VALUES (?, ?, ?, ?) "
                "ON CONFLICT (document_id) DO NOTHING",
                (document_id, workspace, source_key, now()),
            )
            connection.execute(
                "DELETE FROM versions WHERE document_id = ? AND state NOT IN ('live', 'superseded')",
                (document_id,),
            )
            row = connection.execute(
                "SELECT coalesce(max(generation), 0) AS last FROM versions WHERE document_id = ?",
                (document_id,),
            ).fetchone()
            generation = int(row["last"]) + 1
            connection.execute(
                "INSERT INTO versions (document_id, generation, version, content_hash, state, title, "
                "media_type, page_count, bytes, warnings, created_at, text, recognizer) "
                "VALUES (?, ?, ?, ?, 'building', ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    document_id,
                    generation,
                    version,
                    content_hash,
                    loaded.title,
                    loaded.media_type,
                    loaded.page_count,
                    size_bytes,
                    json.dumps(loaded.warnings, ensure_ascii=False),
                    now(),
                    loaded.text,
                    recognizer,
                ),
            )
            connection.executemany(
                "INSERT INTO pages VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    (document_id, generation, ordinal, page.sheet, page.label, page.start, page.end)
                    for ordinal, page in enumerate(loaded.pages)
                ],
            )
            write_pictures(connection, document_id, generation, loaded)
        self._texts.forget(document_id)
        return generation

    def activate(self, document_id: str, generation: int, *, unless_hidden: bool = False) -> None:
        """Show a finished generation in place of the one before: the one commit of an ingest.

        Args:
            unless_hidden: leave a document that is hidden now hidden.

        Raises:
            StoreError: the build is no longer there, since the document was purged meanwhile.
        """
        with self._database.write() as connection:
            connection.execute(
                "UPDATE versions SET state = 'superseded' WHERE document_id = ? AND state = 'live'",
                (document_id,),
            )
            shown = connection.execute(
                "UPDATE versions SET state = 'live' "
                "WHERE document_id = ? AND generation = ? AND state = 'building'",
                (document_id, generation),
            ).rowcount
            if not shown:
                raise StoreError("The document was removed while it was being indexed. Ingest it again.")
            connection.execute(
                "UPDATE documents SET is_active = max(is_active, NOT ?), live_generation = ? "
                "WHERE document_id = ?",
                (unless_hidden, generation, document_id),
            )

    def fail(
        self,
        document_id: str,
        generation: int,
        reason: str,
        state: Literal["failed", "interrupted"] = "failed",
    ) -> bool:
        """Mark a build as failed or interrupted and drop what it wrote but its own row and what says which
        pages could not be read.

        Returns:
            False, and nothing is changed, when the build is no longer under way: it is live, or purged.
        """
        with self._database.write() as connection:
            failed = connection.execute(
                "UPDATE versions SET state = ?, reason = ?, text = '', leaves = 0 "
                "WHERE document_id = ? AND generation = ? AND state IN ('building', 'interrupted')",
                (state, reason, document_id, generation),
            ).rowcount
            if failed:
                _delete_parts(connection, document_id, generation)
        return bool(failed)

    def interrupt_builds(self) -> list[tuple[str, int]]:
        """Mark builds that a dead process left behind; returns their (document_id, generation)."""
        with self._database.write() as connection:
            rows = connection.execute(
                "UPDATE versions SET state = 'interrupted', reason = 'the program stopped while indexing' "
                "WHERE state = 'building' RETURNING document_id, generation"
            ).fetchall()
        return [(row["document_id"], row["generation"]) for row in rows]

    # ── visibility ──────────────────────────────────────────────────────────────────────────────

    def set_active(self, document_id: str, *, active: bool) -> None:
        """Hide a document everywhere, or show it again: one commit."""
        with self._database.write() as connection:
            connection.execute(
                "UPDATE documents SET is_active = ? WHERE document_id = ? AND live_generation IS NOT NULL",
                (int(active), document_id),
            )

    def active_generations(self, workspace: str) -> dict[str, int]:
        """What readers of a workspace see: document id to generation."""
        rows = self._database.read().execute(
            "SELECT document_id, live_generation FROM documents WHERE workspace = ? AND is_active = 1 "
            "ORDER BY document_id",
            (workspace,),
        )
        return {row["document_id"]: row["live_generation"] for row in rows}

    def purge(self, document_id: str) -> None:
        """Remove a document and everything derived from it, from the file's unused pages and from copies that
        migrations made too."""
        with self._database.write() as connection:
            if connection.execute("DELETE FROM documents WHERE document_id = ?", (document_id,)).rowcount:
                connection.execute(
                    "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO NOTHING",
                    (f"{PURGED}{document_id}", now()),
                )
        self._texts.forget(document_id)
        self._database.shrink_log()
        self._database.remove_older_copies()

    def purged(self) -> list[str]:
        """Ids of documents that were purged and whose files may still be there, also if they came back."""
        rows = self._database.read().execute(
            "SELECT substr(key, length(?1) + 1) AS id FROM meta WHERE substr(key, 1, length(?1)) = ?1",
            (PURGED,),
        )
        return [row["id"] for row in rows]

    def forget_purged(self, document_ids: Iterable[str]) -> None:
        """These documents' files are gone."""
        with self._database.write() as connection:
            connection.executemany(
                "DELETE FROM meta WHERE key = ?",
                [(f"{PURGED}{document_id}",) for document_id in document_ids],
            )

    def stale_generations(self, workspace: str | None = None) -> list[tuple[str, str, int]]:
        """(workspace, document_id, generation) of every build no reader will see again."""
        rows = self._database.read().execute(
            "SELECT d.workspace, v.document_id, v.generation "
            "FROM versions v JOIN documents d USING (document_id) "
            "WHERE v.state IN ('superseded', 'failed', 'interrupted') AND (v.text <> '' OR v.leaves > 0) "
            "AND (?1 IS NULL OR d.workspace = ?1) ORDER BY 1, 2, 3",
            (workspace,),
        )
        return [(row[0], row[1], row[2]) for row in rows]

    def drop_generation(self, document_id: str, generation: int) -> None:
        """Remove the text, pages, nodes and tokens of a generation that is not live; its row stays, so
        that old citations can say what became of it."""
        with self._database.write() as connection:
            dropped = connection.execute(
                "UPDATE versions SET text = '', leaves = 0 "
                "WHERE document_id = ? AND generation = ? AND state <> 'live'",
                (document_id, generation),
            ).rowcount
            if dropped:
                _delete_parts(connection, document_id, generation, "unread_pages")
        self._texts.forget(document_id)

    # ── reading documents ───────────────────────────────────────────────────────────────────────

    def workspaces(self) -> list[str]:
        """Every workspace that holds a document, deleted ones included."""
        rows = self._database.read().execute("SELECT DISTINCT workspace FROM documents ORDER BY 1")
        return [row[0] for row in rows]

    def originals_wanted(self) -> dict[str, frozenset[str]]:
        """Content hashes by document, of all versions but those that were replaced."""
        return originals_wanted(self._database.read())

    def originals_replaced(self) -> dict[str, frozenset[str]]:
        """Content hashes by document of versions that were replaced, but for those wanted again."""
        wanted = self.originals_wanted()
        replaced: dict[str, frozenset[str]] = {}
        rows = self._database.read().execute(
            "SELECT document_id, content_hash FROM versions WHERE state = 'superseded'"
        )
        for document_id, content_hash in rows:
            if content_hash not in wanted.get(document_id, frozenset()):
                replaced[document_id] = replaced.get(document_id, frozenset()) | {content_hash}
        return replaced

    def documents(self, workspace: str) -> list[DocumentInfo]:
        """Every document of a workspace, by name, deleted and failed ones included."""
        rows = self._database.read().execute(
            f"{DOCUMENT_SELECT} WHERE d.workspace = ? ORDER BY d.source_key", (workspace,)
        )
        return [document_info(row) for row in rows]

    def document(self, document_id: str) -> DocumentInfo | None:
        """One document by id, whatever its status."""
        row = (
            self._database.read()
            .execute(f"{DOCUMENT_SELECT} WHERE d.document_id = ?", (document_id,))
            .fetchone()
        )
        return None if row is None else document_info(row)

    def media_type(self, document_id: str, generation: int) -> str:
        """What kind of file a generation was read from, empty when there is no such generation."""
        row = self._version_row(document_id, generation, "media_type")
        return "" if row is None else str(row["media_type"])

    def content_hash(self, document_id: str, generation: int) -> str:
        """Hash of the bytes a generation was read from, empty when there is no such generation."""
        row = self._version_row(document_id, generation, "content_hash")
        return "" if row is None else str(row["content_hash"])

    def built_since(self, document_id: str, moment: str) -> str:
        """Hash of the bytes of a document's last build, live or not, empty when it was begun before `moment`
        (`now()`)."""
        row = (
            self._database.read()
            .execute(
                "SELECT content_hash FROM versions WHERE document_id = ? AND created_at >= ? "
                "ORDER BY generation DESC LIMIT 1",
                (document_id, moment),
            )
            .fetchone()
        )
        return "" if row is None else str(row["content_hash"])

    def pages(self, document_id: str, generation: int) -> tuple[PageSpan, ...]:
        """Where the pages of a generation lie in its text."""
        rows = self._database.read().execute(
            "SELECT sheet, label, start, end FROM pages WHERE document_id = ? AND generation = ? "
            "ORDER BY ordinal",
            (document_id, generation),
        )
        return tuple(PageSpan(*row) for row in rows)

    def pages_between(self, document_id: str, generation: int, start: int, end: int) -> tuple[PageSpan, ...]:
        """The page spans that the text's `start:end` touches."""
        rows = self._database.read().execute(
            "SELECT sheet, label, start, end FROM pages WHERE document_id = ? AND generation = ? "
            "AND start < ? AND end > ? ORDER BY ordinal",
            (document_id, generation, max(end, start + 1), start),
        )
        return tuple(PageSpan(*row) for row in rows)

    def text(self, document_id: str, generation: int) -> str:
        """The stored text of a generation, empty when it is gone."""
        return self._texts.get(document_id, generation)

    def names(self, document_ids: Iterable[str]) -> dict[str, str]:
        """Source keys by document id."""
        found: dict[str, str] = {}
        for batch in in_batches(document_ids):
            marks = ",".join("?" * len(batch))
            rows = self._database.read().execute(
                f"SELECT document_id, source_key FROM documents WHERE document_id IN ({marks})", batch
            )
            found.update((row[0], row[1]) for row in rows)
        return found

    def live_leaf_counts(self, workspace: str) -> dict[tuple[str, int], int]:
        """Leaves per (document_id, generation) of the live generations, deleted documents' included."""
        rows = self._database.read().execute(
            "SELECT v.document_id, v.generation, v.leaves FROM documents d JOIN versions v "
            "ON v.document_id = d.document_id AND v.generation = d.live_generation WHERE d.workspace = ?",
            (workspace,),
        )
        return {(row[0], row[1]): row[2] for row in rows}

    def leaf_count(self, workspace: str, *, active_only: bool) -> int:
        """How many leaves the live generations of a workspace have."""
        row = (
            self._database.read()
            .execute(
                "SELECT coalesce(sum(v.leaves), 0) FROM documents d JOIN versions v "
                "ON v.document_id = d.document_id AND v.generation = d.live_generation "
                "WHERE d.workspace = ? AND (d.is_active = 1 OR NOT ?)",
                (workspace, active_only),
            )
            .fetchone()
        )
        return int(row[0])

    # ── private ─────────────────────────────────────────────────────────────────────────────────

    def _read_text(self, document_id: str, generation: int) -> str:
        row = self._version_row(document_id, generation, "text")
        return "" if row is None else str(row["text"])

    def _version_row(self, document_id: str, generation: int, column: str) -> sqlite3.Row | None:
        row: sqlite3.Row | None = (
            self._database.read()
            .execute(
                f"SELECT {column} FROM versions WHERE document_id = ? AND generation = ?",
                (document_id, generation),
            )
            .fetchone()
        )
        return row


def originals_wanted(connection: sqlite3.Connection) -> dict[str, frozenset[str]]:
    """`Catalogue.originals_wanted` of a catalogue file, a copy for instance."""
    wanted: dict[str, frozenset[str]] = {}
    rows = connection.execute("SELECT document_id, content_hash FROM versions WHERE state <> 'superseded'")
    for document_id, content_hash in rows:
        wanted[document_id] = wanted.get(document_id, frozenset()) | {content_hash}
    return wanted


def _delete_parts(connection: sqlite3.Connection, document_id: str, generation: int, *others: str) -> None:
    """Nodes, their tokens, pages and boxes of a generation, and what else is named."""
    for table in ("nodes", "pages", "word_boxes", *others):
        connection.execute(
            f"DELETE FROM {table} WHERE document_id = ? AND generation = ?", (document_id, generation)
        )
