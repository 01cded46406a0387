"""The gate refuses too much, too little, or blindly."""

from __future__ import annotations

from dataclasses import replace

from eval.diagnose.diagnose import diagnose
from eval.outcome.row import Row
from tests.unit.eval.diagnose.healthy import healthy_rows, names_of
from tests.unit.eval.rows import make_result


def rows_with(wrongly_refused: int, wrongly_answered: int) -> list[Row]:
    """Of sixty answerable and ten unanswerable questions."""
    rows = healthy_rows()
    for place in range(wrongly_refused):
        rows[place] = replace(rows[place], abstained=True)
    for place in range(wrongly_answered):
        rows[60 + place] = replace(rows[60 + place], abstained=False)
    return rows


def test_many_answerable_refused_wants_a_lower_threshold() -> None:
    (finding,) = diagnose(make_result(rows_with(7, 0), settings={"gate.threshold": 0.4}))
    assert finding.name == "refuses_much"
    assert finding.says == "7 of 60 answerable questions are refused."
    assert finding.advice == "A lower threshold: gate.threshold (now 0.4)."


def test_a_threshold_that_nobody_set_is_said_to_be_the_calibrations() -> None:
    for stated in ({}, {"gate.threshold": None}):
        (finding,) = diagnose(make_result(rows_with(7, 0), settings=stated))
        assert (
            finding.advice
            == "A lower threshold: gate.threshold (now the calibration's own, which each trace tells)."
        )


def test_many_unanswerable_answered_wants_a_higher_threshold() -> None:
    (finding,) = diagnose(make_result(rows_with(0, 4)))
    assert finding.name == "answers_unanswerable"
    assert finding.says == "4 of 10 unanswerable questions are answered."
    assert "higher threshold" in finding.advice


def test_both_at_once_no_threshold_mends() -> None:
    (finding,) = diagnose(make_result(rows_with(7, 4)))
    assert finding.name == "gate_blind"
    assert "7 of 60 answerable questions are refused, and 4 of 10 unanswerable" in finding.says
    assert finding.advice.startswith("No gate.threshold mends both")


def test_one_in_ten_refused_and_three_in_ten_answered_are_no_finding() -> None:
    assert names_of(rows_with(6, 3)) == []


def test_few_questions_of_a_sort_say_nothing() -> None:
    rows = rows_with(0, 4)
    assert names_of(rows[:64]) == []  # four unanswerable ones, all answered
