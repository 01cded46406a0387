"""Auto-merging and growing over a small tree worked by hand.

doc A: top ── p1 ── a1 a2 a3 a4          doc B: root ── q ── b   (a short document: one text, three levels)
          └── p2 ── a5 a6 a7 a8
"""

from __future__ import annotations

import random

from prism.query.merge import best_ranks, grow, merge
from prism.types import Candidate, Merged

PARENT_OF = {
    **{f"a{n}": "p1" for n in (1, 2, 3, 4)},
    **{f"a{n}": "p2" for n in (5, 6, 7, 8)},
    "p1": "top",
    "p2": "top",
    "top": None,
    "b": "q",
    "q": "root",
    "root": None,
}
LEAF_COUNT = {"p1": 4, "p2": 4, "top": 8, "q": 1, "root": 1}
TOKENS = {
    **{f"a{n}": 100 for n in range(1, 9)},
    "p1": 400,
    "p2": 400,
    "top": 800,
    "b": 30,
    "q": 30,
    "root": 30,
}


def leaf(node_id: str, score: float, dense: int | None = None, keyword: int | None = None) -> Candidate:
    return Candidate(node_id, score, {"dense": dense, "keyword": keyword})


def merged(
    *pool: Candidate, threshold: float = 0.5, parent_of=PARENT_OF, leaf_count=LEAF_COUNT
) -> list[tuple]:
    result = merge(pool, parent_of=parent_of, leaf_count=leaf_count, threshold=threshold)
    return [(passage.node_id, passage.leaf_ids, passage.score) for passage in result]


def alone(node_id: str, score: float) -> Merged:
    return Merged(node_id, (node_id,), score)


def grown(*passages: Merged, budget_tokens: int, tokens=TOKENS) -> list[tuple]:
    result = grow(passages, parent_of=PARENT_OF, token_count=tokens, budget_tokens=budget_tokens)
    return [(passage.node_id, passage.leaf_ids, passage.score) for passage in result]


def test_exactly_the_threshold_does_not_merge_and_one_more_leaf_does() -> None:
    half = [leaf("a1", 0.9), leaf("a2", 0.5)]
    assert merged(*half) == [("a1", ("a1",), 0.9), ("a2", ("a2",), 0.5)]
    assert merged(*half, leaf("a3", 0.1)) == [("p1", ("a1", "a2", "a3"), 0.9)]


def test_a_parent_keeps_the_best_score_and_so_its_place() -> None:
    pool = [leaf("a1", 0.9), leaf("a5", 0.6), leaf("a2", 0.1), leaf("a3", 0.1)]
    assert merged(*pool) == [("p1", ("a1", "a2", "a3"), 0.9), ("a5", ("a5",), 0.6)]


def test_a_parent_has_the_best_rank_of_its_leaves_per_leg() -> None:
    pool = [leaf("a1", 0.9, dense=4), leaf("a2", 0.8, dense=2, keyword=7), leaf("a3", 0.7, keyword=3)]
    (passage,) = merge(pool, parent_of=PARENT_OF, leaf_count=LEAF_COUNT, threshold=0.5)
    assert dict(passage.legs) == {"dense": 2, "keyword": 3}


def test_leaves_are_counted_for_upper_levels_too_and_the_highest_that_qualifies_is_taken() -> None:
    # 5 of 8 leaves: top has 62.5 %, so it takes all, though p2 with 1 of 4 would not merge by itself.
    pool = [leaf("a1", 0.9), leaf("a2", 0.8), leaf("a3", 0.7), leaf("a4", 0.6), leaf("a5", 0.5)]
    assert merged(*pool) == [("top", ("a1", "a2", "a3", "a4", "a5"), 0.9)]
    # 4 of 8 is not more than half: p1 alone.
    assert merged(*pool[:4]) == [("p1", ("a1", "a2", "a3", "a4"), 0.9)]


def test_a_short_document_with_one_text_at_every_level_stays_its_leaf() -> None:
    assert merged(leaf("b", 0.9)) == [("b", ("b",), 0.9)]


def test_a_single_child_above_a_merged_parent_adds_nothing() -> None:
    parent_of = {"x1": "p", "x2": "p", "p": "g", "g": None}
    pool = [leaf("x1", 0.9), leaf("x2", 0.8)]
    assert merged(*pool, parent_of=parent_of, leaf_count={"p": 2, "g": 2}) == [("p", ("x1", "x2"), 0.9)]


def test_ret_24_a_missing_parent_leaves_the_leaves() -> None:
    pool = [leaf("a1", 0.9), leaf("a2", 0.8), leaf("a3", 0.7)]
    no_p1 = {"p2": 4, "top": 8}
    assert [row[0] for row in merged(*pool, leaf_count=no_p1)] == ["a1", "a2", "a3"]
    assert [row[0] for row in merged(*pool, parent_of={}, leaf_count={})] == ["a1", "a2", "a3"]


def test_a_missing_parent_in_between_does_not_hide_the_one_above() -> None:
    pool = [leaf(f"a{n}", 1 - n / 10) for n in range(1, 6)]
    assert [row[0] for row in merged(*pool, leaf_count={"top": 8})] == ["top"]


def test_a_record_that_runs_in_a_circle_ends() -> None:
    circle = {"x": "p", "p": "g", "g": "p"}
    assert merged(leaf("x", 0.5), parent_of=circle, leaf_count={"p": 3, "g": 3}) == [("x", ("x",), 0.5)]


def test_thresholds_zero_and_one() -> None:
    assert merged(leaf("a1", 0.9), threshold=0.0) == [("top", ("a1",), 0.9)]
    everything = [leaf(f"a{n}", 0.9) for n in range(1, 9)]
    assert [row[0] for row in merged(*everything, threshold=1.0)] == [f"a{n}" for n in range(1, 9)]


def test_ties_go_by_node_id_and_the_order_of_the_pool_does_not_matter() -> None:
    pool = [leaf("a1", 0.5), leaf("a2", 0.5), leaf("a3", 0.5), leaf("b", 0.5), leaf("a6", 0.5)]
    assert [row[0] for row in merged(*pool)] == ["a6", "b", "p1"]
    expected = {row[0]: frozenset(row[1]) for row in merged(*pool)}
    for seed in range(5):
        shuffled = random.Random(seed).sample(pool, len(pool))
        assert {row[0]: frozenset(row[1]) for row in merged(*shuffled)} == expected
        assert [row[0] for row in merged(*shuffled)] == [row[0] for row in merged(*pool)]


def test_every_leaf_of_the_pool_is_in_exactly_one_passage() -> None:
    pool = [leaf(node_id, 0.5) for node_id in ("a1", "a2", "a3", "a5", "b")]
    leaves = [leaf_id for _, leaf_ids, _ in merged(*pool) for leaf_id in leaf_ids]
    assert sorted(leaves) == ["a1", "a2", "a3", "a5", "b"]


def test_an_empty_pool_merges_to_nothing() -> None:
    assert merged() == []
    assert grown(budget_tokens=1000) == []


def test_a_lone_leaf_grows_to_its_parent_within_the_budget() -> None:
    assert grown(alone("a1", 0.9), budget_tokens=400) == [("p1", ("a1",), 0.9)]
    assert grown(alone("a1", 0.9), budget_tokens=399) == [("a1", ("a1",), 0.9)]


def test_the_best_leaf_grows_first_and_a_smaller_one_may_still_fit() -> None:
    # 200 taken, 300 to spare: a1 needs all 300, nothing is left for a5.
    assert [row[0] for row in grown(alone("a1", 0.9), alone("a5", 0.8), budget_tokens=500)] == ["p1", "a5"]
    # p1 does not fit the 150 to spare, p2 (220 here) does.
    tokens = {**TOKENS, "p2": 220}
    assert [
        row[0] for row in grown(alone("a1", 0.9), alone("a5", 0.8), budget_tokens=350, tokens=tokens)
    ] == [
        "a1",
        "p2",
    ]


def test_two_leaves_of_one_parent_grow_into_one_passage_never_two() -> None:
    # Both are in p1: 400 instead of 100 + 100, so 200 more.
    passages = [alone("a1", 0.9), alone("b", 0.7), alone("a3", 0.6)]
    assert grown(*passages, budget_tokens=430) == [("p1", ("a1", "a3"), 0.9), ("b", ("b",), 0.7)]
    assert [row[0] for row in grown(*passages, budget_tokens=429)] == ["a1", "b", "a3"]


def test_a_parent_that_is_missing_or_says_no_more_does_not_replace_the_leaf() -> None:
    tokens = {node_id: count for node_id, count in TOKENS.items() if node_id != "p1"}
    assert [row[0] for row in grown(alone("a1", 0.9), budget_tokens=9999, tokens=tokens)] == ["a1"]
    assert [row[0] for row in grown(alone("b", 0.9), budget_tokens=9999)] == ["b"]


def test_passages_that_merged_already_do_not_grow_further() -> None:
    passage = Merged("p1", ("a1", "a2", "a3"), 0.9)
    assert grown(passage, budget_tokens=9999) == [("p1", ("a1", "a2", "a3"), 0.9)]


def test_nothing_is_dropped_when_the_passages_are_over_the_budget_already() -> None:
    assert [row[0] for row in grown(alone("a1", 0.9), alone("a5", 0.8), budget_tokens=50)] == ["a1", "a5"]


def test_a_passage_grown_from_two_leaves_keeps_their_best_ranks() -> None:
    first = Merged("a1", ("a1",), 0.9, {"dense": 5, "keyword": None})
    second = Merged("a2", ("a2",), 0.8, {"dense": None, "keyword": 2})
    (passage,) = grow([first, second], parent_of=PARENT_OF, token_count=TOKENS, budget_tokens=400)
    assert dict(passage.legs) == {"dense": 5, "keyword": 2}


def test_a_passage_grown_from_two_leaves_keeps_the_copies_of_both() -> None:
    first = Merged("a1", ("a1",), 0.9, copies=("x", "y"))
    second = Merged("a2", ("a2",), 0.8, copies=("z",))
    (passage,) = grow([second, first], parent_of=PARENT_OF, token_count=TOKENS, budget_tokens=400)
    assert passage.copies == ("x", "y", "z")


def test_best_ranks_of_nothing_is_nothing() -> None:
    assert best_ranks([]) == {}
    assert best_ranks([{"dense": None}, {"dense": 3}, {"dense": 1}]) == {"dense": 1}
