"""A kind of question or a language far below the rest."""

from __future__ import annotations

from typing import Any

from eval.diagnose.diagnose import diagnose
from eval.outcome.row import Row
from tests.unit.eval.diagnose.healthy import found_row, missed_row, names_of
from tests.unit.eval.rows import make_result


def rows_with(weak: int, **values: Any) -> list[Row]:
    """Sixty questions; the last `weak` find their gold in neither search."""
    return [
        *(found_row(number, kind="fact") for number in range(60 - weak)),
        *(missed_row(60 + number, None, None, None, None, None, **values) for number in range(weak)),
    ]


def test_a_weak_kind_is_named_with_where_its_gold_was_lost() -> None:
    (finding,) = diagnose(make_result(rows_with(8, kind="table")))
    assert finding.name == "weak_kind"
    assert "'table' (8) are far below the rest (52): ndcg@10 0.00 against 1.00." in finding.says
    assert "8 in no search's list" in finding.says
    assert "models.embedder.path" in finding.advice


def test_a_weak_language_wants_an_embedder_that_reads_it() -> None:
    (finding,) = diagnose(make_result(rows_with(8, kind="fact", language="hi")))
    assert finding.name == "weak_language"
    assert "'hi' (8)" in finding.says
    assert "models.embedder.scripts" in finding.advice


def test_few_questions_are_no_kind() -> None:
    assert names_of(rows_with(4, kind="table")) == []


def test_a_gap_that_chance_explains_is_none() -> None:
    # Two of five tables are missed, as are 9 of the other 55: 0.60 against 0.84, but of five questions.
    rows = [
        *(found_row(number, kind="fact") for number in range(46)),
        *(missed_row(number, 9, 9, 9, 9, 9, kind="fact") for number in range(46, 55)),
        *(found_row(number, kind="table") for number in range(55, 58)),
        *(missed_row(number, 9, 9, 9, 9, 9, kind="table") for number in range(58, 60)),
    ]
    assert names_of(rows) == []


def test_a_sure_but_small_gap_is_none() -> None:
    # Second instead of first: 0.63 against 1 in a third of the tables, 0.12 on average.
    rows = [
        *(found_row(number, kind="fact") for number in range(30)),
        *(found_row(number, kind="table") for number in range(30, 50)),
        *(found_row(number, kind="table", ranking=("x", "a")) for number in range(50, 60)),
    ]
    assert names_of(rows) == []


def test_questions_without_a_kind_are_no_group() -> None:
    assert names_of(rows_with(8, kind="")) == []
