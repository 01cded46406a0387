"""Context recall by hand."""

from __future__ import annotations

import pytest

from eval.metrics.context_recall import context_recall
from tests.unit.eval.rows import make_passages, make_row


@pytest.mark.parametrize(
    ("held", "expected"),
    [
        (("a", "", "bc"), 3 / 4),
        (("a", "a"), 1 / 4),  # twice the same gold is one
        (("", ""), 0.0),
        ((), 0.0),
        (("abcd",), 1.0),
    ],
)
def test_share_of_gold_that_passages_hold(held: tuple[str, ...], expected: float) -> None:
    row = make_row(gold=dict.fromkeys("abcd", 1), passages=make_passages(*held))
    assert context_recall(row) == pytest.approx(expected)


def test_gold_in_the_ranking_alone_was_not_given() -> None:
    assert context_recall(make_row(ranking=("a",), passages=make_passages(""))) == 0.0


def test_without_gold_there_is_no_value() -> None:
    assert context_recall(make_row(gold={"a": 0}, passages=make_passages("a"))) is None
