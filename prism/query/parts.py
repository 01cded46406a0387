"""What the query path is given, and what its search half hands to its answering half."""

from __future__ import annotations

from dataclasses import dataclass

from prism.models.protocols import Embedder, Reranker
from prism.query.calibration import BY_COVERAGE, Calibration
from prism.query.late_interaction import Interaction
from prism.settings import Settings
from prism.stores.active import Snapshot
from prism.stores.catalogue import Catalogue
from prism.stores.token_vectors import WorkspaceTokens
from prism.stores.workspace_vectors import WorkspaceVectors
from prism.types import Passage, Scope, Verdict


@dataclass(frozen=True, slots=True)
class QueryParts:
    """What a question needs: one snapshot of what is visible, where to look, and the models. `tokens` is None
    where no token vectors are kept."""

    snapshot: Snapshot
    scope: Scope
    catalogue: Catalogue
    vectors: WorkspaceVectors
    embedder: Embedder
    reranker: Reranker | None
    settings: Settings
    tokens: WorkspaceTokens | None = None
    calibration: Calibration = BY_COVERAGE


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found: passages as an answerer sees them, best first, and the gate's verdict.

    `headings` are the titles and headings above the leaves found, which a quote should not consist of;
    `interaction` is what late interaction saw of the pool, None where it did not run.
    """

    passages: tuple[Passage, ...]
    verdict: Verdict
    is_empty_scope: bool
    headings: frozenset[str]
    interaction: Interaction | None = None
