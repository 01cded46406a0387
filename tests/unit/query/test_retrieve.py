from __future__ import annotations

import threading

import pytest

from prism.errors import SearchError
from prism.query import retrieve as module
from prism.query.retrieve import Leg, retrieve
from prism.types import LeafHit


def finds(*node_ids: str):
    def search(text: str, k: int) -> tuple[LeafHit, ...]:
        return tuple(LeafHit(node_id, rank, 1.0 / rank) for rank, node_id in enumerate(node_ids, 1))[:k]

    return search


def fails(text: str, k: int) -> tuple[LeafHit, ...]:
    raise ConnectionError("no index")


def test_every_leg_searches_every_query() -> None:
    found = retrieve([Leg("dense", finds("a")), Leg("keyword", finds("b"))], ["one", "two"], k=5)
    assert [(ranking.leg, ranking.query) for ranking in found.rankings] == [
        ("dense", "one"),
        ("dense", "two"),
        ("keyword", "one"),
        ("keyword", "two"),
    ]
    assert found.failures == ()


def test_each_leg_is_timed_over_all_queries_also_when_it_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter(range(100))
    monkeypatch.setattr(module.time, "perf_counter", lambda: float(next(now)))
    found = retrieve([Leg("dense", finds("a")), Leg("keyword", fails)], ["one", "two"], k=5)
    assert found.spent_ms == {"dense": 2000.0, "keyword": 2000.0}


def test_ret_26_a_leg_that_fails_reduces_the_search(caplog: pytest.LogCaptureFixture) -> None:
    found = retrieve([Leg("dense", finds("a")), Leg("keyword", fails)], ["q"], k=5)
    assert [hit.node_id for ranking in found.rankings for hit in ranking.hits] == ["a"]
    assert found.failures == (("keyword", "ConnectionError: no index"),)
    assert "keyword search failed" in caplog.text


def test_ret_26_a_leg_that_finds_nothing_is_no_failure() -> None:
    found = retrieve([Leg("dense", finds("a")), Leg("keyword", finds())], ["q"], k=5)
    assert found.failures == ()


@pytest.mark.parametrize("other", [fails, finds()])
def test_gen_13_a_failed_search_is_never_taken_for_nothing_found(other) -> None:
    with pytest.raises(SearchError, match=r"no index.*prism doctor"):
        retrieve([Leg("dense", fails), Leg("keyword", other)], ["q"], k=5)


def test_nothing_found_without_a_failure_is_an_empty_result() -> None:
    found = retrieve([Leg("dense", finds()), Leg("keyword", finds())], ["q"], k=5)
    assert [ranking.hits for ranking in found.rankings] == [(), ()]


def test_an_interruption_is_not_a_failed_leg() -> None:
    def interrupted(text: str, k: int) -> tuple[LeafHit, ...]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        retrieve([Leg("dense", interrupted), Leg("keyword", finds("a"))], ["q"], k=5)


def test_the_legs_run_in_the_asking_thread() -> None:
    seen: list[int] = []

    def notes(text: str, k: int) -> tuple[LeafHit, ...]:
        seen.append(threading.get_ident())
        return ()

    assert retrieve([Leg("dense", notes), Leg("keyword", notes)], ["q"], k=1).failures == ()
    assert seen == [threading.get_ident()] * 2
