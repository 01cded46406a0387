"""Prism's answers as a LlamaIndex query engine."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.response.schema import AsyncStreamingResponse, Response, StreamingResponse
from llama_index.core.schema import NodeWithScore, QueryBundle

from prism.llamaindex.conversions import answer_metadata, answer_sources
from prism.llamaindex.events import Event, Sources, text_of
from prism.models.threads import stream_in_thread
from prism.types import Answer


class PrismQueryEngine(BaseQueryEngine):
    """Questions to cited answers. `source_nodes` are the passages cited, `metadata` the rest.

    With `stream` the response is a streaming one, whose `source_nodes` and `metadata` fill when it ends.
    """

    def __init__(
        self,
        ask: Callable[[str], Answer],
        stream: Callable[[str], Iterator[Event]] | None = None,
    ) -> None:
        super().__init__(callback_manager=None)
        self._ask = ask
        self._stream = stream

    def _get_prompt_modules(self) -> dict[str, Any]:
        return {}

    def _query(self, query_bundle: QueryBundle) -> Response | StreamingResponse:
        question = query_bundle.query_str
        if self._stream is None:
            return _response(self._ask(question))
        sources = Sources([], {})
        deltas = text_of(self._stream(question), sources)
        return StreamingResponse(deltas, source_nodes=sources.nodes, metadata=sources.metadata)

    async def _aquery(self, query_bundle: QueryBundle) -> Response | AsyncStreamingResponse:
        question, stream = query_bundle.query_str, self._stream
        if stream is None:
            return _response(await asyncio.to_thread(self._ask, question))
        sources = Sources([], {})
        deltas = stream_in_thread(lambda: text_of(stream(question), sources))
        return AsyncStreamingResponse(deltas, source_nodes=sources.nodes, metadata=sources.metadata)


def _response(answer: Answer) -> Response:
    sources: list[NodeWithScore] = answer_sources(answer)
    return Response(answer.text, source_nodes=sources, metadata=answer_metadata(answer))
