"""Prism's retrieval in someone else's query engine."""

from __future__ import annotations

import asyncio
import threading

import pytest
from llama_index.core.llms import MockLLM
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import get_response_synthesizer

from prism.llamaindex.retriever import PrismRetriever
from prism.types import Retrieval


@pytest.fixture
def retriever(passage) -> PrismRetriever:
    def retrieve(question: str) -> Retrieval:
        found = (passage,) if "leave" in question.lower() else ()
        return Retrieval(question, found, (), {"thread": float(threading.get_ident())}, "t1")

    return PrismRetriever(retrieve)


def test_passages_become_nodes_with_their_score(retriever) -> None:
    (found,) = retriever.retrieve("How long is leave?")
    assert (found.node.node_id, found.score) == ("leaf-1", 0.8)
    assert retriever.retrieve("nothing") == []


def test_it_searches_off_the_event_loop(passage) -> None:
    threads: list[int] = []

    def retrieve(question: str) -> Retrieval:
        threads.append(threading.get_ident())
        return Retrieval(question, (passage,), (), {}, "t1")

    asyncio.run(PrismRetriever(retrieve).aretrieve("leave"))
    assert threads != [threading.get_ident()]


def test_a_plain_retriever_query_engine_answers_from_it(retriever) -> None:
    engine = RetrieverQueryEngine(
        retriever=retriever,
        response_synthesizer=get_response_synthesizer(llm=MockLLM(), response_mode="compact"),
    )
    response = engine.query("How long is leave?")
    assert "Leave is 15 days." in str(response)
    assert "hr/policy.pdf" in str(response)
    assert [found.node.node_id for found in response.source_nodes] == ["leaf-1"]
