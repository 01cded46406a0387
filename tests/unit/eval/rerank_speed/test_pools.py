"""Pools out of searches, and rankings of units worked by hand."""

from __future__ import annotations

import math

import pytest

from eval.datasets.dataset import LabelledQuestion
from eval.rerank_speed.pools import ndcg_at_10, pools, ranked_by
from tests.unit.eval.rerank_speed.made import make_pool

FILES = {"cap.txt": "The cap is ten.", "leave.txt": "Annual leave is long.", "hi.txt": "सीमा दस है।"}
CAP = LabelledQuestion("cap", "What is the cap?", grades={"cap.txt": 1})


def test_a_pool_is_what_fusion_put_before_the_rerankers_with_the_units_of_each_leaf(
    opened, make_dataset
) -> None:
    dataset = make_dataset(FILES, CAP)
    with opened(dataset, **{"rerank.kind": "none"}) as collection:
        (pool,) = pools(collection, dataset)
        trace = collection.prism.trace(collection.prism.retrieve(CAP.text).trace_id)
    assert [(item.node_id, item.score) for item in pool.fused] == [
        (row["node_id"], row["score"]) for row in trace["fused"]
    ]
    assert pool.node_ids == tuple(item.node_id for item in pool.fused)
    assert {leaf.text: pool.units[leaf.node_id] for leaf in pool.leaves}[FILES["cap.txt"]] == ("cap.txt",)
    assert pool.gold == {"cap.txt": 1}


def test_questions_in_another_script_and_those_that_follow_others_have_none(opened, make_dataset) -> None:
    dataset = make_dataset(
        FILES,
        LabelledQuestion("hi", "सीमा क्या है?", grades={"hi.txt": 1}),
        LabelledQuestion("next", "And its cap?", earlier=("What is leave?",), grades={"cap.txt": 1}),
        CAP,
    )
    with opened(dataset, **{"rerank.kind": "none"}) as collection:
        assert [pool.question_id for pool in pools(collection, dataset)] == ["cap"]


def test_what_cannot_be_scored_is_timed_without_gold(opened, make_dataset) -> None:
    dataset = make_dataset(
        FILES,
        LabelledQuestion("no", "What is the cap abroad?", answerable=False),
        LabelledQuestion("gone", "What is the cap then?", grades={"gone.txt": 1}, unscorable="not there"),
    )
    with opened(dataset, **{"rerank.kind": "none"}) as collection:
        assert [pool.gold for pool in pools(collection, dataset)] == [{}, {}]


def test_units_come_in_the_order_of_the_scores_each_once() -> None:
    pool = make_pool({"a": 0.9, "b": 0.5, "c": 0.1}, units={"a": ("x",), "b": ("y", "z"), "c": ("x",)})
    assert ranked_by(pool, (0.0, 0.1, 0.2), weight=1.0) == ("x", "y", "z")
    assert ranked_by(pool, (0.0, 0.2, 0.1), weight=1.0) == ("y", "z", "x")
    assert ranked_by(pool, (0.0, 0.2, 0.1), weight=0.0) == ("x", "y", "z")


def test_ndcg_counts_the_place_of_the_gold() -> None:
    pool = make_pool({"a": 1.0}, gold={"a": 1})
    found = [(pool, ("a", "b")), (pool, ("b", "a")), (pool, ("b", "c"))]
    assert ndcg_at_10(found) == pytest.approx([1.0, 1 / math.log2(3), 0.0])
