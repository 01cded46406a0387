"""Everything a run needs, as `prepare.py` has made it.

    documents.jsonl    one document a line: id, name, version, text, and the places of its nodes
    vectors.npy        float32 (leaves, d), leaves in the order of the documents
    keys.npy, rows.npy hashes of the leaves' texts in order, and the row each belongs to
    pool_*.npy         token vectors of real sentences (`token_pool.py`)
    token_places.npy   int32: the pool's row for each token of each leaf
    token_ends.npy     int64: where each leaf's tokens end among those
    questions.json     texts, and which leaf each is about;  question_vectors.npy: float32 (questions, d)

Both builds look vectors up by text, a batch at a time, so that neither holds them all because of this. Token
vectors are put together when they are asked for: all of them would be 8 KB a leaf.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from eval.bench.token_pool import TokenPool
from prism.errors import ModelCallError
from prism.models.protocols import TokenVectors, Vectors
from prism.types import LEAF_LEVEL, Node

WORKSPACE: Final = "default"
GENERATION: Final = 1
WARM_UP_QUESTIONS: Final = 10
WORDS_PER_QUESTION: Final = 6
QUESTION_WORD: Final = re.compile(r"[A-Za-z]{4,}")


@dataclass(frozen=True, slots=True)
class Ready:
    """A document cut into nodes. `first_row` is where its leaves' vectors begin."""

    document_id: str
    name: str
    version: str
    text: str
    nodes: tuple[Node, ...]
    first_row: int

    @property
    def leaves(self) -> tuple[Node, ...]:
        """The leaves, in document order."""
        return tuple(node for node in self.nodes if node.level == LEAF_LEVEL)


@dataclass(frozen=True, slots=True)
class Question:
    """Words of a leaf; `tenth` is a scope of a tenth of the documents, its own among them."""

    text: str
    node_id: str
    document_id: str
    tenth: frozenset[str]


class Material:
    """What is in a material folder, read when asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._keys = np.load(folder / "keys.npy")
        self._rows = np.load(folder / "rows.npy")
        facts = json.loads((folder / "facts.json").read_text(encoding="utf-8"))
        self.leaves: int = facts["leaves"]
        self.document_count: int = facts["documents"]
        self.questions = tuple(
            Question(**{**row, "tenth": frozenset(row["tenth"])})
            for row in json.loads((folder / "questions.json").read_text(encoding="utf-8"))
        )
        self._asked = {question.text: row for row, question in enumerate(self.questions)}
        self._own_vectors: dict[str, int] = {}

    def documents(self) -> Iterator[Ready]:
        """The corpus, one document after another."""
        for number, document in enumerate(self._all()):
            if number == self.document_count:
                break
            yield document

    def spare_documents(self) -> tuple[Ready, ...]:
        """Documents to be added to it."""
        return tuple(self._all())[self.document_count :]

    def about(self, document: Ready, count: int = 3) -> tuple[Question, ...]:
        """Questions made of a document's first leaves, asked with the leaves' own vectors."""
        made = []
        for place, leaf in enumerate(document.leaves[:count]):
            text = " ".join(
                list(dict.fromkeys(QUESTION_WORD.findall(leaf.text)))[:WORDS_PER_QUESTION]
            ).lower()
            self._own_vectors[text] = document.first_row + place
            made.append(Question(text, leaf.node_id, document.document_id, frozenset()))
        return tuple(made)

    def leaf_ids(self) -> list[str]:
        """Ids of the corpus's leaves, in the order of the vectors."""
        return [leaf.node_id for document in self.documents() for leaf in document.leaves]

    def leaf_vectors(self) -> Vectors:
        """All vectors of the corpus, float32 (leaves, d)."""
        return np.array(np.load(self.folder / "vectors.npy", mmap_mode="r")[: self.leaves])

    def vectors_of(self, texts: Sequence[str]) -> Vectors:
        """Vectors of leaves by their text, float32 (n, d). Raises `ModelCallError`."""
        return np.array(np.load(self.folder / "vectors.npy", mmap_mode="r")[self._rows_of(texts)])

    def token_vectors_of(self, texts: Sequence[str]) -> tuple[TokenVectors, ...]:
        """Token vectors of leaves by their text, int8 (tokens, d) each. Raises `ModelCallError`."""
        places = np.asarray(np.load(self.folder / "token_places.npy", mmap_mode="r"))
        pool, ends = self.pool.rows, self._token_ends
        spans = [(ends[row - 1] if row else 0, ends[row]) for row in self._rows_of(texts)]
        return tuple(np.take(pool, places[start:end], axis=0) for start, end in spans)

    def question_vector(self, text: str) -> Vectors:
        """The vector of a question, float32 (d,). Raises `ModelCallError`."""
        if text in self._own_vectors:
            return np.array(np.load(self.folder / "vectors.npy", mmap_mode="r")[self._own_vectors[text]])
        if text not in self._asked:
            raise ModelCallError(f"{self.folder}: {text!r} is none of the questions of this corpus")
        vector: Vectors = self._question_vectors[self._asked[text]]
        return vector

    @cached_property
    def pool(self) -> TokenPool:
        """The token vectors that those of leaves and questions are put together from."""
        return TokenPool.load(self.folder)

    @cached_property
    def _question_vectors(self) -> Vectors:
        vectors: Vectors = np.load(self.folder / "question_vectors.npy")
        return vectors

    @cached_property
    def _token_ends(self) -> NDArray[np.int64]:
        ends: NDArray[np.int64] = np.load(self.folder / "token_ends.npy")
        return ends

    def _rows_of(self, texts: Sequence[str]) -> NDArray[np.int64]:
        keys = np.array([key_of(text) for text in texts], dtype=np.uint64)
        places = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        if not np.array_equal(self._keys[places], keys):
            raise ModelCallError(f"{self.folder}: a text was to be embedded that is no leaf of this corpus")
        rows: NDArray[np.int64] = self._rows[places]
        return rows

    def _all(self) -> Iterator[Ready]:
        first_row = 0
        with (self.folder / "documents.jsonl").open(encoding="utf-8") as stream:
            for line in stream:
                document = from_json(json.loads(line), first_row)
                first_row += len(document.leaves)
                yield document


def from_json(row: Mapping[str, Any], first_row: int) -> Ready:
    """A line of `documents.jsonl`."""
    text = row["text"]
    nodes = tuple(
        Node(
            node_id,
            row["document_id"],
            GENERATION,
            level,
            ordinal,
            parent_id,
            start,
            end,
            text[start:end],
            tokens=tokens,
        )
        for node_id, level, ordinal, parent_id, start, end, tokens in row["nodes"]
    )
    return Ready(row["document_id"], row["name"], row["version"], text, nodes, first_row)


def key_of(text: str) -> int:
    """What a leaf is found by: 64 bits of a digest of its text."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8"), digest_size=8).digest(), "big")
