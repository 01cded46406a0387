"""Fusion against values worked by hand."""

from __future__ import annotations

import itertools
import math
import random
from statistics import fmean, pstdev
from typing import get_args

import pytest
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.llms import MockLLM
from llama_index.core.retrievers import QueryFusionRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from prism.query.fuse import FusionKind, fuse, pool
from prism.types import LeafHit, LegKind, Ranking

EVEN = {"dense": 0.5, "keyword": 0.5}
USUAL = {"dense": 0.7, "keyword": 0.3}
KINDS = get_args(FusionKind)


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


def test_dist_based_scales_each_ranking_by_mean_and_deviation_and_adds_by_weight() -> None:
    rankings = [
        ranking("dense", ("a", 5.0), ("b", 3.0), ("c", 1.0)),
        ranking("keyword", ("c", 12.0), ("d", 4.0)),
    ]
    # dense: mean 3, sd √(8/3), so a scores ½ + 2/(6√(8/3)), b ½, c ½ - 2/(6√(8/3))
    # keyword: mean 8, sd 4, so c is one deviation above and d one below: ½ ± 1/6
    step = 1 / (3 * math.sqrt(8 / 3))
    fused = {
        candidate.node_id: candidate.score for candidate in fuse(rankings, kind="dist_based", weights=USUAL)
    }
    assert fused == pytest.approx(
        {
            "a": 0.7 * (0.5 + step),
            "b": 0.7 * 0.5,
            "c": 0.7 * (0.5 - step) + 0.3 * 2 / 3,
            "d": 0.3 * 1 / 3,
        }
    )
    assert ids(rankings, kind="dist_based", weights=USUAL) == ["a", "c", "b", "d"]


def test_dist_based_does_not_clip_what_is_more_than_three_deviations_away() -> None:
    # One of 37 numbers stands far above the others, 1 to 36, or far below them.
    near = [float(number) for number in range(1, 37)]
    for far, is_above in ((9000.0, True), (-9000.0, False)):
        hits = sorted([("far", far), *((f"d{score:.0f}", score) for score in near)], key=lambda hit: -hit[1])
        (score,) = [
            item.score
            for item in fuse([ranking("dense", *hits)], kind="dist_based", weights={"dense": 1.0})
            if item.node_id == "far"
        ]
        scores = [far, *near]
        assert score == pytest.approx(0.5 + (far - fmean(scores)) / (6 * pstdev(scores)))
        assert score > 1.4 if is_above else score < -0.4


def test_dist_based_counts_equal_scores_once() -> None:
    # 39 copies of one text at .36 and another text at .44: mean .40, deviation .04, so ⅓ and ⅔. Counted 39
    # times, the copies would make of the other an outlier 6 deviations out.
    copies = [(f"d{number:02}", 0.36) for number in range(39)]
    fused = fuse([ranking("dense", ("other", 0.44), *copies)], kind="dist_based", weights={"dense": 1.0})
    assert [item.score for item in fused] == pytest.approx([2 / 3, *[1 / 3] * 39])


@pytest.mark.parametrize("kind", ["min_max", "dist_based"])
@pytest.mark.parametrize("score", [0.4, 0.1, 0.0, -0.2], ids=str)
def test_equal_scores_give_each_full_credit(kind, score) -> None:
    # .1 three times over sums to more than .3, which is a deviation above 0.
    fused = fuse([ranking("dense", ("a", score), ("b", score), ("c", score))], kind=kind, weights=EVEN)
    assert [(candidate.node_id, candidate.score) for candidate in fused] == [
        ("a", 0.5),
        ("b", 0.5),
        ("c", 0.5),
    ]


@pytest.mark.parametrize("kind", ["min_max", "dist_based"])
def test_the_only_leaf_that_holds_a_term_comes_before_a_middling_neighbour(kind) -> None:
    rankings = [
        ranking("dense", ("a", 0.9), ("b", 0.5), ("c", 0.1)),
        ranking("keyword", ("only", 7.0)),
    ]
    fused = {candidate.node_id: candidate.score for candidate in fuse(rankings, kind=kind, weights=EVEN)}
    assert fused["only"] == 0.5
    assert fused["only"] > fused["b"] > fused["c"]


@pytest.mark.parametrize("kind", ["min_max", "dist_based"])
def test_scores_that_differ_in_the_last_digit_alone_can_be_scaled(kind) -> None:
    least = [(f"d{n:02}", 0.5) for n in range(39)]
    fused = fuse([ranking("dense", ("a", math.nextafter(0.5, 1)), *least)], kind=kind, weights=EVEN)
    assert fused[0].node_id == "a"
    assert all(math.isfinite(candidate.score) for candidate in fused)


@pytest.mark.parametrize("kind", KINDS)
def test_ret_06_a_leg_of_weight_zero_contributes_nothing_at_all(kind) -> None:
    rankings = [ranking("dense", ("a", 0.9)), ranking("keyword", ("a", 3.0), ("b", 2.0))]
    only_dense = fuse(rankings, kind=kind, weights={"dense": 1.0, "keyword": 0.0})
    assert only_dense == fuse(rankings[:1], kind=kind, weights={"dense": 1.0})
    assert [candidate.node_id for candidate in only_dense] == ["a"]
    assert dict(only_dense[0].legs) == {"dense": 1, "keyword": None}


@pytest.mark.parametrize("kind", KINDS)
def test_ret_06_weights_change_the_order(kind) -> None:
    rankings = [ranking("dense", ("a", 0.9), ("b", 0.1)), ranking("keyword", ("b", 3.0), ("a", 2.0))]
    assert ids(rankings, kind=kind, weights={"dense": 0.9, "keyword": 0.1}) == ["a", "b"]
    assert ids(rankings, kind=kind, weights={"dense": 0.1, "keyword": 0.9}) == ["b", "a"]


@pytest.mark.parametrize("kind", KINDS)
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


@pytest.mark.parametrize(("kind", "best", "worst"), [("min_max", 1.0, 0.0), ("dist_based", 2 / 3, 1 / 3)])
def test_every_phrasing_is_scaled_by_itself_before_pooling(kind, best, worst) -> None:
    rankings = [
        ranking("keyword", ("a", 20.0), ("b", 10.0), query="long question"),
        ranking("keyword", ("b", 2.0), ("c", 1.0), query="short"),
    ]
    fused = fuse(rankings, kind=kind, weights={"keyword": 1.0})
    assert {candidate.node_id: candidate.score for candidate in fused} == pytest.approx(
        {"a": best, "b": best, "c": worst}
    )


@pytest.mark.parametrize("kind", KINDS)
def test_the_rankings_handed_in_are_left_as_they_were(kind) -> None:
    rankings = [ranking("dense", ("a", 0.9), ("b", 0.1))]
    before = list(rankings)
    fuse(rankings, kind=kind, weights=EVEN)
    assert rankings == before


# ── beside LlamaIndex's own fusion ──────────────────────────────────────────────────────────────


class Fixed(BaseRetriever):
    def __init__(self, given: Ranking) -> None:
        super().__init__()
        self.given = given

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return [
            NodeWithScore(node=TextNode(id_=hit.node_id, text=hit.node_id), score=hit.score)
            for hit in self.given.hits
        ]


def by_llamaindex(rankings: list[Ranking], mode: str, weights: list[float]) -> list[tuple[str, float]]:
    retriever = QueryFusionRetriever(
        [Fixed(given) for given in rankings],
        llm=MockLLM(),
        mode=mode,
        num_queries=1,
        use_async=False,
        similarity_top_k=1000,
        retriever_weights=weights,
    )
    return [(found.node.node_id, found.score) for found in retriever.retrieve("q")]


def drawn(seed: int) -> list[Ranking]:
    """A dense and a keyword ranking over some common nodes, without ties, of 2 to 40 hits."""
    draw = random.Random(seed)
    nodes = [f"n{number:03}" for number in range(60)]
    legs: list[Ranking] = []
    for leg, low, high in (("dense", -0.1, 0.9), ("keyword", 0.1, 30.0)):
        count = draw.randint(2, 40)
        scores = sorted((draw.uniform(low, high) for _ in range(count)), reverse=True)
        legs.append(ranking(leg, *zip(draw.sample(nodes, count), scores, strict=True)))
    return legs


@pytest.mark.parametrize("weights", [(0.5, 0.5), (0.7, 0.3), (0.2, 0.8)], ids=str)
@pytest.mark.parametrize(
    ("kind", "mode"), [("min_max", "relative_score"), ("dist_based", "dist_based_score")]
)
def test_scores_and_order_are_those_of_llamaindex(kind, mode, weights) -> None:
    for seed in range(25):
        rankings = drawn(seed)
        ours = fuse(rankings, kind=kind, weights=dict(zip(("dense", "keyword"), weights, strict=True)))
        theirs = by_llamaindex(rankings, mode, list(weights))
        assert {item.node_id: item.score for item in ours} == pytest.approx(dict(theirs), abs=1e-12)
        # Their ties keep the order of the legs, ours that of the ids: min_max knows two firsts and two lasts.
        theirs.sort(key=lambda row: (-row[1], row[0]))
        assert [item.node_id for item in ours] == [node_id for node_id, _ in theirs]
