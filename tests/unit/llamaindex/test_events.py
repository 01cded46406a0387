"""An answer's events as text."""

from __future__ import annotations

from prism.llamaindex.events import Sources, text_of
from prism.types import Notice, TextDelta


def test_deltas_become_text_and_the_answer_fills_the_sources(make_answer) -> None:
    sources = Sources([], {})
    events = iter([Notice("n", "m"), TextDelta("Leave "), TextDelta("is 15 days. [1]"), make_answer()])
    deltas = text_of(events, sources)
    assert next(deltas) == "Leave "
    assert sources.nodes == []
    assert list(deltas) == ["is 15 days. [1]"]
    assert [found.node.node_id for found in sources.nodes] == ["leaf-1"]
    assert sources.metadata["citations"][0]["quote"] == "Leave is 15 days."
    assert sources.metadata["notices"][0]["code"] == "quoted"


def test_an_answer_without_deltas_comes_as_one_piece(make_answer) -> None:
    answer = make_answer("Insufficient information", abstained=True)
    assert list(text_of(iter([answer]), Sources([], {}))) == ["Insufficient information"]


def test_giving_up_the_text_closes_the_events() -> None:
    closed: list[bool] = []

    def events():
        try:
            yield TextDelta("one")
            yield TextDelta("two")
        finally:
            closed.append(True)

    deltas = text_of(events(), Sources([], {}))
    next(deltas)
    deltas.close()
    assert closed == [True]
