"""Fusion against values worked by hand."""

from __future__ import annotations

import itertools

import pytest

from prism.query.fuse import fuse, pool
from prism.types import LeafHit, LegKind, Ranking

EVEN = {"dense": 0.5, "keyword": 0.5}
USUAL = {"dense": 0.7, "keyword": 0.3}


def ranking(leg: LegKind, *hits: tuple[str, float], query: str = "q") -> Ranking:
    return Ranking(
        leg, query, tuple(LeafHit(node_id, rank, score) for rank, (node_id, score) in enumerate(hits, 1))
    )


def ids(rankings, **options) -> list[str]:
    return [candidate.node_id for candidate in fuse(rankings, **options)]


def test_rrf_adds_weight_over_k_plus_rank_counted_from_one() -> None:
    rankings = [ranking("dense", ("a", 0.9), ("b", 0.8)), ranking("keyword", ("b", 5.0), ("c", 4.0))]
    fused = fuse(rankings, weights=USUAL)
    assert [(candidate.node_id, candidate.score) for candidate in fused] == [
        ("b", pytest.approx(0.7 / 62 + 0.3 / 61)),
        ("a", pytest.approx(0.7 / 61)),
        ("c", pytest.approx(0.3 / 62)),
    ]
    assert [dict(candidate.legs) for candidate in fused] == [
        {"dense": 2, "keyword": 1},
        {"dense": 1, "keyword": None},
        {"dense": None, "keyword": 2},
    ]


def test_a_smaller_k_makes_first_ranks_stand_out() -> None:
    # First by one leg against fifth by both: k = 1 gives .5/2 against 1/6, k = 60 .5/61 against 1/65.
    far = [
        ranking("dense", *((f"d{n}", 1.0 - n / 10) for n in range(4)), ("both", 0.5)),
        ranking("keyword", *((f"k{n}", 9.0 - n) for n in range(4)), ("both", 1.0)),
    ]
    assert ids(far, weights=EVEN, rrf_k=1)[0] == "d0"
    assert ids(far, weights=EVEN, rrf_k=60)[0] == "both"


def test_min_max_scales_each_ranking_and_adds_by_weight() -> None:
    rankings = [
        ranking("dense", ("a", 0.9), ("b", 0.6), ("c", 0.5)),
        ranking("keyword", ("c", 12.0), ("b", 9.0), ("d", 4.0)),
    ]
    # dense: a 1, b .25, c 0; keyword: c 1, b .625, d 0
    fused = {
        candidate.node_id: candidate.score for candidate in fuse(rankings, kind="min_max", weights=USUAL)
    }
    assert fused == pytest.approx({"a": 0.7, "b": 0.7 * 0.25 + 0.3 * 0.625, "c": 0.3, "d": 0.0})
    assert ids(rankings, kind="min_max", weights=USUAL) == ["a", "b", "c", "d"]


def test_min_max_of_equal_scores_gives_each_full_credit() -> None:
    fused = fuse([ranking("dense", ("a", 0.4), ("b", 0.4))], kind="min_max", weights=EVEN)
    assert [(candidate.node_id, candidate.score) for candidate in fused] == [("a", 0.5), ("b", 0.5)]


@pytest.mark.parametrize("kind", ["rrf", "min_max"])
def test_ret_06_a_leg_of_weight_zero_contributes_nothing_at_all(kind) -> None:
    rankings = [ranking("dense", ("a", 0.9)), ranking("keyword", ("a", 3.0), ("b", 2.0))]
    only_dense = fuse(rankings, kind=kind, weights={"dense": 1.0, "keyword": 0.0})
    assert only_dense == fuse(rankings[:1], kind=kind, weights={"dense": 1.0})
    assert [candidate.node_id for candidate in only_dense] == ["a"]
    assert dict(only_dense[0].legs) == {"dense": 1, "keyword": None}


@pytest.mark.parametrize("kind", ["rrf", "min_max"])
def test_ret_06_weights_change_the_order(kind) -> None:
    rankings = [ranking("dense", ("a", 0.9), ("b", 0.1)), ranking("keyword", ("b", 3.0), ("a", 2.0))]
    assert ids(rankings, kind=kind, weights={"dense": 0.9, "keyword": 0.1}) == ["a", "b"]
    assert ids(rankings, kind=kind, weights={"dense": 0.1, "keyword": 0.9}) == ["b", "a"]


@pytest.mark.parametrize("kind", ["rrf", "min_max"])
def test_ret_03_and_04_keyword_hits_of_score_zero_never_enter(kind) -> None:
    vectors = ranking("dense", ("v0", 0.9), ("v1", 0.8), ("v2", 0.7))
    zeros = ranking("keyword", ("z0", 0.0), ("v2", 0.0), ("z1", 0.0))
    fused = fuse([vectors, zeros], kind=kind, weights=USUAL)
    assert [candidate.node_id for candidate in fused] == ["v0", "v1", "v2"]
    assert all(candidate.legs["keyword"] is None for candidate in fused)
    assert fused == fuse([vectors], kind=kind, weights=USUAL)


def test_a_dense_hit_counts_whatever_its_cosine() -> None:
    assert ids([ranking("dense", ("a", 0.0), ("b", -0.3))], weights=USUAL) == ["a", "b"]


def test_ret_17_nodes_are_told_apart_by_id_alone() -> None:
    # The same clause in two files: equal scores, two nodes, two candidates.
    rankings = [
        ranking("dense", ("in-a", 0.9), ("in-b", 0.9)),
        ranking("keyword", ("in-a", 2.0), ("in-b", 2.0)),
    ]
    assert ids(rankings, weights=USUAL) == ["in-a", "in-b"]


def test_ret_26_an_empty_leg_gives_no_credit_and_takes_none() -> None:
    vectors = ranking("dense", ("a", 0.9), ("b", 0.8))
    assert fuse([vectors, ranking("keyword")], weights=USUAL) == fuse([vectors], weights=USUAL)
    assert fuse([ranking("dense"), ranking("keyword")], weights=USUAL) == ()
    assert fuse([], weights=USUAL) == ()


def test_ties_are_ordered_by_node_id_whatever_the_order_of_rankings() -> None:
    rankings = [ranking("dense", ("b", 0.9)), ranking("keyword", ("a", 3.0)), ranking("dense", ("c", 0.9))]
    for order in itertools.permutations(rankings):
        assert ids(order, weights=EVEN) == ["a", "b", "c"]


def test_phrasings_of_one_leg_pool_by_best_rank_and_count_once() -> None:
    rankings = [
        ranking("dense", ("a", 0.9), ("b", 0.8), query="question"),
        ranking("dense", ("b", 0.7), ("c", 0.6), query="rephrased"),
    ]
    assert pool(rankings) == (
        Ranking("dense", "question", (LeafHit("a", 1, 0.9), LeafHit("b", 1, 0.8), LeafHit("c", 2, 0.6))),
    )
    fused = fuse(rankings, weights={"dense": 1.0})
    assert [(candidate.node_id, candidate.score) for candidate in fused] == [
        ("a", pytest.approx(1 / 61)),
        ("b", pytest.approx(1 / 61)),
        ("c", pytest.approx(1 / 62)),
    ]


def test_min_max_scales_every_phrasing_by_itself_before_pooling() -> None:
    rankings = [
        ranking("keyword", ("a", 20.0), ("b", 10.0), query="long question"),
        ranking("keyword", ("b", 2.0), ("c", 1.0), query="short"),
    ]
    fused = fuse(rankings, kind="min_max", weights={"keyword": 1.0})
    assert {candidate.node_id: candidate.score for candidate in fused} == {"a": 1.0, "b": 1.0, "c": 0.0}


def test_the_rankings_handed_in_are_left_as_they_were() -> None:
    rankings = [ranking("dense", ("a", 0.9), ("b", 0.1))]
    before = list(rankings)
    fuse(rankings, kind="min_max", weights=EVEN)
    assert rankings == before
