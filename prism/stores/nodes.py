"""The catalogue's node table: leaves and parents with their places, and the leaves' keyword tokens."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from prism.errors import StoreError
from prism.stores.database import Database, in_batches
from prism.stores.leaf_sets import LeafSet, leaf_set
from prism.types import LEAF_LEVEL, Node


@dataclass(frozen=True, slots=True)
class StoredNode:
    """A node with the number of leaves below it (1 for a leaf)."""

    node: Node
    leaves: int


class Nodes:
    """Reads and writes nodes. Their text is a slice of the document's stored text, which lives once."""

    def __init__(self, database: Database, text: Callable[[str, int], str]) -> None:
        """`text` gives the stored text of a document's generation."""
        self._database = database
        self._text = text

    def add(self, nodes: Sequence[StoredNode], leaf_tokens: Mapping[str, Sequence[str]]) -> None:
        """Write nodes of a generation being built, all or some of them, and the leaves' keyword tokens.

        Raises:
            StoreError: the generation is there no longer.
        """
        if not nodes:
            return
        try:
            self._insert(nodes, leaf_tokens)
        except sqlite3.IntegrityError as error:
            raise StoreError(
                "The document was removed while it was being indexed. Ingest it again."
            ) from error

    def _insert(self, nodes: Sequence[StoredNode], leaf_tokens: Mapping[str, Sequence[str]]) -> None:
        first = nodes[0].node
        with self._database.write() as connection:
            connection.executemany(
                "INSERT INTO nodes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (
                        item.node.node_id,
                        item.node.document_id,
                        item.node.generation,
                        item.node.level,
                        item.node.ordinal,
                        item.node.parent_id,
                        item.node.start,
                        item.node.end,
                        item.node.tokens,
                        item.leaves,
                        item.node.header,
                        item.node.context,
                    )
                    for item in nodes
                ],
            )
            connection.executemany(
                "INSERT INTO leaf_tokens VALUES (?, ?)",
                [(node_id, " ".join(tokens)) for node_id, tokens in leaf_tokens.items()],
            )
            connection.execute(
                "UPDATE versions SET leaves = leaves + ? WHERE document_id = ? AND generation = ?",
                (len(leaf_tokens), first.document_id, first.generation),
            )

    def replace_tokens(self, leaf_tokens: Mapping[str, Sequence[str]]) -> None:
        """Overwrite the keyword tokens of these leaves, as after a change of tokenizer."""
        with self._database.write() as connection:
            connection.executemany(
                "INSERT INTO leaf_tokens VALUES (?, ?) "
                "ON CONFLICT (node_id) DO UPDATE SET tokens = excluded.tokens",
                [(node_id, " ".join(tokens)) for node_id, tokens in leaf_tokens.items()],
            )

    def get(self, node_ids: Iterable[str], active: Mapping[str, int]) -> dict[str, StoredNode]:
        """The nodes of these ids that belong to an active generation, by id."""
        return {item.node.node_id: item for item in self._select("node_id", node_ids, active)}

    def children(self, parent_ids: Iterable[str], active: Mapping[str, int]) -> dict[str, list[StoredNode]]:
        """The direct children of these parents, in document order, by parent id."""
        found: dict[str, list[StoredNode]] = {}
        for item in self._select("parent_id", parent_ids, active):
            if item.node.parent_id is not None:
                found.setdefault(item.node.parent_id, []).append(item)
        for siblings in found.values():
            siblings.sort(key=lambda item: item.node.ordinal)
        return found

    def node_ids(self, active: Mapping[str, int], level: int | None = None) -> list[str]:
        """Ids of all active nodes (of one level, or all), in document order."""
        ids: list[str] = []
        for document_id, generation in sorted(active.items()):
            rows = self._database.read().execute(
                "SELECT node_id FROM nodes WHERE document_id = ?1 AND generation = ?2 "
                "AND (?3 IS NULL OR level = ?3) ORDER BY level, ordinal",
                (document_id, generation, level),
            )
            ids.extend(row[0] for row in rows)
        return ids

    def live_leaf_sets(self, workspace: str) -> dict[tuple[str, int], LeafSet]:
        """Which leaves each live (document_id, generation) has, those of deleted documents included."""
        rows = self._database.read().execute(
            # A subquery for each document sorts nothing; one GROUP BY over all leaves would.
            "SELECT d.document_id, d.live_generation, (SELECT group_concat(n.node_id, ' ') "
            "FROM nodes n INDEXED BY leaf_ids "
            "WHERE n.document_id = d.document_id AND n.generation = d.live_generation "
            f"AND n.level = {LEAF_LEVEL}) "
            "FROM documents d WHERE d.workspace = ? AND d.live_generation IS NOT NULL",
            (workspace,),
        )
        return {(row[0], row[1]): leaf_set(row[2].split(" ")) for row in rows if row[2]}

    def tokens_of_generation(
        self, document_id: str, generation: int
    ) -> list[tuple[str, str, int, tuple[str, ...]]]:
        """The leaves of one generation with their keyword tokens, in document order."""
        rows = self._database.read().execute(
            "SELECT n.node_id, t.tokens FROM nodes n JOIN leaf_tokens t USING (node_id) "
            "WHERE n.document_id = ? AND n.generation = ? ORDER BY n.ordinal",
            (document_id, generation),
        )
        return [(row[0], document_id, generation, tuple(row[1].split(" ")) if row[1] else ()) for row in rows]

    def tokens_of(self, node_ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Keyword tokens by leaf id."""
        found: dict[str, tuple[str, ...]] = {}
        for batch in in_batches(node_ids):
            marks = ",".join("?" * len(batch))
            rows = self._database.read().execute(
                f"SELECT node_id, tokens FROM leaf_tokens WHERE node_id IN ({marks})", batch
            )
            found.update((row[0], tuple(row[1].split(" ")) if row[1] else ()) for row in rows)
        return found

    def _select(self, column: str, values: Iterable[str], active: Mapping[str, int]) -> Iterator[StoredNode]:
        for batch in in_batches(values):
            marks = ",".join("?" * len(batch))
            rows = (
                self._database.read()
                .execute(f"SELECT * FROM nodes WHERE {column} IN ({marks}) ORDER BY node_id", batch)
                .fetchall()
            )
            for row in rows:
                if active.get(row["document_id"]) == row["generation"]:
                    yield self._stored_node(row)

    def _stored_node(self, row: sqlite3.Row) -> StoredNode:
        text = self._text(row["document_id"], row["generation"])
        node = Node(
            node_id=row["node_id"],
            document_id=row["document_id"],
            generation=row["generation"],
            level=row["level"],
            ordinal=row["ordinal"],
            parent_id=row["parent_id"],
            start=row["start"],
            end=row["end"],
            text=text[row["start"] : row["end"]],
            header=row["header"],
            context=row["context"],
            tokens=row["tokens"],
        )
        return StoredNode(node, row["leaves"])
