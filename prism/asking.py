"""Asking: take one snapshot, run the query path through it, keep the trace."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from prism.errors import StoreError, UsageError
from prism.models.loaded import Models
from prism.query.abstain import NO_DOCUMENTS
from prism.query.calibration import Calibration, Circumstances, in_force, load_calibration
from prism.query.condense import Standalone, condense
from prism.query.order import CROSS_ENCODER
from prism.query.parts import Found, QueryParts
from prism.query.pipeline import search
from prism.query.respond import respond
from prism.settings import Settings
from prism.stores.active import ActiveSet, Snapshot
from prism.stores.storage import Storage
from prism.trace import Trace
from prism.types import Answer, Notice, Retrieval, Scope, TextDelta
from prism.unread import unread_notice

Event = TextDelta | Notice | Answer
"""What a stream yields; the answer comes last."""

MAX_QUESTION_CHARS = 8000

TRACE_NOT_KEPT = "trace_not_kept"

Reconcile = Callable[[str], Sequence[Notice]]

Respond = Callable[["Asked"], Iterator[Event]]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as put. `previous`: standalone forms of earlier questions; `history`: earlier (question,
    answer) pairs a model may read; both oldest first."""

    text: str
    scope: Scope
    k: int | None = None
    previous: Sequence[str] = ()
    history: Sequence[tuple[str, str]] = ()
    conversation_id: str | None = None


class Asking:
    """The query path over one storage folder."""

    def __init__(self, settings: Settings, storage: Storage, models: Models, reconcile: Reconcile) -> None:
        """`reconcile` completes a workspace's projections, and says what the asker should know of it; called
        before every question."""
        self._settings = settings
        self._storage = storage
        self._models = models
        self._reconcile = reconcile

    def retrieve(self, asked: Asked, *, leaves_only: bool) -> Retrieval:
        """Passages for a question. Raises `SearchError`, `UsageError`, `StoreMismatchError`."""
        question, trace = self._begin("retrieve", asked)
        with self._active(asked.scope.workspace, trace).snapshot() as snapshot:
            parts = self._parts(asked.scope, snapshot, trace)
            found = self._search(question, asked, parts, trace, leaves_only=leaves_only)
        if found.is_empty_scope:
            trace.notice("no_documents", NO_DOCUMENTS)
        told = self._keep(trace, asked.scope, abstained=False)
        notices = (*trace.notices, *told)
        return Retrieval(asked.text, found.passages, notices, trace.timings_ms, trace.trace_id)

    def respond(self, asked: Asked) -> Iterator[Event]:
        """An answer as it comes. Raises as `retrieve`, and what choosing an answerer raises."""
        question, trace = self._begin("ask", asked)
        return self._events(question, asked, trace)

    def _events(self, question: Standalone, asked: Asked, trace: Trace) -> Iterator[Event]:
        with self._active(asked.scope.workspace, trace).snapshot() as snapshot:
            parts = self._parts(asked.scope, snapshot, trace)
            found = self._search(question, asked, parts, trace, leaves_only=False)
            answerer = self._models.answerer
            for notice in answerer.notices:
                trace.notice(notice.code, notice.message)
            for event in respond(question, found, parts, answerer, asked.history, trace):
                if isinstance(event, Answer):
                    told = self._of_unread(asked.scope, trace) if event.abstained else ()
                    told += self._keep(trace, asked.scope, abstained=event.abstained)
                    yield from told
                    yield replace(
                        event, conversation_id=asked.conversation_id, notices=(*event.notices, *told)
                    )
                else:
                    yield event

    def _begin(self, kind: str, asked: Asked) -> tuple[Standalone, Trace]:
        text = asked.text.strip()
        if len(text) > MAX_QUESTION_CHARS:
            raise UsageError(
                f"The question has {len(text)} characters; the limit is {MAX_QUESTION_CHARS}. Put long texts "
                "in a document and ask about it."
            )
        if asked.k is not None and asked.k < 1:
            raise UsageError(f"k must be at least 1, not {asked.k}.")
        return condense(text, asked.previous), Trace(kind, text, asked.scope.workspace)

    def _active(self, workspace: str, trace: Trace) -> ActiveSet:
        self._storage.check_models(self._models.embedder.name)
        for notice in self._reconcile(workspace):
            trace.notice(notice.code, notice.message)
        return self._storage.active(workspace)

    def _search(
        self, question: Standalone, asked: Asked, parts: QueryParts, trace: Trace, *, leaves_only: bool
    ) -> Found:
        k = self._settings.retrieval.k if asked.k is None else asked.k
        return search(question, parts, trace, k=k, leaves_only=leaves_only)

    def _parts(self, scope: Scope, snapshot: Snapshot, trace: Trace) -> QueryParts:
        calibration, notice = self._calibrated
        if notice is not None and self._settings.gate.enabled:
            trace.notice(notice.code, notice.message)
        keywords = self._settings.keywords
        active = self._storage.active(scope.workspace)
        return QueryParts(
            snapshot=replace(snapshot, keywords=snapshot.keywords.weighing(k1=keywords.k1, b=keywords.b)),
            scope=scope,
            catalogue=self._storage.catalogue,
            vectors=active.vectors,
            embedder=self._models.embedder,
            reranker=self._models.reranker,
            settings=self._settings,
            tokens=active.tokens if active.tokens.recipe is not None else None,
            calibration=calibration,
        )

    def gate_in_words(self) -> str:
        """What decides whether to answer, without loading a model. Raises `SettingsError` where the file that
        `gate.calibration` names is none."""
        gate = self._settings.gate
        if not gate.enabled:
            return "off"
        calibration = load_calibration(gate.calibration)
        named = str(gate.calibration or "packaged calibration")
        if CROSS_ENCODER not in self._settings.rerank.kinds:
            calibration, notice = self._calibrated
            named = named if notice is None else "words alone (calibrated under other models)"
        limit = calibration.threshold if gate.threshold is None else gate.threshold
        return f"{named}, abstains below {limit:.3f}" if limit else f"{named}, never abstains"

    @cached_property
    def _calibrated(self) -> tuple[Calibration, Notice | None]:
        """The gate's calibration where it holds for these models; else the one by words, with the reason."""
        reranker = self._models.reranker
        now = Circumstances.of(
            self._settings,
            embedder=self._models.embedder.name,
            token_recipe=self._models.token_recipe,
            cross_encoder=reranker.name if reranker else None,
        )
        return in_force(load_calibration(self._settings.gate.calibration), now)

    def _of_unread(self, scope: Scope, trace: Trace) -> tuple[Notice, ...]:
        """Pages that could not be read may hold what was not found."""
        notice = unread_notice(self._storage.catalogue.unread, scope, self._settings.read)
        if notice is None:
            return ()
        trace.notice(notice.code, notice.message)
        return (notice,)

    def _keep(self, trace: Trace, scope: Scope, *, abstained: bool) -> tuple[Notice, ...]:
        """Keep the trace. What was found is worth having without it: a full disk is told, not raised."""
        try:
            self._storage.history.add_trace(
                trace.trace_id,
                workspace=scope.workspace,
                kind=trace.kind,
                abstained=abstained,
                body=trace.body(),
            )
        except StoreError as error:
            return (Notice(TRACE_NOT_KEPT, f"This question's trace could not be kept. {error}"),)
        return ()


def whole_answer(events: Iterator[Event]) -> Answer:
    """The answer a stream ends with."""
    answer: Answer | None = None
    for event in events:
        if isinstance(event, Answer):
            answer = event
    assert answer is not None, "a stream ends with its answer"  # noqa: S101
    return answer
