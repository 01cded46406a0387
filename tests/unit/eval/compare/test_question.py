"""A changed question shows where its gold went."""

from __future__ import annotations

from eval.compare.changes import find_changes
from eval.compare.pairing import pair
from eval.compare.question import describe_change
from tests.unit.eval.rows import make_passages, make_result, make_row

A = make_row(
    "q1",
    question="What is\nthe fee?\x1b[31m",
    kind="table",
    gold={"a": 1, "b": 2},
    ranking=("a", "x"),
    stages={"dense": {"a": 1, "b": None}, "fused": {"a": 1, "b": None}},
    passages=make_passages("a"),
)
B = make_row(
    "q1",
    question="What is\nthe fee?\x1b[31m",
    gold={"a": 1, "b": 2},
    ranking=("x", "y", "b", "a"),
    stages={
        "dense": {"a": 1, "b": None},
        "fused": {"a": 2, "b": 30},
        "reranked": {"a": 9, "b": 3},
    },
    passages=make_passages("", "", "b"),
)


def lines_of(a: object = A, b: object = B) -> list[str]:
    (change,) = find_changes(pair(make_result([a]), make_result([b])).pairs, "mrr")
    return describe_change(change, "mrr")


def test_the_question_is_one_line_without_control_characters() -> None:
    assert lines_of()[0] == "q1 [table]: What is the fee?\ufffd[31m"


def test_the_change_and_the_cutoffs_it_crossed() -> None:
    # Rank 1 to rank 3: 1 - 1/3.
    assert lines_of()[1] == "  mrr 1.000 in A, 0.333 in B (−0.667); gold among the first 1 in A alone"


def test_rank_of_each_gold_at_each_stage_in_both() -> None:
    rows = [line.split() for line in lines_of()[2:7]]
    assert rows[0][-5:] == ["dense", "fused", "reranked", "ranking", "passages"]
    assert rows[1] == ["a", "A", "1", "1", "–", "1", "1"]
    assert rows[2] == ["B", "1", "2", "9", "4", "–"]
    assert rows[3] == ["b", "(grade", "2)", "A", "–", "–", "–", "–", "–"]
    assert rows[4] == ["B", "–", "30", "3", "3", "3"]


def test_both_rankings_side_by_side_with_gold_marked() -> None:
    rows = [line.split() for line in lines_of()[8:]]
    assert rows == [["1", "*", "a", "x"], ["2", "x", "y"], ["3", "*", "b"], ["4", "*", "a"]]


def test_only_the_first_ten_are_shown() -> None:
    fill = tuple(f"x{number}" for number in range(40))
    lines = lines_of(make_row(ranking=("a", *fill)), make_row(ranking=fill))
    assert lines[-1].split()[0] == "10"


def test_a_failure_is_told_and_nothing_found_is_said() -> None:
    lines = lines_of(make_row(ranking=("a",)), make_row(error="SearchError: disk gone"))
    assert "  B failed: SearchError: disk gone" in lines
