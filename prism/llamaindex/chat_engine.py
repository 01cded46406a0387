"""A Prism conversation as a LlamaIndex chat engine."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator, Callable, Generator, Iterator, Sequence
from typing import Protocol

from llama_index.core.base.llms.types import ChatMessage, ChatResponse, MessageRole
from llama_index.core.chat_engine.types import (
    AgentChatResponse,
    BaseChatEngine,
    StreamingAgentChatResponse,
)

from prism.llamaindex.conversions import answer_metadata, answer_sources
from prism.llamaindex.events import Event, Sources, text_of
from prism.models.threads import stream_in_thread
from prism.types import Answer, Turn

logger = logging.getLogger(__name__)


class ConversationLike(Protocol):
    """What the engine asks of a conversation."""

    def ask(self, question: str) -> Answer:
        """The answer, kept as a turn."""
        ...

    def stream(self, question: str) -> Iterator[Event]:
        """Deltas and notices, then the answer, which is kept as a turn."""
        ...

    def turns(self) -> Sequence[Turn]:
        """All turns, oldest first."""
        ...


class PrismChatEngine(BaseChatEngine):
    """Chat over Prism. History belongs to the conversation, which survives restarts and leaves out what was
    deleted since; a `chat_history` handed in is therefore not used. `reset` begins a new conversation."""

    def __init__(self, open_conversation: Callable[[], ConversationLike]) -> None:
        """Begin with the conversation `open_conversation` gives; `reset` asks it for another."""
        self._open = open_conversation
        self._conversation = open_conversation()

    def reset(self) -> None:
        """Begin a new conversation; the old one stays in Prism."""
        self._conversation = self._open()

    @property
    def chat_history(self) -> list[ChatMessage]:
        """The turns that may be shown to a model: those citing deleted documents are left out."""
        return [
            message
            for turn in self._conversation.turns()
            if turn.usable
            for message in (
                ChatMessage(role=MessageRole.USER, content=turn.question),
                ChatMessage(role=MessageRole.ASSISTANT, content=turn.answer),
            )
        ]

    def chat(self, message: str, chat_history: list[ChatMessage] | None = None) -> AgentChatResponse:
        """Answer `message` with the conversation in mind; `metadata` has citations and notices."""
        _note_unused(chat_history)
        answer = self._conversation.ask(message)
        return AgentChatResponse(
            response=answer.text, source_nodes=answer_sources(answer), metadata=answer_metadata(answer)
        )

    async def achat(self, message: str, chat_history: list[ChatMessage] | None = None) -> AgentChatResponse:
        """`chat`, off the event loop."""
        return await asyncio.to_thread(self.chat, message, chat_history)

    def stream_chat(
        self, message: str, chat_history: list[ChatMessage] | None = None
    ) -> StreamingAgentChatResponse:
        """`chat` as it comes; `source_nodes` fill when it ends. Giving up the stream leaves no turn."""
        _note_unused(chat_history)
        sources = Sources([], {})
        deltas = text_of(self._conversation.stream(message), sources)
        return StreamingAgentChatResponse(
            chat_stream=_chat_deltas(deltas), source_nodes=sources.nodes, is_writing_to_memory=False
        )

    async def astream_chat(
        self, message: str, chat_history: list[ChatMessage] | None = None
    ) -> StreamingAgentChatResponse:
        """`stream_chat`, off the event loop."""
        _note_unused(chat_history)
        sources = Sources([], {})
        conversation = self._conversation
        deltas = stream_in_thread(lambda: text_of(conversation.stream(message), sources))
        return StreamingAgentChatResponse(
            achat_stream=_achat_deltas(deltas), source_nodes=sources.nodes, is_writing_to_memory=False
        )


def _chat_delta(text: str) -> ChatResponse:
    return ChatResponse(message=ChatMessage(role=MessageRole.ASSISTANT, content=text), delta=text)


def _chat_deltas(deltas: Generator[str, None, None]) -> Generator[ChatResponse, None, None]:
    with contextlib.closing(deltas):
        for text in deltas:
            yield _chat_delta(text)


async def _achat_deltas(deltas: AsyncGenerator[str, None]) -> AsyncGenerator[ChatResponse, None]:
    async with contextlib.aclosing(deltas):
        async for text in deltas:
            yield _chat_delta(text)


def _note_unused(chat_history: list[ChatMessage] | None) -> None:
    if chat_history:
        logger.info("the chat_history handed in is not used: Prism's conversation keeps its own")
