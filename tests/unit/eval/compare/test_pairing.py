"""Only the same questions of the same dataset are compared."""

from __future__ import annotations

import pytest

from eval.compare.pairing import pair
from prism.errors import UsageError
from tests.unit.eval.rows import make_result, make_row


def rows(*names: str) -> list:
    return [make_row(name) for name in names]


def test_questions_are_paired_by_id_whatever_their_order() -> None:
    pairing = pair(make_result(rows("q1", "q2")), make_result(rows("q2", "q1")))
    assert [(item.a.question_id, item.b.question_id) for item in pairing.pairs] == [
        ("q1", "q1"),
        ("q2", "q2"),
    ]
    assert (pairing.only_a, pairing.only_b) == ((), ())


def test_questions_cut_off_by_a_limit_are_left_out_and_named() -> None:
    pairing = pair(make_result(rows("q1", "q2", "q3")), make_result(rows("q2", "q4")))
    assert [item.a.question_id for item in pairing.pairs] == ["q2"]
    assert (pairing.only_a, pairing.only_b) == (("q1", "q3"), ("q4",))


def test_another_state_of_the_dataset_is_refused_in_words() -> None:
    a = make_result(rows("q1"), name="old")
    b = make_result(rows("q1"), name="new", fingerprint="beef")
    with pytest.raises(UsageError, match=r"old.*new.*letters.*f00d.*beef.*Run one of them again"):
        pair(a, b)


def test_no_question_in_common_is_refused() -> None:
    with pytest.raises(UsageError, match="no question in common"):
        pair(make_result(rows("q1")), make_result(rows("q2")))
    with pytest.raises(UsageError, match="no question in common"):
        pair(make_result([]), make_result([]))


def test_a_question_that_stands_twice_is_refused() -> None:
    with pytest.raises(UsageError, match=r"^B \(twin\) has the question 'q1' 2 times"):
        pair(make_result(rows("q1")), make_result(rows("q2", "q1", "q1"), name="twin"))
