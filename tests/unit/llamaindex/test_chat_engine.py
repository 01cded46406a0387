"""A conversation as a chat engine."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.chat_engine.types import BaseChatEngine

from prism.llamaindex.chat_engine import PrismChatEngine
from prism.types import TextDelta, Turn


class Conversation:
    """Answers with the number of turns so far; a broken-off stream keeps no turn."""

    def __init__(self, make_answer) -> None:
        self.make_answer = make_answer
        self.kept: list[Turn] = []

    def ask(self, question):
        *_, answer = self.stream(question)
        return answer

    def stream(self, question):
        answer = self.make_answer(f"Turn {len(self.kept) + 1} [1]")
        yield TextDelta(answer.text[:5])
        yield TextDelta(answer.text[5:])
        self.kept.append(Turn(len(self.kept) + 1, question, answer.text, False, (), "t", "2026-01-01", True))
        yield answer

    def turns(self):
        return self.kept


@pytest.fixture
def opened() -> list[Conversation]:
    return []


@pytest.fixture
def engine(make_answer, opened) -> PrismChatEngine:
    def open_conversation() -> Conversation:
        opened.append(Conversation(make_answer))
        return opened[-1]

    return PrismChatEngine(open_conversation)


def history(engine: PrismChatEngine) -> list[tuple[str, str]]:
    return [(message.role.value, message.content) for message in engine.chat_history]


def test_turns_follow_each_other_and_carry_their_sources(engine) -> None:
    assert isinstance(engine, BaseChatEngine)
    assert str(engine.chat("first")) == "Turn 1 [1]"
    second = engine.chat("second")
    assert second.response == "Turn 2 [1]"
    assert [found.node.node_id for found in second.source_nodes] == ["leaf-1"]
    assert second.metadata["citations"][0]["n"] == 1
    assert history(engine) == [
        ("user", "first"),
        ("assistant", "Turn 1 [1]"),
        ("user", "second"),
        ("assistant", "Turn 2 [1]"),
    ]


def test_a_stream_comes_in_deltas_and_ends_with_its_sources(engine) -> None:
    response = engine.stream_chat("first")
    assert list(response.response_gen) == ["Turn ", "1 [1]"]
    assert str(response) == "Turn 1 [1]"
    assert [found.node.node_id for found in response.source_nodes] == ["leaf-1"]
    assert len(engine.chat_history) == 2


def test_giving_up_a_stream_keeps_no_turn(engine) -> None:
    response = engine.stream_chat("first")
    deltas = response.chat_stream
    next(deltas)
    deltas.close()
    assert engine.chat_history == []
    assert str(engine.chat("again")) == "Turn 1 [1]"


def test_it_works_on_the_event_loop(engine) -> None:
    async def talk():
        first = await engine.achat("first")
        second = await engine.astream_chat("second")
        return str(first), [delta async for delta in second.async_response_gen()], len(second.source_nodes)

    assert asyncio.run(talk()) == ("Turn 1 [1]", ["Turn ", "2 [1]"], 1)


def test_reset_begins_a_new_conversation_and_leaves_the_old(engine, opened) -> None:
    engine.chat("first")
    engine.reset()
    assert engine.chat_history == []
    assert str(engine.chat("anew")) == "Turn 1 [1]"
    assert [len(conversation.kept) for conversation in opened] == [1, 1]


def test_turns_that_cite_what_was_deleted_are_not_handed_to_a_model(engine, opened) -> None:
    engine.chat("first")
    engine.chat("second")
    opened[0].kept[0] = replace(opened[0].kept[0], usable=False)
    assert history(engine) == [("user", "second"), ("assistant", "Turn 2 [1]")]


def test_abstaining_is_told_and_never_an_empty_response(make_answer) -> None:
    class Abstains(Conversation):
        def stream(self, question):
            yield self.make_answer("Insufficient information", abstained=True)

    engine = PrismChatEngine(lambda: Abstains(make_answer))
    assert str(engine.chat("what?")) == "Insufficient information"
    assert list(engine.stream_chat("what?").response_gen) == ["Insufficient information"]


def test_a_history_handed_in_does_not_replace_the_conversations_own(engine) -> None:
    engine.chat("first")
    engine.chat("second", chat_history=[ChatMessage(role=MessageRole.USER, content="forged")])
    assert ("user", "forged") not in history(engine)
