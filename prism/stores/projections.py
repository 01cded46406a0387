"""The projections of a storage folder: vectors, keyword indexes and token vectors, each made from the record
and made anew when it is lost, damaged or behind. What is visible in a workspace ties them to the record
(`active.py`)."""

from __future__ import annotations

import logging
import shutil
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path

from prism.errors import StoreDamagedError, StoreError, StoreMismatchError
from prism.settings import Settings, is_workspace
from prism.stores.active import ActiveSet
from prism.stores.boundary import Reached
from prism.stores.catalogue import Catalogue
from prism.stores.keywords import Group, KeywordIndex, LeafTokens
from prism.stores.leaf_sets import LeafSet
from prism.stores.token_vectors import WorkspaceTokens
from prism.stores.vectors import VectorStore, WorkspaceVectors
from prism.text.tokens import TOKENIZER_VERSION

logger = logging.getLogger(__name__)


class Projections:
    """Opens each when it is first needed. Safe for many threads."""

    def __init__(
        self,
        folder: Path,
        settings: Settings,
        catalogue: Catalogue,
        reached: Reached,
        *,
        check_open: Callable[[], object],
    ) -> None:
        """`folder` is the storage folder, `catalogue` its record. `check_open` raises where nothing may be
        opened any more: the folder was closed, or this process was forked from its owner."""
        self.folder = folder
        self.catalogue = catalogue
        self.reads_all = False
        """Whether files of projections not yet open are to be read whole to compare them, whatever their
        times say."""
        self._settings = settings
        self._reached = reached
        self._check_open = check_open
        self._lock = threading.RLock()
        self._vectors: VectorStore | None = None
        self._active: dict[str, ActiveSet] = {}
        self._tokens: dict[str, WorkspaceTokens] = {}
        self._token_recipe: str | None = None

    def active(self, workspace: str) -> ActiveSet:
        """What is visible in a workspace, opened on first use."""
        with self._lock:
            if workspace not in self._active:
                vectors = self._vectors_of(workspace)
                keywords, live = self._keywords(workspace)
                active = ActiveSet(workspace, self.catalogue, vectors, keywords, self._tokens_of(workspace))
                held = vectors.leaf_sets()
                if all(held.get(group) == leaves for group, leaves in live.items()):
                    active.whole_at = vectors.writes
                active.clean()
                active.remove_strays()
                self._active[workspace] = active
            return self._active[workspace]

    def keep_tokens(self, recipe: str | None) -> None:
        """From now on token vectors of this recipe are kept; those of another are removed. None changes
        nothing: who wants none leaves those be that others want."""
        if recipe is not None:
            with self._lock:
                self._token_recipe = recipe
                for tokens in self._tokens.values():
                    tokens.keep(recipe)

    @property
    def vectors(self) -> VectorStore:
        """The vector store of all workspaces. Raises `StoreError` when the folder was closed."""
        with self._lock:
            if self._vectors is None:
                self._check_open()
                try:
                    self._vectors = self._open_vectors()
                except StoreDamagedError as error:
                    self.begin_vectors_anew(error)
                    self._vectors = self._open_vectors()
            return self._vectors

    def _vectors_of(self, workspace: str) -> WorkspaceVectors:
        """A workspace's vectors, after a first look into them."""
        try:
            vectors = self.vectors.collection(workspace)
            vectors.leaf_sets()
        except StoreDamagedError as error:
            self.begin_vectors_anew(error)
            return self.vectors.collection(workspace)
        return vectors

    def _open_vectors(self) -> VectorStore:
        return VectorStore(
            self.folder / "vectors", self._settings.vectors, self._reached, read_all=self.reads_all
        )

    def begin_vectors_anew(self, reason: StoreDamagedError) -> None:
        """Delete a damaged vector store. It is filled from the catalogue, workspace by workspace, before a
        question is answered from it (`prism/rebuild.py`). Raises `StoreError` when it cannot be deleted."""
        logger.warning("the vectors are made anew from the catalogue: %s", reason)
        with self._lock:
            self._active.clear()
            if self._vectors is not None:
                self._vectors.abandon()
                self._vectors = None
            _remove(self.folder / "vectors")

    def complete_keywords(self, active: ActiveSet) -> None:
        """Make an open keyword index hold what the record holds."""
        self._complete_keywords(active.keywords, active.workspace)
        active.refresh()

    def drop(self, workspaces: Iterable[str]) -> None:
        """Delete what the projections hold, damaged or not, to be built anew from the catalogue."""
        with self._lock:
            for workspace in workspaces:
                self._active.pop(workspace, None)
                try:
                    self.vectors.drop(workspace)
                except StoreDamagedError as error:
                    self.begin_vectors_anew(error)
                self._tokens_of(workspace).drop()
                # Last, since its folder tells the next opening of a workspace to be dropped.
                self._keyword_index(workspace).clear()

    def close(self) -> None:
        """Save what grew and let go of every file."""
        with self._lock, ExitStack() as closing:
            if self._vectors is not None:
                closing.callback(self._vectors.close)
            for active in self._active.values():
                closing.callback(_try_to, active.keywords.save_when_grown, active.workspace)
            for tokens in self._tokens.values():
                tokens.close()
            self._vectors = None
            self._active.clear()
            self._tokens.clear()

    def _tokens_of(self, workspace: str) -> WorkspaceTokens:
        if workspace not in self._tokens:
            tokens = WorkspaceTokens(self.folder / "tokens" / _checked(workspace), self._reached)
            if self._token_recipe is not None:
                tokens.keep(self._token_recipe)
            self._tokens[workspace] = tokens
        return self._tokens[workspace]

    def _keyword_index(self, workspace: str) -> KeywordIndex:
        return KeywordIndex(
            self.folder / "keywords" / _checked(workspace),
            k1=self._settings.keywords.k1,
            b=self._settings.keywords.b,
            tokenizer_version=TOKENIZER_VERSION,
            reached=self._reached,
        )

    def _keywords(self, workspace: str) -> tuple[KeywordIndex, Mapping[Group, LeafSet]]:
        """The keyword index, and the leaves of the record, all of which it holds."""
        index = self._keyword_index(workspace)
        try:
            index.load()
        except (StoreDamagedError, StoreMismatchError) as error:
            logger.warning("the keyword index of %s is made anew from the catalogue: %s", workspace, error)
            _try_to(index.clear, workspace)
        saved = index.leaf_counts()
        live = self._complete_keywords(index, workspace)
        if not {document_id for document_id, _ in saved} <= {document_id for document_id, _ in live}:
            # A purge was cut short: the words of what it removed go from the disk too.
            _try_to(index.save, workspace)
        return index, live

    def _complete_keywords(self, index: KeywordIndex, workspace: str) -> Mapping[Group, LeafSet]:
        live = self.catalogue.nodes.live_leaf_sets(workspace)
        index.reconcile(
            live,
            lambda groups: (
                LeafTokens(*row)
                for group in sorted(groups)
                for row in self.catalogue.nodes.tokens_of_generation(*group)
            ),
        )
        return live


def _checked(workspace: str) -> str:
    if not is_workspace(workspace):
        raise StoreDamagedError(f"{workspace!r} cannot name a workspace: it would lead elsewhere.")
    return workspace


def _try_to(save: Callable[[], None], workspace: str) -> None:
    try:
        save()
    except StoreError as error:
        # Nothing is lost: the next opening adds what the disk lacks.
        logger.warning("the keyword index of %s was not saved: %s", workspace, error)


def _remove(path: Path) -> None:
    try:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(
            f"{error.filename or path}: damaged, and cannot be removed ({error.strerror or error}). Check "
            "permissions, or remove it by hand: it is made anew from the catalogue."
        ) from error
