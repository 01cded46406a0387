"""A stopwatch around a retriever, for what LlamaIndex does not time itself."""

from __future__ import annotations

from time import perf_counter

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle


class Stopwatch:
    """Passes questions on. No `BaseRetriever` itself: the events each of those sends would be added to what
    is timed."""

    def __init__(self, retriever: BaseRetriever) -> None:
        self._retriever = retriever
        self.spent_ms = 0.0
        """Milliseconds of the last question."""

    def retrieve(self, query: QueryBundle) -> list[NodeWithScore]:
        """What the retriever finds."""
        began = perf_counter()
        found = self._retriever.retrieve(query)
        self.spent_ms = (perf_counter() - began) * 1000
        return found
