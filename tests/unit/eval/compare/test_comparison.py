"""A comparison holds together."""

from __future__ import annotations

import pytest

from eval.compare.comparison import compare
from prism.errors import UsageError
from tests.unit.eval.rows import make_result, make_row


def test_changes_follow_the_measure_asked_for() -> None:
    # First gold from 1 to 2 costs the reciprocal rank most; two of four lost from the first ten the recall.
    many = dict.fromkeys("abcd", 1)
    a = [make_row("q1", ranking=("a", "x")), make_row("q2", gold=many, ranking=tuple("abcd"))]
    b = [make_row("q1", ranking=("x", "a")), make_row("q2", gold=many, ranking=("a", "b"))]
    by_rank = compare(make_result(a), make_result(b), "mrr")
    by_recall = compare(make_result(a), make_result(b), "recall@10")
    assert by_rank.changes[0].pair.a.question_id == "q1"
    assert by_recall.changes[0].pair.a.question_id == "q2"


def test_an_unknown_measure_is_refused() -> None:
    with pytest.raises(UsageError, match="--metric"):
        compare(make_result([make_row()]), make_result([make_row()]), "bleu")
