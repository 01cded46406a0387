from __future__ import annotations

import pytest

from prism.errors import ModelCallError
from prism.query.rerank import rerank
from prism.types import Candidate, Node
from tests.fakes import SharedWordsReranker


def node(name: str, text: str, context: str = "") -> Node:
    return Node(name, "doc", 1, 0, 0, None, 0, len(text), text, context=context)


NODES = {
    "a": node("a", "nothing shared"),
    "b": node("b", "the cap is ten"),
    "c": node("c", "ten"),
    "d": node("d", "ten", context="the cap"),
}


def order(*names: str) -> list[tuple[str, float]]:
    pool = [Candidate(name, 0.5, {"dense": 1}) for name in names]
    ranked = rerank(pool, question="the cap is", nodes=NODES, reranker=SharedWordsReranker())
    assert all(item.legs == {"dense": 1} for item in ranked)
    return [(item.node_id, item.score) for item in ranked]


def test_leaves_are_ordered_by_the_rerankers_score() -> None:
    assert order("a", "b") == [("b", 3.0), ("a", 0.0)]


def test_equal_scores_keep_their_order() -> None:
    assert order("c", "a") == [("c", 0.0), ("a", 0.0)]


def test_context_is_read_with_the_text() -> None:
    assert order("c", "d") == [("d", 2.0), ("c", 0.0)]


def test_a_reranker_that_fails_says_so() -> None:
    class Failing:
        name = "failing"

        def score(self, question, texts):
            raise ModelCallError("out of memory")

    with pytest.raises(ModelCallError):
        rerank([Candidate("a", 1.0)], question="q", nodes=NODES, reranker=Failing())
