"""Prism's answers as a query engine."""

from __future__ import annotations

import asyncio

from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.tools import QueryEngineTool

from prism.llamaindex.query_engine import PrismQueryEngine
from prism.types import TextDelta


def streaming(make_answer) -> PrismQueryEngine:
    def stream(question: str):
        yield TextDelta("Leave is ")
        yield TextDelta("15 days. [1]")
        yield make_answer()

    return PrismQueryEngine(lambda question: make_answer(), stream)


def test_an_answer_is_a_response_with_its_sources(make_answer) -> None:
    engine = PrismQueryEngine(lambda question: make_answer())
    assert isinstance(engine, BaseQueryEngine)
    for response in (engine.query("How long?"), asyncio.run(engine.aquery("How long?"))):
        assert str(response) == "Leave is 15 days. [1]"
        assert [found.node.node_id for found in response.source_nodes] == ["leaf-1"]
        assert response.metadata["citations"][0]["pages"] == ["iv"]


def test_abstaining_says_so_and_shows_the_nearest(make_answer) -> None:
    answer = make_answer("Insufficient information", abstained=True)
    response = PrismQueryEngine(lambda question: answer).query("What?")
    assert str(response) == "Insufficient information"
    assert response.metadata["abstained"]
    assert [found.node.node_id for found in response.source_nodes] == ["leaf-1"]


def test_a_stream_gives_deltas_and_fills_its_sources(make_answer) -> None:
    response = streaming(make_answer).query("How long?")
    assert response.source_nodes == []
    assert list(response.response_gen) == ["Leave is ", "15 days. [1]"]
    assert [found.node.node_id for found in response.source_nodes] == ["leaf-1"]
    assert response.metadata["trace_id"] == "t1"


def test_a_stream_works_on_the_event_loop(make_answer) -> None:
    async def read() -> tuple[str, int]:
        response = await streaming(make_answer).aquery("How long?")
        text = "".join([delta async for delta in response.response_gen])
        return text, len(response.source_nodes)

    assert asyncio.run(read()) == ("Leave is 15 days. [1]", 1)


def test_it_serves_as_a_tool_of_an_agent(make_answer) -> None:
    tool = QueryEngineTool.from_defaults(
        PrismQueryEngine(lambda question: make_answer()), name="docs", description="d"
    )
    assert tool.call("How long?").content == "Leave is 15 days. [1]"
