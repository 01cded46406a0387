from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from prism.stores.database import Database
from prism.stores.history import CitationRecord, History
from prism.types import PageRef

CITED = CitationRecord(1, "leaf", "doc", 3, "दस्तावेज़.pdf", (PageRef("iv", 4), PageRef("1", 5)), 10, 27)


@pytest.fixture
def history(database: Database) -> History:
    return History(database)


def add(history: History, conversation: str, question: str, *citations: CitationRecord) -> int:
    return history.add_turn(
        conversation,
        question=question,
        standalone=f"{question} alone",
        answer=f"answer to {question}",
        abstained=not citations,
        citations=citations,
        trace_id="t",
    )


def test_a_turn_is_read_back_as_it_was_written(history: History) -> None:
    conversation = history.start_conversation("default")
    assert add(history, conversation, "first", CITED) == 1

    (turn,) = history.turns(conversation)
    assert (turn.ordinal, turn.question, turn.standalone, turn.answer) == (
        1,
        "first",
        "first alone",
        "answer to first",
    )
    assert turn.citations == (CITED,)
    assert not turn.abstained


def test_only_the_last_turns_are_read_oldest_first(history: History) -> None:
    conversation = history.start_conversation("default")
    for question in "abcd":
        add(history, conversation, question)

    assert [turn.question for turn in history.turns(conversation, last=2)] == ["c", "d"]
    assert [turn.question for turn in history.turns(conversation)] == ["a", "b", "c", "d"]
    assert history.turns(conversation, last=0) == []
    assert history.turns("unknown") == []


def test_cht_06_conversations_do_not_see_each_other(history: History) -> None:
    one, two = history.start_conversation("default"), history.start_conversation("default")
    assert one != two
    add(history, one, "secret one")
    add(history, two, "secret two")
    assert [turn.question for turn in history.turns(one)] == ["secret one"]
    assert [turn.question for turn in history.turns(two)] == ["secret two"]


def test_a_conversation_is_found_again_by_its_id_and_keeps_its_workspace(history: History) -> None:
    history.start_conversation("first", "mine")
    assert history.start_conversation("second", "mine") == "mine"
    assert history.conversation_workspace("mine") == "first"
    assert history.conversation_workspace("unknown") is None


def test_conversations_are_listed_latest_first_by_workspace(history: History) -> None:
    for name, workspace in (("a", "w"), ("b", "w"), ("c", "other")):
        history.start_conversation(workspace, name)
    assert history.conversations("w") == ["b", "a"]


def test_turns_added_at_once_get_numbers_of_their_own(history: History) -> None:
    conversation = history.start_conversation("default")
    with ThreadPoolExecutor(4) as pool:
        numbers = list(pool.map(lambda n: add(history, conversation, str(n)), range(12)))
    assert sorted(numbers) == list(range(1, 13))


def test_traces_are_kept_and_answers_counted(history: History) -> None:
    for trace_id, kind, abstained in (("a", "ask", False), ("b", "ask", True), ("c", "retrieve", False)):
        history.add_trace(trace_id, workspace="w", kind=kind, abstained=abstained, body={"सीमा": [1, None]})
    assert history.trace("a") == {"सीमा": [1, None]}
    assert history.trace("unknown") is None
    assert history.answer_counts("w") == (2, 1)
    assert history.answer_counts("empty") == (0, 0)


def test_several_people_may_judge_one_answer(history: History, database: Database) -> None:
    history.add_trace("t", workspace="w", kind="ask", abstained=False, body={})
    history.add_feedback("t", helpful=True, comment="")
    history.add_feedback("t", helpful=False, comment="wrong page")
    rows = database.read().execute("SELECT helpful, comment FROM feedback ORDER BY given_at").fetchall()
    assert [tuple(row) for row in rows] == [(1, ""), (0, "wrong page")]
