"""The keyword index: which leaves hold which tokens, and how it lives on disk.

It is made of immutable segments (as Lucene's): a base, kept on disk and memory-mapped, and small newer ones
in memory. Adding leaves makes one more small segment; neighbours of like size are merged, so a leaf is moved
a logarithmic number of times. The index is a projection of the catalogue: what the disk lacks is added
from the tokens stored there, and `save` may be called whenever convenient.
"""

from __future__ import annotations

import shutil
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from prism.errors import StoreError
from prism.stores.bm25 import Group, LeafTokens, Segment, build_segment, merge_segments
from prism.stores.boundary import Reached, unwatched
from prism.stores.keyword_files import read_base, write_base
from prism.stores.keyword_view import KeywordView
from prism.stores.leaf_sets import LeafSet, leaf_set
from prism.text.tokens import TOKENIZER_VERSION

__all__ = ["Group", "KeywordIndex", "KeywordView", "LeafTokens"]

SAVE_SHARE = 0.05
"""Share of leaves not yet on disk from which writing a new base pays."""

MERGE_FACTOR = 4
"""Newest segments are merged when this many are of about the same size."""


class KeywordIndex:
    """All indexed leaves, visible or not; questions are asked of a `view`.

    Safe for many threads. One process owns the folder.
    """

    def __init__(
        self,
        folder: Path,
        *,
        k1: float = 1.5,
        b: float = 0.75,
        tokenizer_version: str = TOKENIZER_VERSION,
        reached: Reached = unwatched,
    ) -> None:
        """An empty index; nothing is read or written until `load` or `save`.

        Args:
            folder: where the index is kept; made by the first `save`.
            k1: how soon repeated occurrences stop counting (Robertson & Zaragoza 2009). Changing it, or `b`,
                needs no rebuild.
            b: how much long leaves are held back, 0 to 1.
            tokenizer_version: version of the tokens that will be added.
            reached: told every boundary (`boundary.py`).
        """
        self._folder = folder
        self._k1, self._b = k1, b
        self._tokenizer_version = tokenizer_version
        self._reached = reached
        self._segments: tuple[Segment, ...] = ()
        self._removed: frozenset[Group] = frozenset()
        self._saved = True
        self._saved_leaves = 0
        self._lock = threading.RLock()

    def load(self) -> None:
        """Open what was saved; an index that was never saved is empty.

        Raises:
            StoreMismatchError: saved with another tokenizer or format.
            StoreDamagedError: a file is missing or broken. After either, `clear` and `reconcile`.
        """
        with self._lock:
            base = read_base(self._folder, self._tokenizer_version)
            self._segments = (base,) if base else ()
            self._removed = frozenset()
            self._saved = True
            self._saved_leaves = len(base) if base else 0

    def clear(self) -> None:
        """Forget every leaf, on disk too. Raises `StoreError` when the folder cannot be deleted."""
        with self._lock:
            self._delete_files()
            self._segments, self._removed, self._saved = (), frozenset(), True
            self._saved_leaves = 0

    def reconcile(
        self, expected: Mapping[Group, LeafSet], fetch: Callable[[frozenset[Group]], Iterable[LeafTokens]]
    ) -> int:
        """Make the index hold exactly the leaves the catalogue holds, without tokenizing anything.

        Args:
            expected: which leaves each group has in the catalogue (groups without any may be left out).
            fetch: gives the stored tokens of all leaves of some groups.

        Returns:
            How many leaves were added.
        """
        with self._lock:
            held = self.leaf_sets()
            self.remove(group for group, leaves in held.items() if expected.get(group) != leaves)
            missing = frozenset(
                group for group, leaves in expected.items() if leaves.count and held.get(group) != leaves
            )
            return self.add(fetch(missing)) if missing else 0

    def add(self, leaves: Iterable[LeafTokens]) -> int:
        """Index leaves at once; views taken from now on can see them. Returns how many.

        A leaf must not be in the index already (its group may be: groups may come in several parts).
        """
        segment = build_segment(leaves)
        if not len(segment):
            return 0
        with self._lock:
            returning = self._removed.intersection(segment.groups)
            if returning:
                self._segments = self._without(returning)
            self._removed -= returning
            self._segments = _merge_tail((*self._segments, segment), self._removed)
            self._saved = False
        return len(segment)

    def remove(self, groups: Iterable[Group]) -> None:
        """Drop all leaves of some groups: no view taken from now on holds them, nor does the next `save`."""
        with self._lock:
            gone = frozenset(groups).intersection(self.leaf_counts())
            if not gone:
                return
            self._removed |= gone
            self._segments = tuple(
                segment for segment in self._segments if not self._removed.issuperset(segment.groups)
            )
            self._saved = False

    def leaf_counts(self) -> Mapping[Group, int]:
        """Leaves held per group."""
        counts: Counter[Group] = Counter()
        for segment in self._segments:
            counts.update(segment.leaf_counts)
        return {group: count for group, count in counts.items() if group not in self._removed}

    def leaf_sets(self) -> Mapping[Group, LeafSet]:
        """Which leaves each group has."""
        ids: defaultdict[Group, list[str]] = defaultdict(list)
        with self._lock:
            segments, removed = self._segments, self._removed
        for segment in segments:
            for group, members in segment.leaf_ids().items():
                ids[group].extend(members)
        return {group: leaf_set(members) for group, members in ids.items() if group not in removed}

    def __len__(self) -> int:
        return sum(self.leaf_counts().values())

    def view(self, active: Mapping[str, int]) -> KeywordView:
        """A snapshot of the leaves of the active generations: document_id -> generation."""
        with self._lock:
            segments, removed = self._segments, self._removed
        visible = {
            document: generation
            for document, generation in active.items()
            if (document, generation) not in removed
        }
        return KeywordView(segments, visible, k1=self._k1, b=self._b)

    def save(self) -> None:
        """Write everything as one new base; the old one serves until the new is complete.

        A kill at any instant leaves one of the two.

        Raises:
            StoreError: it cannot be written; what is in memory goes on serving.
        """
        with self._lock:
            if self._saved:
                return
            base = merge_segments(self._segments, self._removed)
            try:
                saved = write_base(self._folder, base, self._tokenizer_version, self._reached)
            except OSError as error:
                raise StoreError(_unwritable(self._folder, error)) from error
            self._segments = (saved,)
            self._removed, self._saved = frozenset(), True
            self._saved_leaves = len(self)

    def save_when_grown(self) -> None:
        """`save` when what is not on disk has become a good part of the whole.

        Writing the base costs in proportion to all leaves, adding what it lacks at the next opening in
        proportion to those alone.
        """
        with self._lock:
            if abs(len(self) - self._saved_leaves) >= SAVE_SHARE * len(self):
                self.save()

    def _delete_files(self) -> None:
        try:
            for path in (self._folder.parent, self._folder):
                if path.is_file():
                    path.unlink()
            if self._folder.is_dir():
                self._reached("keywords: before clearing")
                shutil.rmtree(self._folder)
                self._reached("keywords: after clearing")
        except OSError as error:
            raise StoreError(_unwritable(self._folder, error)) from error

    def _without(self, groups: frozenset[Group]) -> tuple[Segment, ...]:
        """The segments, rewritten where they hold one of `groups`."""
        return tuple(
            segment if groups.isdisjoint(segment.groups) else merge_segments([segment], groups)
            for segment in self._segments
        )


def _unwritable(folder: Path, error: OSError) -> str:
    return (
        f"{folder}: the keyword index cannot be written ({error.strerror or error}). Check free space and "
        "permissions; what it lacks is added from the catalogue at the next opening."
    )


def _merge_tail(segments: tuple[Segment, ...], removed: frozenset[Group]) -> tuple[Segment, ...]:
    """Merge the newest segments while `MERGE_FACTOR` of them are of about the same size."""
    while len(segments) > MERGE_FACTOR:
        tail = segments[-MERGE_FACTOR:]
        if max(map(len, tail)) > MERGE_FACTOR * max(1, len(tail[-1])):
            break
        segments = (*segments[:-MERGE_FACTOR], merge_segments(tail, removed))
    return segments
