"""The stored texts most lately read, kept in memory: every node's text is a slice of one."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

TEXT_CACHE_CHARS = 16_000_000


class TextCache:
    """Texts by (document_id, generation). Safe for many threads."""

    def __init__(self, read: Callable[[str, int], str]) -> None:
        """`read` gives a text from the record, empty when it is gone."""
        self._read = read
        self._texts: OrderedDict[tuple[str, int], str] = OrderedDict()
        self._changes = 0
        self._lock = Lock()

    def get(self, document_id: str, generation: int) -> str:
        """A text, empty when it is gone."""
        key = (document_id, generation)
        with self._lock:
            if key in self._texts:
                self._texts.move_to_end(key)
                return self._texts[key]
            changes = self._changes
        text = self._read(document_id, generation)
        with self._lock:
            # A text removed while it was being read must not come back through the cache, and one that is
            # gone may be there again: a purged document that is ingested anew has the same key.
            if not text or changes != self._changes:
                return text
            self._texts[key] = text
            kept_chars = sum(map(len, self._texts.values()))
            while kept_chars > TEXT_CACHE_CHARS and len(self._texts) > 1:
                kept_chars -= len(self._texts.popitem(last=False)[1])
        return text

    def forget(self, document_id: str) -> None:
        """Let go of a document's texts, those being read just now included."""
        with self._lock:
            self._changes += 1
            for key in [key for key in self._texts if key[0] == document_id]:
                del self._texts[key]
