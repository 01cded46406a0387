"""The leaf vectors of one workspace in Chroma: id, vector, document_id, generation, and no text.

What is visible is the caller's to say: every search takes the active set (document_id -> generation) and
an optional scope, and never returns a leaf outside them. Search is approximate over the HNSW graph
(Malkov & Yashunin 2018), and exact where exactness is cheaper or the graph came up short. Scores are
cosines in [-1, 1] rounded to six decimals, which is what float32 arithmetic supports: equal vectors
therefore tie, and ties go by node id.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np
from chromadb.api.models.Collection import Collection
from numpy.typing import NDArray

from prism.errors import StoreMismatchError, UsageError
from prism.settings import VectorSettings
from prism.stores.boundary import Reached, unwatched
from prism.stores.chroma import graph_settings, guard
from prism.types import LeafHit

Vectors = NDArray[np.float32]

EXACT_LEAVES: Final = 500
"""Scopes of up to this many leaves are compared one by one: at most 16 ms, a filtered walk takes 12 to 36."""

FILTER_DOCUMENTS: Final = 1000
"""Longest list of documents handed to Chroma as a filter; SQLite bounds the variables of a statement."""

WIDEN: Final = 4
"""How much more is fetched when a round brought fewer than k visible leaves."""

DECIMALS: Final = 6


class WorkspaceVectors:
    """The leaf vectors of one workspace, all of one dimension. Get it from `VectorStore.collection`."""

    def __init__(
        self,
        collection: Collection,
        folder: Path,
        settings: VectorSettings,
        batch: int,
        reached: Reached = unwatched,
    ) -> None:
        self._chroma = collection
        self._folder = folder
        self._ef_search = settings.ef_search
        self._batch = batch
        self._reached = reached
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
        for start in range(0, len(node_ids), self._batch):
            part = slice(start, start + self._batch)
            owners = zip(document_ids[part], generations[part], strict=True)
            self._reached("vectors: before storing a slice")
            self._call(
                self._chroma.upsert,
                ids=list(node_ids[part]),
                embeddings=np.asarray(vectors[part], dtype=np.float32),
                metadatas=[{"document_id": owner, "generation": generation} for owner, generation in owners],
            )
            self._reached("vectors: after storing a slice")

    def delete_generation(self, document_id: str, generation: int) -> None:
        """Delete one build of a document. Deleting what is not there is no error."""
        self._delete({"$and": [{"document_id": document_id}, {"generation": generation}]})

    def delete_document(self, document_id: str) -> None:
        """Delete every build of a document. Deleting what is not there is no error."""
        self._delete({"document_id": document_id})

    # ── reading ─────────────────────────────────────────────────────────────────────────────────

    def search(
        self,
        vector: Vectors,
        k: int,
        *,
        active: Mapping[str, int],
        document_ids: frozenset[str] | None = None,
    ) -> tuple[LeafHit, ...]:
        """The `k` nearest visible leaves, best first, or all of them when there are fewer.

        Args:
            vector: shape (dimension,).
            active: the generation of each document that may be seen.
            document_ids: the scope; None means every active document, an empty set none.

        Returns:
            hits scored by cosine in [-1, 1], ties by node id.

        Raises:
            StoreMismatchError: the workspace holds vectors of another dimension.
        """
        visible = {
            document: generation
            for document, generation in active.items()
            if document_ids is None or document in document_ids
        }
        if k <= 0 or not visible:
            return ()
        if 2 * len(visible) > len(active):
            scores, is_all = self._nearest(vector, max(2 * k, self._ef_search), None, visible)
            if len(scores) >= k or is_all:
                return _ranked(scores, k)
        return _ranked(self._within(vector, k, visible), k)

    def count(self) -> int:
        """How many vectors are stored, active or not."""
        return int(self._call(self._chroma.count))

    def ids(self, document_id: str, generation: int) -> frozenset[str]:
        """Node ids stored for one build of a document."""
        return frozenset(self._ids({"$and": [{"document_id": document_id}, {"generation": generation}]}))

    def generations(self) -> Mapping[tuple[str, int], int]:
        """How many vectors each (document_id, generation) has, for reconciling with the catalogue."""
        counts: Counter[tuple[str, int]] = Counter()
        for start in range(0, self.count(), self._batch):
            page = self._call(self._chroma.get, limit=self._batch, offset=start, include=["metadatas"])
            counts.update((str(row["document_id"]), int(row["generation"])) for row in page["metadatas"])
        return dict(counts)

    def vectors(self, node_ids: Sequence[str]) -> Mapping[str, Vectors]:
        """The stored vectors, each of shape (dimension,); ids that are not stored are left out."""
        found: dict[str, Vectors] = {}
        for ids in _slices(node_ids, self._batch):
            page = self._call(self._chroma.get, ids=ids, include=["embeddings"])
            found.update(zip(page["ids"], np.asarray(page["embeddings"], dtype=np.float32), strict=True))
        return found

    # ── the two ways to search ──────────────────────────────────────────────────────────────────

    def _within(self, vector: Vectors, k: int, visible: Mapping[str, int]) -> dict[str, float]:
        """Search documents that are few, or whose leaves are rare among those stored."""
        where = {"document_id": {"$in": sorted(visible)}} if len(visible) <= FILTER_DOCUMENTS else None
        if where is not None and len(self._ids(where, limit=EXACT_LEAVES + 1)) <= EXACT_LEAVES:
            return self._exact(vector, where, visible)
        stored = self.count()
        wanted = max(2 * k, self._ef_search)
        while wanted < stored * WIDEN:
            scores, is_all = self._nearest(vector, wanted, where, visible)
            if len(scores) >= k or is_all:
                return scores
            wanted *= WIDEN
        return self._exact(vector, where, visible)

    def _nearest(
        self, vector: Vectors, wanted: int, where: dict[str, Any] | None, visible: Mapping[str, int]
    ) -> tuple[dict[str, float], bool]:
        """Walk the graph once: the visible ones of the `wanted` nearest, and whether that was all there is.

        The walk keeps ef_search candidates anyway; callers take at least those, which settles ties at rank k
        and keeps the top k the same after the graph has been loaded again.
        """
        stored = self.count()
        if not stored:
            return {}, True
        rows = self._call(
            self._chroma.query,
            query_embeddings=[np.asarray(vector, dtype=np.float32)],
            n_results=min(wanted, stored),
            where=where,
            include=["metadatas", "distances"],
        )
        found = zip(rows["ids"][0], rows["metadatas"][0], rows["distances"][0], strict=True)
        scores = {
            node_id: _cosine(1.0 - distance) for node_id, row, distance in found if _is_visible(row, visible)
        }
        return scores, len(rows["ids"][0]) == stored

    def _exact(
        self, vector: Vectors, where: dict[str, Any] | None, visible: Mapping[str, int]
    ) -> dict[str, float]:
        """Compare with every visible leaf."""
        question = _unit(vector)
        scores: dict[str, float] = {}
        for start in range(0, self.count(), self._batch):
            include = ["metadatas", "embeddings"]
            page = self._call(self._chroma.get, where=where, limit=self._batch, offset=start, include=include)
            for node_id, row, leaf in zip(page["ids"], page["metadatas"], page["embeddings"], strict=True):
                if _is_visible(row, visible):
                    self._check_dimension(leaf, vector)
                    scores[node_id] = _cosine(float(_unit(leaf) @ question))
            if len(page["ids"]) < self._batch:
                break
        return scores

    def _check_dimension(self, stored: Vectors, asked: Vectors) -> None:
        if len(stored) != len(asked):
            raise StoreMismatchError(
                f"{self._folder}: the index holds vectors of {len(stored)} numbers and the embedder makes "
                f"{len(asked)}. Set models.embedder back, or rebuild with 'prism doctor --rebuild'."
            )

    # ── the way to Chroma ───────────────────────────────────────────────────────────────────────

    def _ids(self, where: dict[str, Any], limit: int | None = None) -> list[str]:
        return list(self._call(self._chroma.get, where=where, limit=limit, include=[])["ids"])

    def _delete(self, where: dict[str, Any]) -> None:
        for ids in _slices(self._ids(where), self._batch):
            self._reached("vectors: before deleting a slice")
            self._call(self._chroma.delete, ids=ids)
            self._reached("vectors: after deleting a slice")

    def _call(self, method: Callable[..., Any], **arguments: Any) -> Any:
        return guard(self._folder, lambda: method(**arguments))


def _is_visible(row: Mapping[str, Any], visible: Mapping[str, int]) -> bool:
    return visible.get(str(row["document_id"])) == int(row["generation"])


def _ranked(scores: Mapping[str, float], k: int) -> tuple[LeafHit, ...]:
    best = sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:k]
    return tuple(LeafHit(node_id, rank, score) for rank, (node_id, score) in enumerate(best, start=1))


def _cosine(value: float) -> float:
    return round(min(1.0, max(-1.0, value)), DECIMALS)


def _unit(vector: Vectors) -> NDArray[np.float64]:
    wide = np.asarray(vector, dtype=np.float64)
    length = float(np.linalg.norm(wide))
    return wide / length if length else wide


def _slices(items: Sequence[str], size: int) -> Iterator[list[str]]:
    rest = iter(items)
    while part := list(islice(rest, size)):
        yield part
