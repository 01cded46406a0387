from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prism.errors import ModelCallError
from prism.query.rerank import order_first, rerank
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


def order(*names: str, leaves: int = 20) -> list[tuple[str, float]]:
    pool = [Candidate(name, 0.5 - place / 10, {"dense": 1}) for place, name in enumerate(names)]
    ranked = rerank(pool, question="the cap is", nodes=NODES, reranker=SharedWordsReranker(), leaves=leaves)
    assert all(item.legs == {"dense": 1} for item in ranked)
    return [(item.node_id, item.score) for item in ranked]


def candidates(*scores: float) -> list[Candidate]:
    return [Candidate(f"n{place}", score) for place, score in enumerate(scores)]


def test_leaves_are_ordered_by_the_rerankers_score() -> None:
    assert order("a", "b") == [("b", 3.0), ("a", 0.0)]


def test_equal_scores_keep_their_order_and_are_told_apart_by_the_least_step() -> None:
    assert order("c", "a") == [("c", 0.0), ("a", -5e-324)]


def test_context_is_read_with_the_text() -> None:
    assert [name for name, _ in order("c", "d")] == ["d", "c"]


def test_what_is_not_read_stays_below_in_its_order() -> None:
    # Read are a (0 words shared) and c (0); b (3) and d (2) come too late to be seen.
    assert [name for name, _ in order("a", "c", "b", "d", leaves=2)] == ["a", "c", "b", "d"]
    assert [name for name, _ in order("a", "b", "d", "c", leaves=2)] == ["b", "a", "d", "c"]


def test_the_rest_keeps_its_distances_below_the_lowest_of_the_head() -> None:
    # Before: .9 .8 | .75 .5. The head's lowest becomes -4, 4.8 below its last of before, and so do the rest.
    pool = candidates(0.9, 0.8, 0.75, 0.5)
    ranked = order_first(pool[:2], (-4.0, 7.0), pool[2:])
    assert [item.node_id for item in ranked] == ["n1", "n0", "n2", "n3"]
    assert [item.score for item in ranked] == pytest.approx([7.0, -4.0, -4.05, -4.3])


def test_a_rest_that_was_equal_to_the_head_still_comes_below() -> None:
    pool = candidates(0.5, 0.5)
    ranked = order_first(pool[:1], (2.0,), pool[1:])
    assert [(item.node_id, item.score) for item in ranked] == [("n0", 2.0), ("n1", math.nextafter(2.0, 0.0))]


def test_without_a_head_all_stay_as_they_are() -> None:
    pool = candidates(0.5, 0.2)
    assert order_first([], (), pool) == tuple(pool)
    assert order_first([], (), []) == ()


def test_too_few_scores_are_an_error_and_no_shorter_head() -> None:
    with pytest.raises(ValueError, match="shorter"):
        order_first(candidates(0.5, 0.2), (1.0,), [])


LOGITS = st.floats(min_value=-50, max_value=50)


@given(
    before=st.lists(st.floats(min_value=0, max_value=1), max_size=12), scores=st.lists(LOGITS, max_size=12)
)
def test_nothing_is_lost_scores_fall_strictly_and_each_part_keeps_its_place(
    before: list[float], scores: list[float]
) -> None:
    pool = candidates(*sorted(before, reverse=True))
    scores = scores[: len(pool)]
    head, rest = pool[: len(scores)], pool[len(scores) :]
    ranked = order_first(head, scores, rest)
    assert sorted(item.node_id for item in ranked) == sorted(item.node_id for item in pool)
    assert all(better.score > worse.score for better, worse in pairwise(ranked))
    assert [item.node_id for item in ranked[len(head) :]] == [item.node_id for item in rest]
    score_of = dict(zip((item.node_id for item in head), scores, strict=True))
    assert [score_of[item.node_id] for item in ranked[: len(head)]] == sorted(scores, reverse=True)


def test_a_reranker_that_fails_says_so() -> None:
    class Failing:
        name = "failing"

        def score(self, question, texts):
            raise ModelCallError("out of memory")

    with pytest.raises(ModelCallError):
        rerank([Candidate("a", 1.0)], question="q", nodes=NODES, reranker=Failing(), leaves=5)
