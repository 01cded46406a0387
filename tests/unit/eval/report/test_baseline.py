"""Differences from the baseline, of pairs."""

from __future__ import annotations

from eval.report.baseline import baseline_section
from eval.report.blocks import Paragraph, Table
from eval.report.sides import Side
from tests.unit.eval.report.results import make_result, make_row, pair

TEN = [make_row(f"q{place}") for place in range(10)]
WORSE = [make_row(f"q{place}", metrics={"ndcg@10": 0.75, "hit@1": 0.0, "mrr": 0.5}) for place in range(10)]


def against(first: list, second: list, **changes: object) -> tuple[object, ...]:
    sides = (Side("A", 0, make_result(first)), Side("B", 1, make_result(second, **changes)))
    return baseline_section(sides).blocks


def test_difference_is_the_others_less_the_baselines() -> None:
    # Every question loses 1 - 0.75 = 0.25 of its nDCG, so that the interval has no width.
    (table,) = [block for block in against(TEN, WORSE) if isinstance(block, Table)]
    assert table.head[2] == "B less A (95 % interval)"
    found = {row[0]: row[1:] for row in table.rows}
    assert found["nDCG in the first 10"] == ("worse", "−0.250 (−0.250 to −0.250)", "10")
    assert found["wrongly refused (less is better)"] == ("no evidence", "0.000 (0.000 to 0.000)", "10")


def test_questions_of_one_alone_are_counted() -> None:
    blocks = against(TEN, WORSE[:7])
    (table,) = [block for block in blocks if isinstance(block, Table)]
    assert table.rows[0][3] == "7"
    assert blocks[-1] == Paragraph("B less A: 3 questions that only one of them asked are left out.")


def test_other_dataset_is_told_in_words_and_the_report_goes_on() -> None:
    (_, warning) = against(TEN, WORSE, fingerprint="cafe")
    assert isinstance(warning, Paragraph)
    assert warning.is_warning
    assert warning.text.startswith("B and A cannot be compared question by question")


def test_third_result_is_called_by_its_own_letter() -> None:
    sides = (*pair(make_result()), Side("C", 2, make_result(TEN, name="third", fingerprint="cafe")))
    warning = baseline_section(sides).blocks[-1]
    assert isinstance(warning, Paragraph)
    assert warning.text.startswith("C and A cannot")


def test_nothing_scored_in_both_is_said_in_words() -> None:
    unscored = [make_row("q0", unscorable="nowhere", metrics={}, abstained=None)]
    blocks = against(unscored, unscored)
    assert blocks[-1] == Paragraph("B less A: no question has a value in both.")
