"""A stopwatch tells of the last question, and what is found passes through."""

from __future__ import annotations

import pytest
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from eval.bench import stopwatch as module
from eval.bench.stopwatch import Stopwatch


class Finds(BaseRetriever):
    """One node, named after the question."""

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return [NodeWithScore(node=TextNode(id_=query_bundle.query_str, text=""), score=1.0)]


def test_each_question_is_timed_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter([1.0, 1.25, 2.0, 2.5])
    monkeypatch.setattr(module, "perf_counter", lambda: next(now))
    watch = Stopwatch(Finds())
    assert [item.node.node_id for item in watch.retrieve(QueryBundle("a"))] == ["a"]
    assert watch.spent_ms == 250.0
    watch.retrieve(QueryBundle("b"))
    assert watch.spent_ms == 500.0
