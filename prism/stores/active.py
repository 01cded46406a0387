"""What is visible. One `ActiveSet` per workspace ties the record to its projections.

Every change of visibility is one commit in the catalogue followed by publishing a new, immutable
`Snapshot`; a question takes one snapshot and uses it for every leg, parent, page and citation.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from prism.errors import PrismError
from prism.stores.catalogue import Catalogue
from prism.stores.keywords import KeywordIndex, KeywordView, LeafTokens
from prism.stores.token_files import TokenVectors
from prism.stores.token_vectors import WorkspaceTokens
from prism.stores.vectors import WorkspaceVectors
from prism.types import Node

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The active documents of a workspace at one moment, and the keyword index seen through them."""

    serial: int
    workspace: str
    generations: Mapping[str, int]
    keywords: KeywordView


class ActiveSet:
    """The only place that shows, hides and removes generations. Safe for many threads."""

    def __init__(
        self,
        workspace: str,
        catalogue: Catalogue,
        vectors: WorkspaceVectors,
        keywords: KeywordIndex,
        tokens: WorkspaceTokens,
    ) -> None:
        self.workspace = workspace
        self.vectors = vectors
        self.keywords = keywords
        self.tokens = tokens
        self._catalogue = catalogue
        self._lock = threading.RLock()
        self._leases: Counter[int] = Counter()
        self._held: dict[int, Snapshot] = {}
        self._clean_again = False
        self.is_whole = False
        """Whether the vectors were looked into since they were opened, and are sound and complete."""
        self.whole_at: int | None = None
        """How many writes the vectors had seen when they were compared with the record and held it all."""
        self._tokens_whole_at: tuple[int, int] | None = None
        self._current = self._look(serial=0)

    @property
    def may_lack_vectors(self) -> bool:
        """Whether leaves of the record may be without their vectors: they were when this was opened, or
        vectors were written since."""
        return self.whole_at != self.vectors.writes

    @property
    def token_state(self) -> tuple[int, int]:
        """What the token vectors lack is the same as long as this is: take it before looking."""
        return self.tokens.losses, self._current.serial

    @property
    def may_lack_tokens(self) -> bool:
        """Whether documents that are shown may be without the token vectors that are kept."""
        if self.tokens.recipe is None:
            return False
        now = self.token_state
        if now == self._tokens_whole_at:
            return False
        if self._current.generations.items() - self.tokens.generations():
            return True
        self.note_tokens_whole(now)
        return False

    def note_tokens_whole(self, state: tuple[int, int]) -> None:
        """The token vectors were compared with the record, and hold it all, as of this `token_state`."""
        self._tokens_whole_at = state

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        """What is visible now; stays whole and unchanged until the block ends. The last question to let go
        of a replaced version removes it."""
        with self._lock:
            snapshot = self._current
            self._leases[snapshot.serial] += 1
            self._held[snapshot.serial] = snapshot
        try:
            yield snapshot
        finally:
            with self._lock:
                self._leases[snapshot.serial] -= 1
                if not self._leases[snapshot.serial]:
                    del self._leases[snapshot.serial], self._held[snapshot.serial]
                must_clean = self._clean_again and snapshot is not self._current
            if must_clean:
                self._clean_later()

    def store_leaves(
        self,
        leaves: Sequence[Node],
        vectors: NDArray[np.float32],
        tokens: Mapping[str, Sequence[str]],
        token_vectors: Sequence[TokenVectors] | None = None,
    ) -> None:
        """Put the leaves of a generation being built into the projections, still invisible.

        Args:
            tokens: keyword tokens by node id.
            token_vectors: one array per leaf; None where none are kept. `finish_leaves` ends them.
        """
        self.vectors.upsert(
            [leaf.node_id for leaf in leaves],
            vectors,
            [leaf.document_id for leaf in leaves],
            [leaf.generation for leaf in leaves],
        )
        self.keywords.add(
            [
                LeafTokens(leaf.node_id, leaf.document_id, leaf.generation, tuple(tokens[leaf.node_id]))
                for leaf in leaves
            ]
        )
        if token_vectors is not None and leaves:
            first = leaves[0]
            self.tokens.add(
                first.document_id, first.generation, [leaf.node_id for leaf in leaves], token_vectors
            )

    def finish_leaves(self, document_id: str, generation: int) -> None:
        """All leaves of a generation are stored: to be called before it is shown."""
        self.tokens.finish(document_id, generation)

    def show(self, document_id: str, generation: int, *, unless_hidden: bool = False) -> None:
        """Make a finished generation the one readers see.

        Args:
            unless_hidden: a document that is hidden now stays so, since it was deleted during the build.
        """
        with self._published():
            self._catalogue.activate(document_id, generation, unless_hidden=unless_hidden)

    def hide(self, document_id: str) -> None:
        """Hide a document everywhere at once."""
        with self._published():
            self._catalogue.set_active(document_id, active=False)

    def unhide(self, document_id: str) -> None:
        """Show a hidden document again."""
        with self._published():
            self._catalogue.set_active(document_id, active=True)

    def purge(self, document_id: str) -> None:
        """Remove a document and all that was derived from it, on disk too; there is no way back."""
        with self._lock:
            try:
                with self._published():
                    self._catalogue.purge(document_id)
            finally:
                if self._catalogue.document(document_id) is None:
                    self._forget(document_id)

    def discard(self, document_id: str, generation: int) -> None:
        """Remove a generation that nobody sees from the projections."""
        self.vectors.delete_generation(document_id, generation)
        self.keywords.remove([(document_id, generation)])
        self.tokens.discard(document_id, generation)

    def clean(self) -> int:
        """Remove every generation that is neither live nor seen by a question under way; returns how many.

        What a question still sees goes when that question lets go of its snapshot.
        """
        removed = 0
        with self._lock:
            self._clean_again = False
        for _, document_id, generation in self._catalogue.stale_generations(self.workspace):
            with self._lock:
                in_use = any(held.generations.get(document_id) == generation for held in self._held.values())
                self._clean_again = self._clean_again or in_use
            if in_use:
                continue
            self.discard(document_id, generation)
            self._catalogue.drop_generation(document_id, generation)
            removed += 1
        return removed

    def remove_strays(self) -> int:
        """Remove vectors of builds the catalogue knows nothing of, as a purge cut short leaves, and drafts of
        token vectors; returns how many builds. Only while nothing is being ingested."""
        self.tokens.remove_drafts()
        known = self._catalogue.live_leaf_counts(self.workspace)
        strays = sorted((self.vectors.leaf_sets().keys() | self.tokens.stored()) - known.keys())
        with self._lock:
            for held in self._held.values():
                strays = [group for group in strays if held.generations.get(group[0]) != group[1]]
        for document_id, generation in strays:
            self.discard(document_id, generation)
        return len(strays)

    def refresh(self) -> None:
        """Look again, after the projections were rebuilt."""
        with self._lock:
            self._publish()

    def _forget(self, document_id: str) -> None:
        self.keywords.remove([group for group in self.keywords.leaf_counts() if group[0] == document_id])
        self.keywords.save()
        self.vectors.delete_document(document_id)
        self.tokens.delete_document(document_id)

    @contextmanager
    def _published(self) -> Iterator[None]:
        """Around one commit: what it changed is shown even if Ctrl-C comes right after it."""
        with self._lock:
            try:
                yield
            finally:
                self._publish()

    def _clean_later(self) -> None:
        try:
            self.clean()
        except PrismError as error:
            # The question that let go last has its answer; the next clean-up tries again.
            self._clean_again = True
            logger.warning("a replaced version could not be removed yet: %s", error)

    def _publish(self) -> None:
        self._current = self._look(self._current.serial + 1)

    def _look(self, serial: int) -> Snapshot:
        generations = MappingProxyType(self._catalogue.active_generations(self.workspace))
        return Snapshot(serial, self.workspace, generations, self.keywords.view(generations))
