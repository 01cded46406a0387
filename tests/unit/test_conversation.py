from __future__ import annotations

import asyncio

import pytest

from prism.asking import TRACE_NOT_KEPT
from prism.conversation import TURN_NOT_KEPT
from prism.engine import Prism
from prism.errors import NotFoundError
from prism.types import Answer, Scope

FILES = {
    "leave.txt": "Annual leave is fifteen days.",
    "laptops.txt": "Laptops are replaced every four years.",
    "hr.txt": "Asha leads HR. Her email is asha@example.org.",
}


@pytest.fixture
def full(prism: Prism, add) -> Prism:
    add(prism, FILES)
    return prism


def test_cht_01_each_turn_retrieves_for_its_own_question(full: Prism) -> None:
    conversation = full.conversation()
    conversation.ask("How many days is annual leave?")
    answer = conversation.ask("How often are laptops replaced?")
    assert answer.citations[0].passage.document == "laptops.txt"
    assert answer.question == "How often are laptops replaced?"


def test_cht_05_a_follow_up_is_searched_with_the_question_before(full: Prism) -> None:
    conversation = full.conversation()
    conversation.ask("Who leads HR?")
    answer = conversation.ask("her email?")
    assert answer.question == "Who leads HR? her email?"
    assert "asha@example.org" in answer.text


def test_a_turn_is_kept_with_its_own_citations(full: Prism, open_prism) -> None:
    conversation = full.conversation()
    one = conversation.ask("How many days is annual leave?")
    two = conversation.ask("How often are laptops replaced?")

    first, second = open_prism().conversation(conversation.id).turns()
    assert (first.question, first.answer, first.trace_id) == (
        "How many days is annual leave?",
        one.text,
        one.trace_id,
    )
    assert first.citations[0].document == "leave.txt"
    assert second.citations[0].quote == two.citations[0].quote
    assert (first.citations[0].state, first.usable) == ("current", True)


def test_cht_06_two_conversations_see_nothing_of_each_other(full: Prism) -> None:
    one, two = full.conversation(), full.conversation()
    assert one.id != two.id
    one.ask("Who leads HR?")
    answer = two.ask("her email?")
    assert answer.question == "her email?"
    assert [turn.question for turn in one.turns()] == ["Who leads HR?"]
    assert set(full.conversations()) == {one.id, two.id}


def test_a_conversation_of_another_workspace_is_not_found(full: Prism) -> None:
    theirs = full.conversation(scope=Scope("other"))
    with pytest.raises(NotFoundError, match="no conversation"):
        full.conversation(theirs.id)
    assert full.conversations() == []


def test_an_answer_from_a_deleted_document_stays_readable_and_says_so(full: Prism) -> None:
    conversation = full.conversation()
    conversation.ask("Who leads HR?")
    full.delete("hr.txt")

    (turn,) = conversation.turns()
    assert "Asha" in turn.answer
    assert (turn.citations[0].state, turn.citations[0].quote, turn.usable) == ("deleted", "", False)
    assert conversation.ask("her email?").question == "her email?"

    full.undo("hr.txt")
    assert conversation.turns()[0].usable


def test_an_answer_from_a_replaced_text_says_so(full: Prism, add) -> None:
    conversation = full.conversation()
    conversation.ask("Who leads HR?")
    add(full, {"hr.txt": "Ravi leads HR now, since May."})
    assert conversation.turns()[0].citations[0].state == "replaced"


def test_a_purged_name_that_comes_again_with_other_words_is_not_quoted_for_the_old(full: Prism, add) -> None:
    conversation = full.conversation()
    conversation.ask("Who leads HR?")
    full.purge("hr.txt")
    add(full, {"hr.txt": "Wholly other words stand here now, and many of them."})

    citation = conversation.turns()[0].citations[0]
    assert (citation.state, citation.quote) == ("replaced", "")


def test_an_abstention_is_a_turn_too(open_prism, add) -> None:
    prism = open_prism()
    conversation = prism.conversation()
    assert conversation.ask("anything?").abstained
    (turn,) = conversation.turns()
    assert (turn.abstained, turn.citations, turn.usable) == (True, (), True)


def test_a_stream_that_is_broken_off_leaves_no_turn(full: Prism) -> None:
    conversation = full.conversation()
    stream = conversation.stream("Who leads HR?")
    next(stream)
    stream.close()
    assert conversation.turns() == []


def test_the_window_bounds_what_a_follow_up_may_lean_on(open_prism, add) -> None:
    prism = open_prism(**{"conversation.window_turns": 0})
    add(prism, FILES)
    conversation = prism.conversation()
    conversation.ask("Who leads HR?")
    assert conversation.ask("her email?").question == "her email?"


def test_async_twins_keep_turns_too(full: Prism) -> None:
    conversation = full.conversation()

    async def run() -> Answer:
        await conversation.aask("Who leads HR?")
        last = [event async for event in conversation.astream("her email?")][-1]
        assert isinstance(last, Answer)
        return last

    assert asyncio.run(run()).conversation_id == conversation.id
    assert len(conversation.turns()) == 2


def test_an_answer_is_given_when_its_turn_cannot_be_kept(full: Prism) -> None:
    full._storage._database.read().execute("PRAGMA query_only = ON")
    conversation = full.conversation()
    answer = conversation.ask("Who leads HR?")
    assert "Asha" in answer.text
    assert [notice.code for notice in answer.notices] == [TRACE_NOT_KEPT, TURN_NOT_KEPT]
    assert conversation.turns() == []

    full._storage._database.read().execute("PRAGMA query_only = OFF")
    conversation.ask("How often are laptops replaced?")
    assert [turn.question for turn in conversation.turns()] == ["How often are laptops replaced?"]
    assert full.conversations() == [conversation.id]
