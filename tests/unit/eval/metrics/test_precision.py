"""Precision of what the answerer was given, by hand."""

from __future__ import annotations

import pytest

from eval.metrics.precision import expected, precision
from eval.outcome.row import Seen
from tests.unit.eval.rows import make_passage, make_passages, make_row


@pytest.mark.parametrize(
    ("held", "share"),
    [
        (("a", "", "b", "", ""), 2 / 5),
        (("a", "a", "a", "a", "a"), 1.0),
        (("ab", ""), 1 / 5),  # two units in one passage are one passage
        (("a",), 1 / 5),  # divided by 5 however few there are
        (("", "", "", "", "", "a"), 0.0),  # the sixth is beyond the cutoff
        ((), 0.0),
    ],
)
def test_passages_with_gold_are_divided_by_five(held: tuple[str, ...], share: float) -> None:
    assert precision(make_row(gold={"a": 1, "b": 1}, passages=make_passages(*held))) == pytest.approx(share)


def test_rank_decides_not_the_place_in_the_row() -> None:
    # Passages in the order of a prompt: the sixth rank, which holds gold, stands in the middle.
    passages = make_passages("", "", "", "", "", "a")
    shown = (*passages[:2], passages[5], *passages[2:5])
    assert precision(make_row(passages=shown)) == 0.0


def test_units_that_are_not_relevant_do_not_count() -> None:
    assert precision(make_row(gold={"a": 1, "b": 0}, passages=make_passages("b", "z"))) == 0.0


def test_without_gold_there_is_no_precision() -> None:
    assert precision(make_row(gold={}, passages=make_passages(""))) is None
    assert precision(make_row(unscorable="the page is missing", passages=make_passages("a"))) is None


def passages_as(*outcomes: bool | None) -> tuple[Seen, ...]:
    return tuple(make_passage(rank, expected=outcome) for rank, outcome in enumerate(outcomes, start=1))


@pytest.mark.parametrize(
    ("outcomes", "share"),
    [((True, False, True), 2 / 5), ((False,), 0.0), ((True,) * 7, 1.0), ((False,) * 5 + (True,), 0.0)],
)
def test_passages_as_expected_are_divided_by_five(outcomes: tuple[bool, ...], share: float) -> None:
    assert expected(make_row(passages=passages_as(*outcomes))) == pytest.approx(share)


def test_expectations_need_no_gold() -> None:
    assert expected(make_row(gold={}, passages=passages_as(True))) == pytest.approx(1 / 5)


def test_nothing_expected_has_no_value() -> None:
    assert expected(make_row(passages=passages_as(None, None))) is None
    assert expected(make_row(unscorable="no such file", passages=passages_as(True))) is None


def test_expected_but_nothing_found_is_0_where_the_row_says_so() -> None:
    assert expected(make_row(passages=())) is None
    assert expected(make_row(passages=(), names_expected=True)) == 0.0


def test_a_question_that_failed_found_nothing() -> None:
    row = make_row(passages=(make_passage(1, "a", expected=True),), error="SearchError: disk gone")
    assert (precision(row), expected(row)) == (0.0, 0.0)
