"""Pages that are pictures: those that could not be read, and where the words of the others stand.

A document may have both. A file that is nothing but unread pages is remembered as a failed build, so that a
question may be told of it, and is read again when text recognition has changed.
"""

from __future__ import annotations

import sqlite3
import struct
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from prism.stores.database import Database
from prism.types import Box, PageRef, SourceText

_BOX = struct.Struct("<IIHHHH")
_WHOLE = 0xFFFF
"""The right or lower edge of a page, as boxes are stored."""


@dataclass(frozen=True, slots=True)
class UnreadDocument:
    """A document with pages that could not be read: how many, and the first of them."""

    document: str
    document_id: str
    count: int
    pages: tuple[PageRef, ...]


class Unread:
    """Reads what is known of pages that are pictures. `write_pictures` writes it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def recognizer(self, document_id: str, generation: int) -> str | None:
        """What a generation's pages were tried with that could not be read: the signature of the recognition,
        empty when there was none. None where every page was read."""
        row = (
            self._database.read()
            .execute(
                "SELECT recognizer FROM versions WHERE document_id = ?1 AND generation = ?2 AND EXISTS "
                "(SELECT 1 FROM unread_pages u WHERE u.document_id = ?1 AND u.generation = ?2)",
                (document_id, generation),
            )
            .fetchone()
        )
        return None if row is None else str(row["recognizer"])

    def boxes(self, document_id: str, generation: int, sheet: int) -> tuple[Box, ...]:
        """Where a page's recognized words stand."""
        row = (
            self._database.read()
            .execute(
                "SELECT boxes FROM word_boxes WHERE document_id = ? AND generation = ? AND sheet = ?",
                (document_id, generation, sheet),
            )
            .fetchone()
        )
        return () if row is None else tuple(_unpacked(row["boxes"]))

    def documents(
        self, workspace: str, document_ids: frozenset[str] | None = None, *, named: int, pages: int
    ) -> tuple[list[UnreadDocument], int]:
        """Documents of a workspace that are visible, or failed for it, and have unread pages, by name.

        Args:
            document_ids: only these; None for all.
            named: how many documents to give with their pages.
            pages: how many of each one's.

        Returns:
            The first of them, and how many there are.
        """
        rows = (
            self._database.read()
            .execute(
                "SELECT d.source_key, d.document_id, u.generation, u.pages FROM "
                "(SELECT document_id, generation, count(*) AS pages FROM unread_pages GROUP BY 1, 2) u "
                "JOIN versions v USING (document_id, generation) "
                "JOIN documents d USING (document_id) WHERE d.workspace = ? AND (v.state = 'live' AND "
                "d.is_active = 1 OR v.state = 'failed' AND (d.is_active = 1 OR d.live_generation IS NULL)) "
                "ORDER BY d.source_key, u.generation",
                (workspace,),
            )
            .fetchall()
        )
        wanted = [row for row in rows if document_ids is None or row["document_id"] in document_ids]
        return [self._document(row, pages) for row in wanted[:named]], len(wanted)

    def _document(self, row: sqlite3.Row, pages: int) -> UnreadDocument:
        labels = self._database.read().execute(
            "SELECT label, sheet FROM unread_pages WHERE document_id = ? AND generation = ? "
            "ORDER BY sheet LIMIT ?",
            (row["document_id"], row["generation"], pages),
        )
        return UnreadDocument(
            row["source_key"],
            row["document_id"],
            row["pages"],
            tuple(PageRef(label, sheet) for label, sheet in labels),
        )


def write_pictures(
    connection: sqlite3.Connection, document_id: str, generation: int, loaded: SourceText
) -> None:
    """Write a generation's unread pages and the boxes of its recognized words."""
    labels = {page.sheet: page.label for page in reversed(loaded.pages)}
    connection.executemany(
        "INSERT INTO unread_pages VALUES (?, ?, ?, ?)",
        [
            (document_id, generation, sheet, labels.get(sheet, str(sheet)))
            for sheet in sorted(set(loaded.unread_sheets))
        ],
    )
    connection.executemany(
        "INSERT INTO word_boxes VALUES (?, ?, ?, ?)",
        [
            (document_id, generation, sheet, b"".join(map(_packed, boxes)))
            for sheet, boxes in _by_sheet(loaded)
        ],
    )


def _by_sheet(loaded: SourceText) -> Iterator[tuple[int, Sequence[Box]]]:
    starts = [page.start for page in loaded.pages]

    def sheet_of(box: Box) -> int:
        # Of pages that begin at one place the last one has the text: those before it are empty.
        return loaded.pages[max(bisect_right(starts, box.start) - 1, 0)].sheet

    kept = sorted((box for box in loaded.boxes if box.start < box.end), key=sheet_of)
    for sheet, boxes in groupby(kept, key=sheet_of):
        yield sheet, list(boxes)


def _packed(box: Box) -> bytes:
    sides = (box.left, box.top, box.right, box.bottom)
    return _BOX.pack(box.start, box.end, *(round(min(max(side, 0.0), 1.0) * _WHOLE) for side in sides))


def _unpacked(packed: bytes) -> Iterator[Box]:
    for start, end, left, top, right, bottom in _BOX.iter_unpack(packed):
        yield Box(start, end, left / _WHOLE, top / _WHOLE, right / _WHOLE, bottom / _WHOLE)
