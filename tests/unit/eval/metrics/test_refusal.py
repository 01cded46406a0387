"""Refusal figures of a set made by hand."""

from __future__ import annotations

import pytest

from eval.metrics.refusal import is_answerable, refusal
from eval.metrics.summarize import summarize
from eval.outcome.row import Row
from tests.unit.eval.rows import make_row


def asked(number: int, *, answerable: bool | None, abstained: bool | None, **values: object) -> Row:
    return make_row(f"q{number}", answerable=answerable, abstained=abstained, **values)


ROWS = (
    asked(1, answerable=False, abstained=True, gold={}),
    asked(2, answerable=False, abstained=True, gold={}),
    asked(3, answerable=False, abstained=False, gold={}),
    asked(4, answerable=True, abstained=True),
    asked(5, answerable=True, abstained=False),
    asked(6, answerable=True, abstained=False),
    # Not said, but it has gold: answerable.
    asked(7, answerable=None, abstained=False),
    # Not said and no gold: unknown; it counts in the abstain rate alone.
    asked(8, answerable=None, abstained=True, gold={}),
    # Nobody judged this one, and the last one failed.
    asked(9, answerable=True, abstained=None),
    asked(10, answerable=True, abstained=True, error="SearchError: disk gone"),
)


def test_figures_of_a_set_worked_by_hand() -> None:
    summaries = summarize(ROWS)
    # Refused and known: 1, 2, 4, of which 1 and 2 have no answer.
    assert summaries["refusal_precision"].mean == pytest.approx(2 / 3)
    assert summaries["refusal_precision"].questions == 3
    # Without an answer: 1, 2, 3, of which 1 and 2 were refused.
    assert summaries["refusal_recall"].mean == pytest.approx(2 / 3)
    # Judged: 1 to 8, of which 1, 2, 4, 8 were refused.
    assert summaries["abstain_rate"].mean == pytest.approx(4 / 8)
    assert summaries["abstain_rate"].questions == 8
    # With an answer: 4, 5, 6, 7, of which 4 was refused.
    assert summaries["wrongly_refused"].mean == pytest.approx(1 / 4)


def test_nothing_refused_has_no_refusal_precision() -> None:
    summaries = summarize([asked(1, answerable=True, abstained=False)])
    assert "refusal_precision" not in summaries
    assert "refusal_recall" not in summaries
    assert summaries["wrongly_refused"].mean == 0.0


def test_unjudged_rows_have_no_figure_at_all() -> None:
    assert set(refusal(make_row(abstained=None)).values()) == {None}


@pytest.mark.parametrize(
    ("answerable", "gold", "unscorable", "expected"),
    [
        (True, {}, "", True),
        (False, {"a": 1}, "", False),
        (None, {"a": 1}, "", True),
        (None, {"a": 0}, "", None),
        (None, {}, "", None),
        (True, {"a": 1}, "the quote is in no document", None),
        (False, {}, "the quote is in no document", False),
    ],
)
def test_what_is_known_of_an_answer(
    answerable: bool | None, gold: dict[str, int], unscorable: str, expected: bool | None
) -> None:
    assert is_answerable(make_row(answerable=answerable, gold=gold, unscorable=unscorable)) is expected
