"""Someone else's LlamaIndex app, built on Prism's retriever, query engine and chat engine."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from llama_index.core import Settings as LlamaIndexSettings
from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.chat_engine.types import BaseChatEngine
from llama_index.core.llms import MockLLM
from llama_index.core.postprocessor import SimilarityPostprocessor
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import ResponseMode
from llama_index.core.retrievers import QueryFusionRetriever
from llama_index.core.tools import QueryEngineTool

from prism import Prism
from tests.integration.conftest import OpenPrism
from tests.shelf import FIVE_SENTENCES, id_of, only, write

QUESTION = "What does error 0x80070005 mean?"


@pytest.fixture(scope="module")
def prism(make_prism: OpenPrism, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prism]:
    folder = tmp_path_factory.mktemp("app")
    with make_prism(folder / "storage") as prism:
        prism.ingest(write(folder / "files", FIVE_SENTENCES))
        yield prism


def test_the_parts_are_what_llamaindex_expects(prism: Prism):
    assert isinstance(prism.as_retriever(), BaseRetriever)
    assert isinstance(prism.as_query_engine(), BaseQueryEngine)
    assert isinstance(prism.as_chat_engine(), BaseChatEngine)


def test_a_plain_query_engine_over_our_retriever_reads_our_passages(prism: Prism):
    engine = RetrieverQueryEngine.from_args(
        prism.as_retriever(k=3), llm=MockLLM(), response_mode=ResponseMode.COMPACT
    )
    response = engine.query(QUESTION)
    assert FIVE_SENTENCES["errors.txt"] in str(response)  # the mock model repeats its prompt
    assert QUESTION in str(response)
    best = response.source_nodes[0]
    assert best.node.get_content() == FIVE_SENTENCES["errors.txt"]
    assert best.node.metadata["document"] == "errors.txt"
    assert [node.score for node in response.source_nodes] == sorted(
        (node.score for node in response.source_nodes), reverse=True
    )


@pytest.mark.parametrize("mode", [ResponseMode.REFINE, ResponseMode.TREE_SUMMARIZE])
def test_other_response_modes_work_too(prism: Prism, mode):
    engine = RetrieverQueryEngine.from_args(prism.as_retriever(), llm=MockLLM(), response_mode=mode)
    assert engine.query(QUESTION).source_nodes[0].node.metadata["document"] == "errors.txt"


def test_what_llamaindex_puts_around_a_retriever_works(prism: Prism):
    fusion = QueryFusionRetriever(
        [prism.as_retriever(), prism.as_retriever(k=2)], llm=MockLLM(), num_queries=1, use_async=False
    )
    assert fusion.retrieve(QUESTION)[0].node.metadata["document"] == "errors.txt"
    cutoff = SimilarityPostprocessor(similarity_cutoff=0.0)
    engine = RetrieverQueryEngine.from_args(prism.as_retriever(), llm=MockLLM(), node_postprocessors=[cutoff])
    assert engine.query(QUESTION).source_nodes
    tool = QueryEngineTool.from_defaults(prism.as_query_engine(), name="documents", description="My files.")
    assert "0x80070005" in str(tool.call(QUESTION))


def test_a_plain_query_engine_works_off_the_event_loop(prism: Prism):
    engine = RetrieverQueryEngine.from_args(prism.as_retriever(), llm=MockLLM())
    response = asyncio.run(engine.aquery(QUESTION))
    assert response.source_nodes[0].node.metadata["document"] == "errors.txt"
    nodes = asyncio.run(prism.as_retriever(k=1).aretrieve(QUESTION))
    assert [node.node.metadata["document"] for node in nodes] == ["errors.txt"]


def test_the_retriever_keeps_to_its_scope_and_to_what_is_visible(open_prism: OpenPrism, tmp_path):
    prism = open_prism()
    prism.ingest(write(tmp_path, FIVE_SENTENCES))
    scoped = prism.as_retriever(scope=only(prism, "gpu.txt"))
    assert {node.node.metadata["document"] for node in scoped.retrieve(QUESTION)} == {"gpu.txt"}
    retriever = prism.as_retriever()
    prism.delete(id_of(prism, "errors.txt"))
    assert "errors.txt" not in {node.node.metadata["document"] for node in retriever.retrieve(QUESTION)}


def test_our_query_engine_gives_the_answer_with_its_sources(prism: Prism):
    response = prism.as_query_engine().query(QUESTION)
    answer = prism.ask(QUESTION)
    assert str(response) == answer.text
    assert response.source_nodes[0].node.metadata["document"] == "errors.txt"
    assert str(asyncio.run(prism.as_query_engine().aquery(QUESTION))) == answer.text


def test_our_query_engine_streams(prism: Prism):
    response = prism.as_query_engine(streaming=True).query(QUESTION)
    assert "".join(response.response_gen) == prism.ask(QUESTION).text
    assert response.source_nodes[0].node.metadata["document"] == "errors.txt"


def test_a_chat_through_our_chat_engine_remembers_and_resets(prism: Prism):
    engine = prism.as_chat_engine()
    first = engine.chat(QUESTION)
    assert "Access Denied" in first.response
    assert first.source_nodes[0].node.metadata["document"] == "errors.txt"
    second = engine.chat("And when does it occur?")
    assert "registry" in second.response
    assert [message.content for message in engine.chat_history][::2] == [QUESTION, "And when does it occur?"]
    assert len(engine.chat_history) == 4
    engine.reset()
    assert engine.chat_history == []


def test_a_streaming_chat_gives_every_token_and_then_its_sources(prism: Prism):
    engine = prism.as_chat_engine()
    response = engine.stream_chat(QUESTION)
    said = "".join(response.response_gen)
    assert said == prism.ask(QUESTION).text
    assert response.source_nodes[0].node.metadata["document"] == "errors.txt"
    assert [message.content for message in engine.chat_history] == [QUESTION, said]


def test_an_async_chat_and_an_async_stream_give_the_same(prism: Prism):
    async def talk() -> tuple[str, str]:
        whole = await prism.as_chat_engine().achat(QUESTION)
        streamed = await prism.as_chat_engine().astream_chat(QUESTION)
        pieces = [piece async for piece in streamed.async_response_gen()]
        assert streamed.source_nodes
        return whole.response, "".join(pieces)

    whole, streamed = asyncio.run(talk())
    assert whole == streamed == prism.ask(QUESTION).text


def test_a_conversation_is_continued_by_its_id(prism: Prism):
    conversation = prism.conversation()
    prism.as_chat_engine(conversation.id).chat(QUESTION)
    assert [turn.question for turn in conversation.turns()] == [QUESTION]
    assert len(prism.as_chat_engine(conversation.id).chat_history) == 2


def test_the_apps_global_settings_are_neither_read_nor_changed(prism: Prism):
    before = (LlamaIndexSettings._llm, LlamaIndexSettings._embed_model)
    prism.as_query_engine().query(QUESTION)
    prism.as_retriever().retrieve(QUESTION)
    assert (LlamaIndexSettings._llm, LlamaIndexSettings._embed_model) == before
