"""The leaf vectors of one workspace in Chroma: id, vector, document_id, generation, and no text.

What is visible is the caller's to say: a search is given the visible leaves and never returns another
(`nearest.py`).
"""

from __future__ import annotations

import logging
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np
from chromadb.api.models.Collection import Collection
from numpy.typing import NDArray

from prism.errors import StoreDamagedError, StoreError, StoreMismatchError, UsageError
from prism.settings import VectorSettings
from prism.stores.boundary import Reached, unwatched
from prism.stores.chroma import damaged, graph_settings, guard, waiting_changes
from prism.stores.held_leaves import HeldLeaves
from prism.stores.leaf_sets import LeafSet, leaf_set
from prism.stores.nearest import cosine, nearest, unit
from prism.stores.visible import VisibleLeaves
from prism.types import LeafHit

logger = logging.getLogger(__name__)

Vectors = NDArray[np.float32]

ITSELF: Final = 0.999
"""Cosine from which a vector counts as found by itself, in float32."""

MISSED_OF: Final = 5

WAITING_CHANGES: Final = 100
WAITING_SHARE: Final = 0.01
"""From so many changes on, and so large a share of all leaves, the graph is written out on closing. That
takes 80 ms among 10,000 leaves and 450 ms among 100,000; repeating a change 0.3 ms at every opening."""

SYNC_THRESHOLD: Final = 1000
"""Chroma's own, for a collection that does not tell."""


class WorkspaceVectors:
    """The leaf vectors of one workspace, all of one dimension. Get it from `VectorStore.collection`."""

    def __init__(
        self,
        collection: Collection,
        folder: Path,
        settings: VectorSettings,
        batch: int,
        reached: Reached = unwatched,
        sealed: Mapping[tuple[str, int], LeafSet] | None = None,
    ) -> None:
        """`sealed` is what the collection held when it was closed; None when nobody can say."""
        self._chroma = collection
        self._folder = folder
        self._ef_search = settings.ef_search
        self._batch = batch
        self._reached = reached
        self._writes = 0
        # The first thing Chroma is asked makes it load the graph, which takes a second among 10,000 leaves.
        counted = None if sealed is None else sum(leaves.count for leaves in sealed.values())
        self._counted: tuple[int, int | None] = (0, counted)
        self._held = HeldLeaves(sealed, read_all=self._read_leaf_sets, read_group=self.ids, count=self.count)
        self.was_sealed = sealed is not None
        """Whether it was closed properly, so that its files are known to be as they were written."""
        self.is_sound = True
        """False once Chroma has failed in the middle of a change."""
        wanted = {
            "space": "cosine",
            "max_neighbors": settings.hnsw_m,
            "ef_construction": settings.ef_construction,
        }
        kept = graph_settings(collection)
        self.outdated: tuple[str, ...] = tuple(
            f"{name} is {kept.get(name)} in the index but {value} in the settings; rebuild to apply it"
            for name, value in wanted.items()
            if kept.get(name) != value
        )
        """Graph settings that differ from how the index was made; they take effect with a rebuild."""

    # ── writing ─────────────────────────────────────────────────────────────────────────────────

    def upsert(
        self,
        node_ids: Sequence[str],
        vectors: Vectors,
        document_ids: Sequence[str],
        generations: Sequence[int],
    ) -> None:
        """Store one vector per leaf, replacing what an id held; in slices of what the client takes a call.

        Args:
            vectors: shape (leaves, dimension), finite; their length does not matter.

        Raises:
            UsageError: lengths differ or a number is not finite.
            StoreMismatchError: the workspace holds vectors of another dimension.
        """
        if not len(node_ids) == len(vectors) == len(document_ids) == len(generations):
            raise UsageError("node_ids, vectors, document_ids and generations must be of one length")
        if not np.isfinite(vectors).all():
            raise UsageError("vectors must be finite numbers: check the embedder's output")
        with self._held.changing(set(zip(document_ids, generations, strict=True))):
            for start in range(0, len(node_ids), self._batch):
                part = slice(start, start + self._batch)
                owners = zip(document_ids[part], generations[part], strict=True)
                self._change(
                    "storing a slice",
                    self._chroma.upsert,
                    ids=list(node_ids[part]),
                    embeddings=np.asarray(vectors[part], dtype=np.float32),
                    metadatas=[{"document_id": owner, "generation": number} for owner, number in owners],
                )

    def delete_generation(self, document_id: str, generation: int) -> None:
        """Delete one build of a document. Deleting what is not there is no error."""
        with self._held.changing({(document_id, generation)}):
            self._delete({"$and": [{"document_id": document_id}, {"generation": generation}]})

    def delete_document(self, document_id: str) -> None:
        """Delete every build of a document. Deleting what is not there is no error."""
        with self._held.changing({group for group in self.leaf_sets() if group[0] == document_id}):
            self._delete({"document_id": document_id})

    def write_out(self) -> None:
        """Have the graph's files hold what Chroma's log holds, so that the next opening need not repeat it.

        Chroma does that by itself after so many changes (its `sync_threshold`) and has no call for it: as
        many deletions of what is not there make up the number.

        Raises:
            StoreError: the disk is full or the folder cannot be written.
        """
        try:
            waiting = waiting_changes(self._folder, self._chroma)
        except sqlite3.Error as error:
            logger.warning("%s: what waits in the log is not known (%s)", self._folder, error)
            return
        if waiting < max(WAITING_CHANGES, WAITING_SHARE * self.count()):
            return
        threshold = int(graph_settings(self._chroma).get("sync_threshold", SYNC_THRESHOLD))
        absent = [f"nothing-{number}" for number in range(threshold)]
        self._change("writing the graph out", self._chroma.delete, ids=absent)

    # ── reading ─────────────────────────────────────────────────────────────────────────────────

    def search(self, vector: Vectors, k: int, visible: VisibleLeaves) -> tuple[LeafHit, ...]:
        """The `k` nearest visible leaves, best first, or all of them when there are fewer.

        Args:
            vector: shape (dimension,).

        Returns:
            hits scored by cosine in [-1, 1], ties by node id.

        Raises:
            StoreMismatchError: the workspace holds vectors of another dimension.
        """
        return nearest(
            k,
            visible,
            stored=self.count(),
            ef_search=self._ef_search,
            walk=lambda wanted: self._walk(vector, wanted),
            compare=lambda node_ids: self._compare(vector, node_ids),
        )

    @property
    def writes(self) -> int:
        """How often anything was changed, or may have been, since this was opened."""
        return self._writes

    def count(self) -> int:
        """How many vectors are stored, active or not."""
        writes, counted = self._counted
        if writes != self._writes or counted is None:
            writes = self._writes
            counted = int(self._call(self._chroma.count))
            self._counted = (writes, counted)
        return counted

    def ids(self, document_id: str, generation: int) -> frozenset[str]:
        """Node ids stored for one build of a document."""
        return frozenset(self._ids({"$and": [{"document_id": document_id}, {"generation": generation}]}))

    def generations(self) -> Mapping[tuple[str, int], int]:
        """How many vectors each (document_id, generation) has, for reconciling with the catalogue."""
        return {group: leaves.count for group, leaves in self._read_leaf_sets().items()}

    def leaf_sets(self, *, anew: bool = False) -> Mapping[tuple[str, int], LeafSet]:
        """Which leaves each (document_id, generation) has. Only what was changed since this was last asked is
        read, and all of it when the collection was not closed properly, or with `anew`."""
        return self._held.look(anew=anew)

    def vectors(self, node_ids: Sequence[str]) -> Mapping[str, Vectors]:
        """The stored vectors, each of shape (dimension,); ids that are not stored are left out."""
        found: dict[str, Vectors] = {}
        for ids in _slices(node_ids, self._batch):
            page = self._call(self._chroma.get, ids=ids, include=["embeddings"])
            found.update(zip(page["ids"], np.asarray(page["embeddings"], dtype=np.float32), strict=True))
        return found

    def dimension(self) -> int | None:
        """How many numbers a vector has; None when there is none."""
        page = self._call(self._chroma.get, limit=1, include=["embeddings"])
        return len(page["embeddings"][0]) if page["ids"] else None

    def check_found(self, node_ids: Sequence[str]) -> None:
        """Do these leaves' vectors find themselves? One in five may be missed: the graph is approximate.

        Raises:
            StoreDamagedError: a vector is no vector, or too many are not found.
        """
        stored = [vector for vector in self.vectors(node_ids).values() if vector.any()]
        if not np.isfinite(np.array(stored)).all():
            raise StoreDamagedError(damaged(self._folder, "vectors that are no numbers"))
        missed = sum(max(self._walk(vector, 1).values(), default=0.0) < ITSELF for vector in stored)
        if missed * MISSED_OF > len(stored):
            reason = f"{missed} of {len(stored)} vectors are not found by themselves"
            raise StoreDamagedError(damaged(self._folder, reason))

    # ── the two ways to search ──────────────────────────────────────────────────────────────────

    def _walk(self, vector: Vectors, wanted: int) -> dict[str, float]:
        """Walk the graph once: the nearest leaves, visible or not."""
        if not wanted:
            return {}
        found = self._call(
            self._chroma.query,
            query_embeddings=[np.asarray(vector, dtype=np.float32)],
            n_results=wanted,
            include=["distances"],
        )
        return {
            node_id: cosine(1.0 - distance)
            for node_id, distance in zip(found["ids"][0], found["distances"][0], strict=True)
        }

    def _compare(self, vector: Vectors, node_ids: Sequence[str]) -> dict[str, float]:
        """Compare with each of these leaves, so far as it is stored."""
        question = unit(vector)
        scores: dict[str, float] = {}
        for ids in _slices(node_ids, self._batch):
            page = self._call(self._chroma.get, ids=ids, include=["embeddings"])
            for node_id, leaf in zip(page["ids"], page["embeddings"], strict=True):
                self._check_dimension(leaf, vector)
                scores[node_id] = cosine(float(unit(leaf) @ question))
        return scores

    def _check_dimension(self, stored: Vectors, asked: Vectors) -> None:
        if len(stored) != len(asked):
            raise StoreMismatchError(
                f"{self._folder}: the index holds vectors of {len(stored)} numbers and the embedder makes "
                f"{len(asked)}. Set models.embedder back, or rebuild with 'prism doctor --rebuild'."
            )

    def forget(self) -> None:
        """Count anew next time."""
        self._writes += 1

    def _read_leaf_sets(self) -> dict[tuple[str, int], LeafSet]:
        self.forget()
        ids: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
        for start in range(0, self.count(), self._batch):
            page = self._call(self._chroma.get, limit=self._batch, offset=start, include=["metadatas"])
            try:
                for node_id, row in zip(page["ids"], page["metadatas"], strict=True):
                    ids[str(row["document_id"]), int(row["generation"])].append(node_id)
            except (KeyError, TypeError, ValueError) as error:
                reason = f"a vector that tells no document ({error!r})"
                raise StoreDamagedError(damaged(self._folder, reason)) from error
        return {group: leaf_set(members) for group, members in ids.items()}

    # ── the way to Chroma ───────────────────────────────────────────────────────────────────────

    def _ids(self, where: dict[str, Any]) -> list[str]:
        return list(self._call(self._chroma.get, where=where, include=[])["ids"])

    def _delete(self, where: dict[str, Any]) -> None:
        for ids in _slices(self._ids(where), self._batch):
            self._change("deleting a slice", self._chroma.delete, ids=ids)

    def _change(self, what: str, method: Callable[..., Any], **arguments: Any) -> None:
        def change() -> None:
            self._reached(f"vectors: before {what}")
            method(**arguments)

        try:
            guard(self._folder, change)
        except StoreMismatchError:
            raise
        except StoreError:
            self.is_sound = False
            raise
        finally:
            self._writes += 1
        self._reached(f"vectors: after {what}")

    def _call(self, method: Callable[..., Any], **arguments: Any) -> Any:
        return guard(self._folder, lambda: method(**arguments))


def _slices(items: Sequence[str], size: int) -> Iterator[list[str]]:
    rest = iter(items)
    while part := list(islice(rest, size)):
        yield part
