"""The token vectors of one workspace: a projection of the catalogue, one file per build.

Vectors of one recipe alone are kept: those of another must not be compared with them. What is lacking or
damaged is left out of an answer and made again before the next question (`prism/rebuild.py`).
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from prism.errors import StoreDamagedError, StoreError, UsageError
from prism.stores.boundary import Reached, unwatched
from prism.stores.leaf_sets import LeafSet
from prism.stores.token_files import TokenDraft, TokenFile, TokenVectors
from prism.stores.token_folder import Group, TokenFolder

logger = logging.getLogger(__name__)

OPEN_FILES: Final = 256
"""Files held open at once, a quarter of what a process may open on most systems."""


class WorkspaceTokens:
    """Token vectors by node id. Safe for many threads; one build is written at a time."""

    def __init__(self, folder: Path, reached: Reached = unwatched) -> None:
        """Nothing is read or written yet. `reached` is told every boundary (`boundary.py`)."""
        self._folder = TokenFolder(folder, reached)
        self._reached = reached
        self._recipe: str | None = None
        self._finished: set[Group] | None = None
        self._damaged: set[Group] = set()
        self._open: OrderedDict[Group, TokenFile] = OrderedDict()
        self._drafts: dict[Group, TokenDraft] = {}
        self._losses = 0
        self._lock = threading.RLock()

    @property
    def recipe(self) -> str | None:
        """Whose vectors are kept (`TokenEmbedder.token_recipe`); None as long as nobody asked for any."""
        return self._recipe

    @property
    def losses(self) -> int:
        """How often anything was removed or found damaged since this was opened."""
        return self._losses

    def keep(self, recipe: str) -> None:
        """From now on vectors of this recipe are kept; those of any other are removed."""
        with self._lock:
            if recipe == self._recipe:
                return
            self._recipe = recipe
            self._losses += 1
            self._look_anew()
            try:
                self._folder.remove_others(recipe)
            except StoreError as error:
                # Nobody reads them, and what is purged goes from there, too.
                logger.warning("token vectors of another recipe stay for now: %s", error)

    # ── writing ─────────────────────────────────────────────────────────────────────────────────

    def add(
        self, document_id: str, generation: int, node_ids: Sequence[str], arrays: Sequence[TokenVectors]
    ) -> None:
        """Write leaves of a build, which are found once it is finished.

        Args:
            arrays: int8 (tokens, d) per leaf.

        Raises:
            UsageError: lengths or dimensions differ, or no recipe is kept.
            StoreError: the disk is full or the folder cannot be written.
        """
        group, recipe = (document_id, generation), self._kept()
        with self._folder.told():
            self._reached("tokens: before writing a slice")
            draft = self._drafts.get(group)
            if draft is None:
                self._folder.make(recipe)
                draft = self._drafts.setdefault(group, TokenDraft(self._folder.file(recipe, group)))
            draft.append(node_ids, arrays)
        self._reached("tokens: after writing a slice")

    def finish(self, document_id: str, generation: int) -> None:
        """Have a build found, all at once; one without any leaf has no file. Raises `StoreError`."""
        group = (document_id, generation)
        draft = self._drafts.get(group)
        if draft is None:
            return
        with self._folder.told():
            draft.finish()
            self._reached("tokens: before a file takes its place")
            draft.put_in_place()
        with self._lock:
            del self._drafts[group]
            self._damaged.discard(group)
            self._open.pop(group, None)
            if self._finished is not None:
                self._finished.add(group)
        self._reached("tokens: after a file took its place")

    def discard(self, document_id: str, generation: int) -> None:
        """Remove a build, finished or not, of any recipe; none need be there. Raises `StoreError`."""
        group = (document_id, generation)
        with self._lock:
            if (draft := self._drafts.pop(group, None)) is not None:
                draft.abandon()
            self._open.pop(group, None)
            self._damaged.discard(group)
            if self._finished is not None and group in self._finished:
                self._finished.remove(group)
                self._losses += 1
            self._folder.remove(group)

    def delete_document(self, document_id: str) -> None:
        """Remove every build of a document. Raises `StoreError`."""
        for group in self.stored():
            if group[0] == document_id:
                self.discard(*group)

    def remove_drafts(self) -> None:
        """Remove what a process that died was writing. Only while nothing is being written."""
        self._folder.remove_drafts()

    def drop(self) -> None:
        """Remove everything, to be made anew. Raises `StoreError`."""
        with self._lock:
            self.close()
            self._losses += 1
            self._folder.remove_all()

    def close(self) -> None:
        """Let go of every file."""
        with self._lock:
            for draft in self._drafts.values():
                draft.abandon()
            self._drafts.clear()
            self._look_anew()

    # ── reading ─────────────────────────────────────────────────────────────────────────────────

    def generations(self, recipe: str | None = None) -> frozenset[Group]:
        """The finished builds that are not known to be damaged. Raises `StoreError`.

        Args:
            recipe: another than the one kept, only to be looked at.
        """
        with self._lock:
            if recipe is not None and recipe != self._recipe:
                return frozenset(self._folder.finished(recipe))
            if self._recipe is None:
                return frozenset()
            if self._finished is None:
                self._finished = self._folder.finished(self._recipe)
            return frozenset(self._finished - self._damaged)

    def stored(self) -> frozenset[Group]:
        """Every build of which there is a file of any recipe, finished or not. Raises `StoreError`."""
        return self._folder.stored()

    def get(self, wanted: Mapping[str, Group]) -> Mapping[str, TokenVectors]:
        """Token vectors, int8 (tokens, d), read-only, by node id.

        What is lacking or damaged is left out, and its build is made again before the next question.

        Args:
            wanted: (document_id, generation) by node id.

        Raises:
            StoreError: the folder cannot be read.
        """
        by_group: defaultdict[Group, list[str]] = defaultdict(list)
        for node_id, group in wanted.items():
            by_group[group].append(node_id)
        there = self.generations()
        return {
            node_id: rows
            for group in by_group.keys() & there
            for node_id, rows in self._of_group(group, by_group[group])
        }

    def check(self, group: Group) -> LeafSet:
        """Which leaves a build has, all of them read and compared with their sums.

        Raises:
            StoreDamagedError: it is not as it was written, or cannot be read.
        """
        try:
            return self._opened(group).check()
        except OSError as error:
            raise StoreDamagedError(f"{error.filename}: cannot be read ({error.strerror}).") from error

    def _of_group(self, group: Group, node_ids: Sequence[str]) -> Iterator[tuple[str, TokenVectors]]:
        try:
            file = self._opened(group)
        except (OSError, StoreDamagedError) as error:
            self._note_damaged(group, error)
            return
        for node_id in node_ids:
            try:
                rows = file.get(node_id)
            except (OSError, StoreDamagedError) as error:
                self._note_damaged(group, error)
                continue
            if rows is None:
                self._note_damaged(group, f"leaf {node_id} is missing")
            else:
                yield node_id, rows

    def _opened(self, group: Group) -> TokenFile:
        with self._lock:
            file = self._open.get(group)
            if file is None:
                file = self._open[group] = TokenFile(self._folder.file(self._kept(), group))
            self._open.move_to_end(group)
            # Whoever still reads one that is let go of here keeps it open until he has read.
            while len(self._open) > OPEN_FILES:
                self._open.popitem(last=False)
            return file

    def _note_damaged(self, group: Group, why: object) -> None:
        with self._lock:
            if group not in self._damaged:
                logger.warning("token vectors of %s-%d are made again: %s", *group, why)
            self._damaged.add(group)
            self._open.pop(group, None)
            self._losses += 1

    def _kept(self) -> str:
        if self._recipe is None:
            raise UsageError("keep() says whose token vectors these are before any are written or read")
        return self._recipe

    def _look_anew(self) -> None:
        self._open.clear()
        self._damaged.clear()
        self._finished = None
