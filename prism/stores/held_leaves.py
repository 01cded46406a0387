"""Which leaves a collection of vectors holds, known without reading them all at every opening.

It begins with what the seal says (`seal.py`) and reads again only the generations that were changed since.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from typing import Final

from prism.stores.leaf_sets import LeafSet, leaf_set

Group = tuple[str, int]

LEAVES_PER_LOOK_UP: Final = 500
"""Finding the leaves of one group takes as long as reading the ids of this many leaves (6.5 ms)."""


class HeldLeaves:
    """`LeafSet`s by (document_id, generation). Safe for many threads."""

    def __init__(
        self,
        sealed: Mapping[Group, LeafSet] | None,
        *,
        read_all: Callable[[], dict[Group, LeafSet]],
        read_group: Callable[[str, int], Collection[str]],
        count: Callable[[], int],
    ) -> None:
        """`sealed` is None when nobody can say what is held; `count` gives the number of leaves stored."""
        self._held = None if sealed is None else dict(sealed)
        self._read_all, self._read_group, self._count = read_all, read_group, count
        self._changed: set[Group] = set()
        self._lock = threading.Lock()

    @contextmanager
    def changing(self, groups: AbstractSet[Group]) -> Iterator[None]:
        """Around a change of these groups, whether or not it succeeds."""
        try:
            yield
        finally:
            with self._lock:
                self._changed |= groups

    def look(self, *, anew: bool) -> Mapping[Group, LeafSet]:
        """What is held now; groups without leaves are left out. `anew` reads everything."""
        with self._lock:
            is_much = bool(self._changed) and len(self._changed) * LEAVES_PER_LOOK_UP > self._count()
            if anew or self._held is None or is_much:
                self._changed.clear()
                self._held = self._read_all()
            while self._changed:
                group = self._changed.pop()
                self._held.pop(group, None)
                if ids := self._read_group(*group):
                    self._held[group] = leaf_set(ids)
            return dict(self._held)
