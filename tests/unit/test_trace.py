from __future__ import annotations

import json

import pytest

from prism import trace as module
from prism.trace import Trace
from prism.types import Candidate, LeafHit, Merged, PageRef, Passage, Ranking


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch):
    now = [50.0]
    monkeypatch.setattr(module.time, "perf_counter", lambda: now[0])

    def set_to(seconds: float) -> None:
        now[0] = 50.0 + seconds

    return set_to


def test_stages_are_timed_in_milliseconds_and_add_up(clock) -> None:
    trace = Trace("ask", "q", "w")
    with trace.stage("retrieve"):
        clock(0.25)
    with trace.stage("retrieve"):
        clock(0.75)
    clock(1)
    assert trace.timings_ms == {"retrieve": 750.0, "total": 1000.0}


def test_a_part_of_a_stage_stands_beside_it_under_its_name(clock) -> None:
    trace = Trace("ask", "q", "w")
    for spent_ms in (1.5, 2.0):
        trace.took("retrieve.dense", spent_ms)
    assert trace.timings_ms == {"retrieve.dense": 3.5, "total": 0.0}


def test_a_stage_that_fails_is_timed_too(clock) -> None:
    trace = Trace("ask", "q", "w")

    def rerank() -> None:
        with trace.stage("rerank"):
            clock(2)
            raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        rerank()
    assert trace.timings_ms["rerank"] == 2000.0


def test_a_notice_is_given_once() -> None:
    trace = Trace("ask", "q", "w")
    for message in ("one", "two", "one"):
        trace.notice("code", message)
    assert [notice.message for notice in trace.notices] == ["one", "two"]


def test_two_traces_have_two_ids() -> None:
    assert Trace("ask", "q", "w").trace_id != Trace("ask", "q", "w").trace_id


def test_the_body_is_json_with_ids_ranks_and_scores() -> None:
    trace = Trace("retrieve", "q", "w")
    trace.note(k=5)
    trace.legs([Ranking("dense", "q", (LeafHit("a", 1, 0.5),))])
    trace.candidates("fused", [Candidate("a", 0.5, {"dense": 1, "keyword": None})])
    trace.merged([Merged("p", ("a", "b"), 0.5)])
    trace.passages(
        [Passage(1, "p", ("a",), "d.txt", "doc", 1, (PageRef("1", 1),), 0, 4, "text", 0.5, {"dense": 1})]
    )
    trace.notice("code", "message")

    body = json.loads(json.dumps(trace.body()))

    assert (body["kind"], body["question"], body["workspace"], body["k"]) == ("retrieve", "q", "w", 5)
    assert body["legs"] == [
        {"leg": "dense", "query": "q", "hits": [{"node_id": "a", "rank": 1, "score": 0.5}]}
    ]
    assert body["fused"][0] == {
        "node_id": "a",
        "rank": 1,
        "score": 0.5,
        "legs": {"dense": 1, "keyword": None},
    }
    assert body["merged"] == [{"node_id": "p", "leaf_ids": ["a", "b"], "score": 0.5}]
    assert "text" not in body["passages"][0]
    assert body["notices"] == [{"code": "code", "message": "message"}]
