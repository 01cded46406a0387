"""What counts as gold and as found."""

from __future__ import annotations

from eval.metrics.gold import holds_gold, passages, ranked, relevant
from tests.unit.eval.rows import make_passage, make_passages, make_row


def test_grades_of_0_and_below_are_not_relevant() -> None:
    assert relevant(make_row(gold={"a": 2, "b": 0, "c": -1})) == {"a": 2}


def test_gold_outside_the_collection_is_none() -> None:
    assert relevant(make_row(unscorable="the quote is in no document")) == {}


def test_a_unit_ranked_twice_keeps_its_best_rank() -> None:
    assert ranked(make_row(ranking=("b", "a", "b"))) == ("b", "a")


def test_a_question_that_failed_found_nothing() -> None:
    row = make_row(ranking=("a",), passages=make_passages("a"), error="SearchError: disk gone")
    assert (ranked(row), passages(row), holds_gold(row)) == ((), (), ())


def test_hindi_units_are_told_apart() -> None:
    row = make_row(
        gold={"परिपत्र २०२४": 1}, passages=(make_passage(1, "परिपत्र २०२२"), make_passage(2, "परिपत्र २०२४"))
    )
    assert holds_gold(row) == (False, True)
