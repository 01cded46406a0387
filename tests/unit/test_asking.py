from __future__ import annotations

import pytest

from prism.asking import MAX_QUESTION_CHARS, TRACE_NOT_KEPT, Asked, Asking
from prism.engine import Prism
from prism.errors import SearchError, UsageError
from prism.types import Answer, Scope

SCOPE = Scope("default")


@pytest.fixture
def asking(prism: Prism, add) -> Asking:
    add(prism, {"a.txt": "Locker code is 4471."})
    return Asking(prism.settings, prism._storage, prism._models, lambda workspace: ())


def test_blanks_around_a_question_are_no_part_of_it(asking: Asking, prism: Prism) -> None:
    found = asking.retrieve(Asked("  locker code \n", SCOPE), leaves_only=False)
    assert prism.trace(found.trace_id)["question"] == "locker code"


def test_a_question_at_the_limit_is_asked_and_one_over_it_refused(asking: Asking) -> None:
    asking.retrieve(Asked("x" * MAX_QUESTION_CHARS, SCOPE), leaves_only=False)
    with pytest.raises(UsageError, match=f"limit is {MAX_QUESTION_CHARS}"):
        asking.retrieve(Asked("x" * (MAX_QUESTION_CHARS + 1), SCOPE), leaves_only=False)


def test_a_wrong_call_is_refused_before_the_stream_begins(asking: Asking) -> None:
    with pytest.raises(UsageError, match="at least 1"):
        asking.respond(Asked("q", SCOPE, k=0))


def test_k_given_is_stronger_than_the_setting(asking: Asking, prism: Prism, add) -> None:
    add(prism, {f"{number}.txt": f"Locker code of branch {number}." for number in range(8)})
    assert len(asking.retrieve(Asked("locker code", SCOPE), leaves_only=True).passages) == 5
    assert len(asking.retrieve(Asked("locker code", SCOPE, k=7), leaves_only=True).passages) == 7


def test_the_answer_carries_the_conversation_it_belongs_to(asking: Asking) -> None:
    *_, answer = asking.respond(Asked("locker code?", SCOPE, conversation_id="c"))
    assert isinstance(answer, Answer)
    assert answer.conversation_id == "c"


def test_one_snapshot_serves_a_whole_answer(asking: Asking, prism: Prism) -> None:
    events = asking.respond(Asked("locker code?", SCOPE))
    next(events)
    prism.delete("a.txt")
    *_, answer = events
    assert isinstance(answer, Answer)
    assert [item.passage.document for item in answer.citations] == ["a.txt"]


def test_gen_13_a_search_that_fails_gives_an_error_and_no_answer(
    asking: Asking, prism: Prism, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args, **kwargs):
        raise ConnectionError("no index")

    monkeypatch.setattr(type(prism._storage.active("default").vectors), "search", broken)
    monkeypatch.setattr("prism.stores.keyword_view.KeywordView.search", broken)
    with pytest.raises(SearchError, match="no answer was attempted"):
        list(asking.respond(Asked("locker code?", SCOPE)))
    assert prism.status().answers == 0


def test_what_was_found_is_given_when_only_its_trace_cannot_be_kept(asking: Asking, prism: Prism) -> None:
    prism._storage._database.read().execute("PRAGMA query_only = ON")
    found = asking.retrieve(Asked("locker code", SCOPE), leaves_only=False)
    assert found.passages
    assert [notice.code for notice in found.notices] == [TRACE_NOT_KEPT]
    *_, told, answer = asking.respond(Asked("locker code?", SCOPE))
    assert isinstance(answer, Answer)
    assert "4471" in answer.text
    assert told == answer.notices[-1]
    assert "catalogue.sqlite" in answer.notices[-1].message

    prism._storage._database.read().execute("PRAGMA query_only = OFF")
    found = asking.retrieve(Asked("locker code", SCOPE), leaves_only=False)
    assert not found.notices
    assert prism.trace(found.trace_id)
