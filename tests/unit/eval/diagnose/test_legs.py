"""One search far better than the other."""

from __future__ import annotations

from eval.diagnose.diagnose import diagnose
from eval.outcome.row import Row
from tests.unit.eval.diagnose.healthy import found_row, names_of, stages_at
from tests.unit.eval.rows import make_result


def rows_with(keyword: int | None, count: int, fused: int = 1) -> list[Row]:
    """Of sixty questions the keyword leg has `count` at another rank; dense has all first."""
    return [
        found_row(number, stages=stages_at(1, keyword if number < count else 1, fused, 1, 1))
        for number in range(60)
    ]


def test_a_leg_that_finds_far_less_is_named() -> None:
    (finding,) = diagnose(make_result(rows_with(None, 30), settings={"retrieval.dense_weight": 0.7}))
    assert finding.name == "uneven_legs"
    assert "the search by meaning has 1.00 of the gold, the search by words 0.50" in finding.says
    assert "does no harm" in finding.says
    assert finding.advice == "", "what does no harm needs no mending"


def test_harm_by_the_weaker_leg_is_told() -> None:
    (finding,) = diagnose(
        make_result(rows_with(None, 30, fused=11), settings={"retrieval.dense_weight": 0.7})
    )
    assert "fused they have 0.00, less than the better one alone" in finding.says
    assert "retrieval.dense_weight (now 0.7) against retrieval.keyword_weight" in finding.advice


def test_gold_below_the_first_ten_counts_as_missed() -> None:
    assert names_of(rows_with(11, 30)) == ["uneven_legs"]
    assert names_of(rows_with(10, 60)) == []


def test_a_small_gap_is_how_legs_complete_each_other() -> None:
    assert names_of(rows_with(None, 11)) == []  # 49 of 60 are 0.82, against 1
    assert names_of(rows_with(None, 13)) == ["uneven_legs"]  # 47 of 60 are 0.78


def test_questions_that_one_leg_cannot_read_say_nothing_of_it() -> None:
    alone = {"keyword": {"a": 1}, "fused": {"a": 1}, "merged": {"a": 1}}
    assert names_of([found_row(number, stages=alone) for number in range(60)]) == []
