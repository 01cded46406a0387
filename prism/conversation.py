"""A conversation: turns that build on each other, kept across restarts."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace

from prism.asking import Asked, Event, Respond, whole_answer
from prism.errors import NotFoundError, StoreError
from prism.models.threads import stream_in_thread
from prism.stores.history import CitationRecord, TurnRecord
from prism.stores.storage import Storage
from prism.text.storable import storable
from prism.types import Answer, CitationState, Notice, Scope, Turn, TurnCitation

logger = logging.getLogger(__name__)

TURN_NOT_KEPT = "turn_not_kept"


class Conversation:
    """Get it from `Prism.conversation(id)`. Two conversations never see each other's turns."""

    def __init__(
        self, conversation_id: str, *, storage: Storage, respond: Respond, scope: Scope, window_turns: int
    ) -> None:
        self.id = conversation_id
        self.scope = scope
        self._storage = storage
        self._respond = respond
        self._window_turns = window_turns

    def ask(self, question: str, *, k: int | None = None, scope: Scope | None = None) -> Answer:
        """Ask, with the last turns in mind. Raises `SearchError` when retrieval itself fails."""
        return whole_answer(self.stream(question, k=k, scope=scope))

    def stream(self, question: str, *, k: int | None = None, scope: Scope | None = None) -> Iterator[Event]:
        """`ask` as it comes: deltas and notices, then the whole answer, which is kept as a turn. A stream
        that is broken off leaves no turn."""
        question = storable(question)
        usable = [turn for turn in self._window() if self._is_usable(turn)]
        asked = Asked(
            text=question,
            scope=scope or self.scope,
            k=k,
            previous=[turn.standalone for turn in usable],
            history=[(turn.question, turn.answer) for turn in usable if not turn.abstained],
            conversation_id=self.id,
        )
        for event in self._respond(asked):
            if isinstance(event, Answer):
                told = self._keep(question, event)
                yield from told
                yield replace(event, notices=(*event.notices, *told))
            else:
                yield event

    async def aask(self, question: str, *, k: int | None = None, scope: Scope | None = None) -> Answer:
        """`ask` off the event loop."""
        return await asyncio.to_thread(self.ask, question, k=k, scope=scope)

    def astream(
        self, question: str, *, k: int | None = None, scope: Scope | None = None
    ) -> AsyncIterator[Event]:
        """`stream` off the event loop."""
        return stream_in_thread(lambda: self.stream(question, k=k, scope=scope))

    def turns(self) -> list[Turn]:
        """Every turn, oldest first. A citation whose passage is gone says so instead of quoting it."""
        return [
            Turn(
                ordinal=record.ordinal,
                question=record.question,
                answer=record.answer,
                abstained=record.abstained,
                citations=tuple(self._citation(item) for item in record.citations),
                trace_id=record.trace_id,
                asked_at=record.asked_at,
                usable=self._is_usable(record),
            )
            for record in self._storage.history.turns(self.id)
        ]

    def _window(self) -> list[TurnRecord]:
        if not self._window_turns:
            return []
        return self._storage.history.turns(self.id, last=self._window_turns)

    def _is_usable(self, record: TurnRecord) -> bool:
        return all(self._state(item) == "current" for item in record.citations)

    def _state(self, item: CitationRecord) -> CitationState:
        live = self._storage.catalogue.live(item.document_id)
        if live is None or not live.is_active:
            return "deleted"
        # After a purge the generations of a name begin at 1 again; a node's id also tells the version.
        is_there = self._storage.catalogue.nodes.get([item.node_id], {item.document_id: item.generation})
        return "current" if live.generation == item.generation and is_there else "replaced"

    def _citation(self, item: CitationRecord) -> TurnCitation:
        state = self._state(item)
        text = self._storage.catalogue.text(item.document_id, item.generation) if state == "current" else ""
        return TurnCitation(
            n=item.n,
            node_id=item.node_id,
            document=item.document,
            document_id=item.document_id,
            pages=item.pages,
            quote=text[item.start : item.end],
            state=state,
        )

    def _keep(self, question: str, answer: Answer) -> tuple[Notice, ...]:
        """Keep the turn. The answer is worth having without it: a full disk is told, not raised."""
        try:
            self._add_turn(question, answer)
        except StoreError as error:
            return (Notice(TURN_NOT_KEPT, f"This conversation will not remember the answer. {error}"),)
        return ()

    def _add_turn(self, question: str, answer: Answer) -> None:
        # Again, in case there was no space for it when the conversation was opened.
        self._storage.history.start_conversation(self.scope.workspace, self.id)
        self._storage.history.add_turn(
            self.id,
            question=question,
            standalone=answer.question,
            answer=answer.text,
            abstained=answer.abstained,
            citations=[
                CitationRecord(
                    n=item.n,
                    node_id=item.passage.node_id,
                    document_id=item.passage.document_id,
                    generation=item.passage.generation,
                    document=item.passage.document,
                    pages=item.pages,
                    start=item.quote_start,
                    end=item.quote_end,
                )
                for item in answer.citations
            ],
            trace_id=answer.trace_id,
        )


def open_conversation(
    conversation_id: str | None, *, storage: Storage, respond: Respond, scope: Scope, window_turns: int
) -> Conversation:
    """The conversation of that id, made when it is new.

    Raises:
        NotFoundError: the id belongs to another workspace.
    """
    identifier = conversation_id or uuid.uuid4().hex
    try:
        storage.history.start_conversation(scope.workspace, identifier)
    except StoreError as error:
        logger.warning("conversation %s cannot be kept yet: %s", identifier, error)
    if storage.history.conversation_workspace(identifier) not in (None, scope.workspace):
        raise NotFoundError(
            f"There is no conversation {identifier!r} in workspace {scope.workspace!r}. "
            "Choose its workspace with --workspace, or leave the id out to begin a new one."
        )
    return Conversation(identifier, storage=storage, respond=respond, scope=scope, window_turns=window_turns)
