"""Vectors and rerank scores kept by content, so that what was computed once is read the next time; token
vectors are kept by `token_cache.py`.

A text's vector depends on the embedder and the text alone, not on the document, the chunker or the settings:
another way of cutting the same set embeds only the passages that are new.
"""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np

from prism.errors import UsageError
from prism.models.protocols import Embedder, OnBatch, Reranker, Vectors
from prism.types import Notice

_BATCH = 500
"""Keys a query: SQLite takes at most 32,766 values in one statement."""


class Kept:
    """Bytes by key in one SQLite file. Safe for many threads; several processes may share the file."""

    def __init__(self, file: Path) -> None:
        """Open the file, and make it when it is new. Raises `UsageError` when it cannot be used."""
        file.parent.mkdir(parents=True, exist_ok=True)
        self._file = file
        self._lock = threading.Lock()
        with self._in_use():
            self._connection = sqlite3.connect(
                file, check_same_thread=False, timeout=60, isolation_level=None
            )
            # Locked at once, whatever the timeout, while another process sets the same mode for all.
            with suppress(sqlite3.OperationalError):
                self._connection.execute("PRAGMA journal_mode = WAL")
            # What is lost in a crash is computed again.
            self._connection.executescript(
                "PRAGMA synchronous = OFF; BEGIN IMMEDIATE;"
                "CREATE TABLE IF NOT EXISTS kept (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;"
                "COMMIT"
            )

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """What is kept of these keys. Raises `UsageError` when the file is spoiled."""
        found: dict[bytes, bytes] = {}
        with self._in_use():
            for start in range(0, len(keys), _BATCH):
                part = keys[start : start + _BATCH]
                marks = ",".join("?" * len(part))
                found.update(
                    self._connection.execute(f"SELECT key, value FROM kept WHERE key IN ({marks})", part)
                )
        return found

    def put(self, values: dict[bytes, bytes]) -> None:
        """Keep these, all or none. Raises `UsageError` when the file cannot be written."""
        with self._in_use():
            self._connection.execute("BEGIN IMMEDIATE")
            with self._connection:
                self._connection.executemany("INSERT OR IGNORE INTO kept VALUES (?, ?)", values.items())

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def _in_use(self) -> Iterator[None]:
        with self._lock:
            try:
                yield
            except sqlite3.Error as error:
                raise UsageError(
                    f"{self._file}: the cache cannot be used ({error}). Remove it, and what it held is "
                    "computed again; or name another folder with --cache."
                ) from error


@contextmanager
def kept(file: Path) -> Iterator[Kept]:
    """The file, open."""
    values = Kept(file)
    try:
        yield values
    finally:
        values.close()


class _Wrapped:
    """An embedder around another: what a wrapper does not do itself, the one inside does."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    @property
    def name(self) -> str:
        """The embedder's: its vectors are these."""
        return self._embedder.name

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._embedder.dimension

    @property
    def max_tokens(self) -> int:
        """Tokens read of a text."""
        return self._embedder.max_tokens

    def embed_query(self, text: str) -> Vectors:
        """Vector of a question, float32 (d,)."""
        return self._embedder.embed_query(text)

    def token_count(self, text: str) -> int:
        """Number of tokens, without the special ones."""
        return self._embedder.token_count(text)

    def token_offsets(self, text: str) -> list[tuple[int, int]]:
        """Character span of each token."""
        return self._embedder.token_offsets(text)

    def tokenize(self, text: str) -> list[str]:
        """Tokens as strings."""
        return self._embedder.tokenize(text)

    def can_read(self, text: str) -> bool:
        """Whether the model was trained on the text's script."""
        return self._embedder.can_read(text)

    def _stacked(self, rows: Sequence[Vectors]) -> Vectors:
        return np.stack(rows) if rows else np.zeros((0, self.dimension), dtype=np.float32)


class CachedEmbedder(_Wrapped):
    """Reads a passage's vector from the cache when it can. For indexing, not for asking, where what embedding
    costs is part of what is measured. `computed` counts the passages that were."""

    def __init__(self, embedder: Embedder, cache: Kept) -> None:
        super().__init__(embedder)
        self._cache = cache
        self.computed = 0

    def embed(self, texts: Sequence[str], on_batch: OnBatch | None = None) -> Vectors:
        """Vectors of passages, float32 (n, d), in the order given."""
        keys = [self._vector_key(text) for text in texts]
        known = self._cache.get(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing:
            before = len(texts) - len(missing)
            vectors = self._embedder.embed(
                list(missing.values()), on_batch and (lambda done: on_batch(before + done))
            )
            fresh = {key: vector_bytes(row) for key, row in zip(missing, vectors, strict=True)}
            self._cache.put(fresh)
            known |= fresh
            self.computed += len(fresh)
        elif on_batch is not None:
            on_batch(len(texts))
        return self._stacked([np.frombuffer(known[key], dtype=np.float32) for key in keys])

    def _vector_key(self, text: str) -> bytes:
        return content_key("vector", self.name, str(self.max_tokens), text)


class RepeatingEmbedder(_Wrapped):
    """Gives the vectors of one question's search again, for a second search of the same question, until
    `forget` is called. The first search computes them: its time is what a person waits."""

    def __init__(self, embedder: Embedder) -> None:
        super().__init__(embedder)
        self._passages: dict[str, Vectors] = {}
        self._questions: dict[str, Vectors] = {}

    def forget(self) -> None:
        """The next search is of another question."""
        self._passages.clear()
        self._questions.clear()

    def embed(self, texts: Sequence[str], on_batch: OnBatch | None = None) -> Vectors:
        """Vectors of passages, float32 (n, d), in the order given."""
        missing = [text for text in dict.fromkeys(texts) if text not in self._passages]
        if missing:
            self._passages |= zip(missing, self._embedder.embed(missing, on_batch), strict=True)
        return self._stacked([self._passages[text] for text in texts])

    def embed_query(self, text: str) -> Vectors:
        """Vector of a question, float32 (d,)."""
        if text not in self._questions:
            self._questions[text] = self._embedder.embed_query(text)
        return self._questions[text]


class CachedReranker:
    """A reranker that reads the score of a question and a passage from the cache when it can. `computed` and
    `read` count the scores of either kind: a latency with scores that were read says nothing."""

    def __init__(self, reranker: Reranker, cache: Kept, max_tokens: int) -> None:
        """`max_tokens`: how much of question and passage it reads, on which its scores depend."""
        self._reranker = reranker
        self._cache = cache
        self._max_tokens = max_tokens
        self.computed = 0
        self.read = 0

    @property
    def name(self) -> str:
        """The reranker's."""
        return self._reranker.name

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What its self-test found doubtful."""
        return self._reranker.notices

    def score(self, question: str, texts: Sequence[str]) -> tuple[float, ...]:
        """One score per text, in the order given."""
        keys = [content_key("score", self.name, str(self._max_tokens), question, text) for text in texts]
        known = self._cache.get(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        self.read += sum(key in known for key in keys)
        if missing:
            scores = self._reranker.score(question, list(missing.values()))
            fresh = {key: np.float64(score).tobytes() for key, score in zip(missing, scores, strict=True)}
            self._cache.put(fresh)
            known |= fresh
            self.computed += len(fresh)
        return tuple(float(np.frombuffer(known[key], dtype=np.float64)[0]) for key in keys)


def vector_bytes(vector: Vectors) -> bytes:
    """A vector as it is kept."""
    return np.asarray(vector, dtype=np.float32).tobytes()


def content_key(*parts: str) -> bytes:
    """A key that differs wherever one of the parts does."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        data = part.encode()
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.digest()
