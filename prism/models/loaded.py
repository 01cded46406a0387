"""The models of one engine, each loaded when first needed."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

from prism.models.choose import Chosen, choose_answerer
from prism.models.embedder import load_embedder
from prism.models.protocols import Embedder, Reranker, token_embedder
from prism.models.reranker import load_reranker
from prism.settings import Settings


class Models:
    """Embedder, reranker and answerer. Safe for many threads."""

    def __init__(
        self,
        settings: Settings,
        *,
        embedder: Embedder | None = None,
        reranker: Reranker | None = None,
        answerer: Chosen | None = None,
        ask_consent: Callable[[str], bool] | None = None,
    ) -> None:
        """Models given here are used instead of those the settings name."""
        self._settings = settings
        self._given = (embedder, reranker, answerer)
        self._ask_consent = ask_consent
        self._lock = threading.RLock()
        self._embedder = embedder
        self._reranker = reranker
        self._answerer = answerer

    @property
    def embedder(self) -> Embedder:
        """The embedder. Raises `ModelError` when its folder is missing or of another kind."""
        with self._lock:
            if self._embedder is None:
                self._embedder = load_embedder(self._settings.models.embedder)
            return self._embedder

    @property
    def reranker(self) -> Reranker | None:
        """The cross-encoder, None where `rerank.kind` asks for none. Raises `ModelError`."""
        with self._lock:
            if self._reranker is None and "cross_encoder" in self._settings.rerank.kinds:
                self._reranker = load_reranker(self._settings.models.reranker)
            return self._reranker

    @property
    def token_recipe(self) -> str | None:
        """Identity of the token vectors to be kept; None where `rerank.kind` asks for none, or the embedder
        gives none. Raises as `embedder`."""
        if "late_interaction" not in self._settings.rerank.kinds:
            return None
        embedder = token_embedder(self.embedder)
        return None if embedder is None else embedder.token_recipe

    @property
    def answerer(self) -> Chosen:
        """Who writes answers; a person is asked for consent at most once. Raises as `choose_answerer`."""
        with self._lock:
            if self._answerer is None:
                self._answerer = choose_answerer(self._settings, environ=os.environ, ask=self._ask_consent)
            return self._answerer

    def names(self) -> dict[str, str]:
        """Each model's name without loading any."""
        settings = self._settings.models
        return {
            "embedder": self.embedder.name,
            "reranker": ", ".join(self._settings.rerank.kinds) or "none",
            "answerer": self._answerer.name if self._answerer else settings.answerer,
        }

    def under(self, settings: Settings) -> Models:
        """The same models where `settings` name the same, others to be loaded where they do not."""
        embedder, reranker, answerer = self._given
        before, after = self._settings, settings
        if after.models.embedder == before.models.embedder:
            embedder = self._embedder
        if after.models.reranker == before.models.reranker and "cross_encoder" in after.rerank.kinds:
            reranker = self._reranker
        if (after.models, after.privacy) == (before.models, before.privacy):
            answerer = self._answerer
        return Models(
            settings, embedder=embedder, reranker=reranker, answerer=answerer, ask_consent=self._ask_consent
        )
