"""What was computed most lately, kept for who asks again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Recent(Generic[Key, Value]):
    """A few values by key; the one longest unasked for goes first. Safe for many threads."""

    def __init__(self, compute: Callable[[Key], Value], entries: int) -> None:
        """`compute` gives a value that is not kept; whoever is given it must not change it."""
        self._compute = compute
        self._entries = entries
        self._kept: OrderedDict[Key, Value] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Key) -> Value:
        """The value of a key. Raises what `compute` raises, and keeps nothing then."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        # Others need not wait meanwhile; two that ask for the same at once compute it twice.
        value = self._compute(key)
        with self._lock:
            self._kept[key] = value
            self._kept.move_to_end(key)
            while len(self._kept) > self._entries:
                self._kept.popitem(last=False)
        return value
