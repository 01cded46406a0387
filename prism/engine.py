"""Prism: the engine as other programs see it. Owns settings, models and stores; holds no algorithm."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from prism.asking import Asked, Asking, Event, whole_answer
from prism.conversation import Conversation, open_conversation
from prism.doctor import Finding, examine
from prism.errors import NotFoundError, UsageError
from prism.ingest.progress import OnProgress
from prism.ingesting import Ingesting
from prism.maintenance import show_page, take_status
from prism.models.choose import Chosen
from prism.models.loaded import Models
from prism.models.offline import stay_offline
from prism.models.protocols import Embedder, Reranker
from prism.models.threads import stream_in_thread
from prism.rebuild import complete, rebuild
from prism.settings import Settings, check_workspace, load_settings, overlay_settings
from prism.stores.storage import Storage
from prism.text.storable import storable
from prism.types import (
    Answer,
    DocumentInfo,
    IngestReport,
    JobInfo,
    PageContent,
    Retrieval,
    Scope,
    Source,
    Status,
)

if TYPE_CHECKING:
    from llama_index.core.base.base_query_engine import BaseQueryEngine
    from llama_index.core.base.base_retriever import BaseRetriever
    from llama_index.core.chat_engine.types import BaseChatEngine

Sources = str | Path | Source | Sequence[str | Path | Source]


MIN_ID_CHARS = 6
"""How much of a document's id must be given to stand for it."""


class Prism:
    """Retrieval-augmented chat over one storage folder.

    Use `Prism.open(...)` as a context manager. Safe for many threads; one process owns a folder. Models are
    loaded when first needed, so listing documents costs nothing.
    """

    def __init__(self, settings: Settings, storage: Storage, models: Models) -> None:
        """Use `Prism.open`; this is for those who bring stores or models of their own."""
        self.settings = settings
        self._storage = storage
        self._models = models
        self._ingesting = Ingesting(settings, storage, models)
        self._asking = Asking(
            settings,
            storage,
            models,
            lambda workspace: complete(storage, workspace, models.embedder, models.token_recipe),
        )

    @classmethod
    def open(
        cls,
        settings: Settings | Path | str | None = None,
        *,
        overlay: Mapping[str, Any] | None = None,
        ask_consent: Callable[[str], bool] | None = None,
        embedder: Embedder | None = None,
        reranker: Reranker | None = None,
        answerer: Chosen | None = None,
    ) -> Prism:
        """Open (and make, when new) the storage folder that the settings name.

        Args:
            settings: a settings file, ready settings, or None for `settings.yaml` here or the defaults.
            overlay: values that override the file, nested or dotted (`{"storage.path": "…"}`).
            ask_consent: asked before anything is sent to a remote model when `privacy.remote_models` is
                `ask`; None (no person there) means no.

        Raises:
            SettingsError: a setting is unknown or out of range.
            StoreError: the folder cannot be used, or was built with other models.
        """
        stay_offline()
        if isinstance(settings, Settings):
            loaded = overlay_settings(settings, overlay or {})
        else:
            loaded = load_settings(settings, overlay=overlay)
        models = Models(
            loaded, embedder=embedder, reranker=reranker, answerer=answerer, ask_consent=ask_consent
        )
        storage = Storage(loaded)
        try:
            return cls(loaded, storage, models)
        except BaseException:
            storage.close()
            raise

    def __enter__(self) -> Prism:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the storage folder."""
        self._storage.close()

    def with_settings(self, **overlay: Any) -> Prism:
        """The same storage under other settings: `with_settings(retrieval={"k": 3})`. Close the original.

        Raises:
            UsageError: `storage` and `vectors` cannot change.
        """
        for section in ("storage", "vectors"):
            if any(key.split(".")[0] == section for key in overlay):
                raise UsageError(
                    f"{section} cannot change on an open Prism; open another with Prism.open(...)"
                )
        changed = overlay_settings(self.settings, overlay)
        return Prism(changed, self._storage, self._models.under(changed))

    # ── documents ───────────────────────────────────────────────────────────────────────────────

    def ingest(
        self,
        sources: Sources,
        on_progress: OnProgress | None = None,
        *,
        workspace: str | None = None,
        prune: bool = False,
        password: str = "",
    ) -> IngestReport:
        """Bring files and folders in. A file that cannot be read is reported and the rest goes on.

        Args:
            sources: files, folders, patterns (`docs/**/*.pdf`), uploads (`Source`).
            prune: afterwards delete (undo is possible) documents whose file is gone from the folders given;
                none when a folder could not be opened, or there was no file at all.
            password: tried on every locked file; it is not kept, so `resume` needs it again.

        Raises:
            UsageError: a path does not exist, or nothing fits a pattern.
            StoreMismatchError: the index was built with other models.
        """
        given = [sources] if isinstance(sources, str | Path | Source) else list(sources)
        return self._ingesting.ingest(
            given, on_progress, self._named(workspace), prune=prune, password=password
        )

    def jobs(self, workspace: str | None = None) -> tuple[JobInfo, ...]:
        """Ingest jobs, latest first, each with its files."""
        return self._storage.jobs.of_workspace(self._named(workspace))

    def resume(
        self,
        job_id: str | None = None,
        on_progress: OnProgress | None = None,
        *,
        workspace: str | None = None,
        retry_failed: bool = False,
        password: str = "",
    ) -> IngestReport:
        """Go on with a job that was stopped: what it has brought in is not done again. The report tells of
        the rest, and is empty when nothing was left. A `prune` of the job is not made up for.

        Args:
            job_id: the job, or the beginning of its id; None goes on with every job that was interrupted or
                failed, oldest first, but not with those that were cancelled.
            retry_failed: also the files that failed.
            password: as for `ingest`.

        Raises:
            NotFoundError: there is no such job in the workspace.
            StoreMismatchError: the index was built with other models.
        """
        return self._ingesting.resume(
            job_id and storable(job_id),
            on_progress,
            self._named(workspace),
            retry_failed=retry_failed,
            password=password,
        )

    def cancel(self, job_id: str) -> None:
        """Stop a running job after the leaves being embedded now. The file at hand is given up, and what it
        was before goes on answering; files done stay, the rest is `cancelled`. `resume(job_id)` goes on.
        A job that has ended stays as it is. Raises `NotFoundError`."""
        self._ingesting.cancel(storable(job_id))

    def documents(self, workspace: str | None = None) -> list[DocumentInfo]:
        """Every document by name, deleted and failed ones included."""
        return self._storage.catalogue.documents(self._named(workspace))

    def document(self, document_id: str) -> DocumentInfo:
        """One document, by its id, the beginning of its id, or its name. Raises `NotFoundError`."""
        document_id = storable(document_id)
        info = self._storage.catalogue.document(document_id)
        if info is not None:
            return info
        named = [item for item in self.documents() if item.document == document_id]
        begun = [item for item in self.documents() if item.document_id.startswith(document_id)]
        found = named or (begun if len(document_id) >= MIN_ID_CHARS else [])
        if len(found) != 1:
            why = "several documents" if found else "no document"
            raise NotFoundError(f"There is {why} {document_id!r}. 'prism documents' lists them.")
        return found[0]

    def page(self, document_id: str, sheet: int) -> PageContent:
        """A page's text and, for PDFs, its picture. Raises `NotFoundError` for deleted documents too."""
        return show_page(self._storage, self.document(document_id), sheet)

    def delete(self, document_id: str) -> DocumentInfo:
        """Hide a document everywhere at once; `undo` brings it back. One that never came to be shown
        (failed, interrupted) is removed for good. Raises `NotFoundError`."""
        info = self.document(document_id)
        if info.status not in ("active", "deleted"):
            self.purge(info.document_id)
            return replace(info, status="deleted")
        self._storage.jobs.withdraw(info.workspace, info.document)
        self._storage.active(info.workspace).hide(info.document_id)
        return self.document(info.document_id)

    def undo(self, document_id: str) -> DocumentInfo:
        """Bring a deleted document back.

        Raises:
            NotFoundError: no such document.
            UsageError: it never came to be shown, so there is nothing to bring back.
        """
        info = self.document(document_id)
        if info.status not in ("active", "deleted"):
            raise UsageError(f"{info.document} is {info.status}, not deleted. Ingest it again.")
        self._storage.active(info.workspace).unhide(info.document_id)
        return self.document(info.document_id)

    def purge(self, document_id: str) -> None:
        """Remove a document for good: its bytes, text, vectors and tokens. Raises `NotFoundError`."""
        info = self.document(document_id)
        self._storage.jobs.withdraw(info.workspace, info.document)
        self._storage.purge(info.workspace, info.document_id)

    # ── questions ───────────────────────────────────────────────────────────────────────────────

    def retrieve(
        self, question: str, k: int | None = None, scope: Scope | None = None, *, leaves: bool = False
    ) -> Retrieval:
        """The k passages an answerer would see, best first; with `leaves` the unmerged leaves.

        Raises:
            SearchError: retrieval itself failed.
            UsageError: the question is over 8,000 characters, or k is below 1.
        """
        return self._asking.retrieve(self._asked(question, k, scope), leaves_only=leaves)

    def ask(self, question: str, *, k: int | None = None, scope: Scope | None = None) -> Answer:
        """Answer one question on its own. Raises as `retrieve`."""
        return whole_answer(self.stream(question, k=k, scope=scope))

    def stream(self, question: str, *, k: int | None = None, scope: Scope | None = None) -> Iterator[Event]:
        """`ask` as it comes: `TextDelta`s and `Notice`s, and last the whole `Answer`."""
        return self._asking.respond(self._asked(question, k, scope))

    def conversation(self, conversation_id: str | None = None, scope: Scope | None = None) -> Conversation:
        """A conversation by id, or a new one. Raises `NotFoundError` when it is another workspace's."""
        return open_conversation(
            conversation_id and storable(conversation_id),
            storage=self._storage,
            respond=self._asking.respond,
            scope=self._scope(scope),
            window_turns=self.settings.conversation.window_turns,
        )

    def conversations(self, workspace: str | None = None) -> list[str]:
        """Conversation ids, latest first."""
        return self._storage.history.conversations(self._named(workspace))

    def trace(self, trace_id: str) -> dict[str, Any]:
        """What every stage of a question saw and decided. Raises `NotFoundError`."""
        body = self._storage.history.trace(storable(trace_id))
        if body is None:
            raise NotFoundError(f"There is no trace {trace_id!r}. Every answer carries its trace_id.")
        return body

    def feedback(self, trace_id: str, *, helpful: bool, comment: str = "") -> None:
        """Keep a person's word on an answer. Raises `NotFoundError`."""
        self.trace(trace_id)
        self._storage.history.add_feedback(trace_id, helpful=helpful, comment=storable(comment))

    # ── the index ───────────────────────────────────────────────────────────────────────────────

    def status(self, workspace: str | None = None) -> Status:
        """What a workspace holds, whether record and projections agree, and who answers.

        Raises:
            SettingsError: the file that `gate.calibration` names is no calibration.
        """
        models = {**self._models.names(), "gate": self._asking.gate_in_words()}
        return take_status(self._storage, self._named(workspace), models, self._models.token_recipe)

    def doctor(self, *, rebuild_index: bool = False, on_progress: OnProgress | None = None) -> list[Finding]:
        """Look at the record, the files kept and the projections, mend what can be mended, and say what was
        found; a healthy folder gives an empty list. A finding whose `outcome` is `left` is for a person.

        Args:
            rebuild_index: make the projections anew from the catalogue first, as after a change of embedder
                or tokenizer.
            on_progress: told how the rebuild goes.

        Raises:
            ModelError: the embedder does not work.
            SettingsError: the file that `gate.calibration` names is no calibration.
            StoreError: the folder cannot be read or written.
        """
        self._asking.gate_in_words()
        with self._storage.ingest_lock:
            rebuilt = self._rebuild(on_progress) if rebuild_index else []
            return rebuilt + examine(self._storage, self._models.embedder, self._models.token_recipe)

    def _rebuild(self, on_progress: OnProgress | None = None) -> list[Finding]:
        models = self._models
        rebuilt = rebuild(self._storage, models.embedder, on_progress, token_recipe=models.token_recipe)
        return [
            Finding(workspace, "rebuild asked for", f"{leaves} leaves indexed again")
            for workspace, leaves in rebuilt.items()
        ]

    def backup(self, file: Path | str) -> Path:
        """Write record and files to one archive, as they are at one moment; an ingest under way, which the
        archive holds in part, goes on. Raises `UsageError` when the file exists, `StoreError`."""
        return self._storage.backup(Path(file))

    def restore(self, file: Path | str) -> list[Finding]:
        """Bring an archive into this (empty) storage folder and index it anew. Raises `UsageError`."""
        with self._storage.ingest_lock:
            self._storage.restore(Path(file))
            return self._rebuild()

    # ── as LlamaIndex parts ─────────────────────────────────────────────────────────────────────

    def as_retriever(self, k: int | None = None, scope: Scope | None = None) -> BaseRetriever:
        """The whole query path as a LlamaIndex retriever, for any app built on LlamaIndex."""
        from prism.llamaindex.retriever import PrismRetriever

        return PrismRetriever(lambda question: self.retrieve(question, k, scope))

    def as_query_engine(
        self, k: int | None = None, scope: Scope | None = None, *, streaming: bool = False
    ) -> BaseQueryEngine:
        """`ask` as a LlamaIndex query engine; its response carries the passages as source nodes.

        With `streaming` the response is read as it comes, and what fails then raises while it is read.
        """
        from prism.llamaindex.query_engine import PrismQueryEngine

        return PrismQueryEngine(
            lambda question: self.ask(question, k=k, scope=scope),
            (lambda question: self.stream(question, k=k, scope=scope)) if streaming else None,
        )

    def as_chat_engine(
        self, conversation_id: str | None = None, scope: Scope | None = None
    ) -> BaseChatEngine:
        """A conversation as a LlamaIndex chat engine; `reset` begins a new one."""
        from prism.llamaindex.chat_engine import PrismChatEngine

        first = [conversation_id]
        return PrismChatEngine(lambda: self.conversation(first.pop() if first else None, scope))

    # ── async twins ─────────────────────────────────────────────────────────────────────────────

    async def aingest(
        self,
        sources: Sources,
        on_progress: OnProgress | None = None,
        *,
        workspace: str | None = None,
        prune: bool = False,
        password: str = "",
    ) -> IngestReport:
        """`ingest` off the event loop."""
        return await asyncio.to_thread(
            self.ingest, sources, on_progress, workspace=workspace, prune=prune, password=password
        )

    async def aresume(
        self,
        job_id: str | None = None,
        on_progress: OnProgress | None = None,
        *,
        workspace: str | None = None,
        retry_failed: bool = False,
        password: str = "",
    ) -> IngestReport:
        """`resume` off the event loop."""
        return await asyncio.to_thread(
            self.resume,
            job_id,
            on_progress,
            workspace=workspace,
            retry_failed=retry_failed,
            password=password,
        )

    async def acancel(self, job_id: str) -> None:
        """`cancel` off the event loop."""
        await asyncio.to_thread(self.cancel, job_id)

    async def aretrieve(
        self, question: str, k: int | None = None, scope: Scope | None = None, *, leaves: bool = False
    ) -> Retrieval:
        """`retrieve` off the event loop."""
        return await asyncio.to_thread(self.retrieve, question, k, scope, leaves=leaves)

    async def aask(self, question: str, *, k: int | None = None, scope: Scope | None = None) -> Answer:
        """`ask` off the event loop."""
        return await asyncio.to_thread(self.ask, question, k=k, scope=scope)

    def astream(
        self, question: str, *, k: int | None = None, scope: Scope | None = None
    ) -> AsyncIterator[Event]:
        """`stream` off the event loop."""
        return stream_in_thread(lambda: self.stream(question, k=k, scope=scope))

    # ── private ─────────────────────────────────────────────────────────────────────────────────

    @property
    def _workspace(self) -> str:
        return self.settings.storage.workspace

    def _asked(self, question: str, k: int | None, scope: Scope | None) -> Asked:
        return Asked(text=storable(question), scope=self._scope(scope), k=k)

    def _scope(self, scope: Scope | None) -> Scope:
        if scope is not None:
            check_workspace(scope.workspace)
        return scope or Scope(self._workspace)

    def _named(self, workspace: str | None) -> str:
        return self._workspace if workspace is None else check_workspace(workspace)
