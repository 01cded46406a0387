"""Stand-ins that do arithmetic: what they return can be worked out by hand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from prism.models.protocols import OnBatch, QueryTokens, TokenVectors, Vectors
from prism.stores.leaf_sets import LeafSet, leaf_set
from prism.stores.visible import VisibleLeaves
from prism.types import LeafHit

LETTERS = "abcdefghijklmnopqrstuvwxyz"
_WORD = re.compile(r"\S+")

BY_WORDS = Path(__file__).parent / "data" / "calibration-by-words.json"
"""A calibration that holds under any models, these here too."""


class LetterEmbedder:
    """A text's vector counts its letters a to z (case ignored), scaled to length 1; a token is a word.

    A text without such letters gets the first axis. Reads ASCII only.
    """

    name = "letters@1"
    dimension = len(LETTERS)
    max_tokens = 256

    def embed(self, texts: Sequence[str], on_batch: OnBatch | None = None) -> Vectors:
        rows = [self.embed_query(text) for text in texts]
        if on_batch is not None and rows:
            on_batch(len(rows))
        return np.array(rows, dtype=np.float32).reshape(len(rows), self.dimension)

    def embed_query(self, text: str) -> Vectors:
        counts = np.array([text.lower().count(letter) for letter in LETTERS], dtype=np.float32)
        if not counts.any():
            counts[0] = 1.0
        return counts / np.float32(np.linalg.norm(counts))

    def token_count(self, text: str) -> int:
        return len(self.tokenize(text))

    def token_offsets(self, text: str) -> list[tuple[int, int]]:
        return [word.span() for word in _WORD.finditer(text)]

    def tokenize(self, text: str) -> list[str]:
        return _WORD.findall(text)

    def can_read(self, text: str) -> bool:
        return text.isascii()


class LetterTokenEmbedder(LetterEmbedder):
    """A `LetterEmbedder` whose token vectors count the letters of each word."""

    token_recipe = "letters-26-int8-1"  # noqa: S105

    def embed_with_tokens(
        self, texts: Sequence[str], on_batch: OnBatch | None = None
    ) -> tuple[Vectors, tuple[TokenVectors, ...]]:
        return self.embed(texts, on_batch), tuple(self._words(text).astype(np.int8) for text in texts)

    def query_tokens(self, text: str) -> QueryTokens:
        rows = self._words(text)
        lengths = np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1)
        return QueryTokens((rows / lengths).astype(np.float32), tuple(self.token_offsets(text)))

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        return self.token_offsets(text)

    def _words(self, text: str) -> Vectors:
        counts = [[word.lower().count(letter) for letter in LETTERS] for word in self.tokenize(text)]
        return np.array(counts, dtype=np.float32).reshape(-1, len(LETTERS))


class SharedWordsReranker:
    """A passage's score is the number of different words it shares with the question."""

    name = "shared-words@1"
    notices = ()

    def score(self, question: str, texts: Sequence[str]) -> tuple[float, ...]:
        asked = set(question.lower().split())
        return tuple(float(len(asked & set(text.lower().split()))) for text in texts)


class ExactVectorStore:
    """Stands for the Chroma client of a folder: every search compares with every vector.

    What is stored outlives closing, as a folder does, until the test that asked for it ends (`shelves`).
    """

    def __init__(
        self,
        folder: Path,
        settings: object,
        reached: object = None,
        *,
        read_all: bool = False,
        shelves: dict[tuple[Path, str], ExactVectors],
    ) -> None:
        self._folder = folder
        self._shelves = shelves

    def collection(self, workspace: str) -> ExactVectors:
        return self._shelves.setdefault((self._folder, workspace), ExactVectors())

    def drop(self, workspace: str) -> None:
        self._shelves.pop((self._folder, workspace), None)

    def close(self) -> None:
        pass

    abandon = close


class ExactVectors:
    """The vectors of one workspace, held in memory."""

    outdated: tuple[str, ...] = ()
    was_sealed = True

    def __init__(self) -> None:
        self.writes = 0
        self._rows: dict[str, tuple[str, int, Vectors]] = {}

    def upsert(
        self,
        node_ids: Sequence[str],
        vectors: Vectors,
        document_ids: Sequence[str],
        generations: Sequence[int],
    ) -> None:
        self.writes += 1
        self._rows |= dict(zip(node_ids, zip(document_ids, generations, vectors, strict=True), strict=True))

    def delete_generation(self, document_id: str, generation: int) -> None:
        self.writes += 1
        self._rows = {key: row for key, row in self._rows.items() if row[:2] != (document_id, generation)}

    def delete_document(self, document_id: str) -> None:
        self.writes += 1
        self._rows = {key: row for key, row in self._rows.items() if row[0] != document_id}

    def search(self, vector: Vectors, k: int, visible: VisibleLeaves) -> tuple[LeafHit, ...]:
        shown = visible.only(self._rows)
        scores = [(-round(float(self._rows[node_id][2] @ vector), 6), node_id) for node_id in shown]
        return tuple(LeafHit(key, rank, -score) for rank, (score, key) in enumerate(sorted(scores)[:k], 1))

    def count(self) -> int:
        return len(self._rows)

    def ids(self, document_id: str, generation: int) -> frozenset[str]:
        return frozenset(key for key, row in self._rows.items() if row[:2] == (document_id, generation))

    def generations(self) -> Mapping[tuple[str, int], int]:
        return Counter(row[:2] for row in self._rows.values())

    def leaf_sets(self, *, anew: bool = False) -> Mapping[tuple[str, int], LeafSet]:
        return {group: leaf_set(self.ids(*group)) for group in self.generations()}

    def dimension(self) -> int | None:
        return next((len(row[2]) for row in self._rows.values()), None)

    def check_found(self, node_ids: Sequence[str]) -> None:
        """Comparing with every vector misses none."""

    def vectors(self, node_ids: Sequence[str]) -> Mapping[str, Vectors]:
        return {node_id: self._rows[node_id][2] for node_id in node_ids if node_id in self._rows}
