"""Context precision by hand."""

from __future__ import annotations

import pytest

from eval.metrics.context_precision import context_precision
from tests.unit.eval.rows import make_passages, make_row


@pytest.mark.parametrize(
    ("held", "expected"),
    [
        (("a", "", "b"), (1 / 1 + 2 / 3) / 2),
        (("", "a", "", "", "b"), (1 / 2 + 2 / 5) / 2),
        (("a", "b"), 1.0),
        (("", "", "a"), 1 / 3),
        (("a", "a"), 1.0),  # the same gold in two passages: both hold gold
        (("", ""), 0.0),
        ((), 0.0),
    ],
)
def test_precision_is_averaged_over_the_passages_with_gold(held: tuple[str, ...], expected: float) -> None:
    row = make_row(gold={"a": 1, "b": 1, "never": 1}, passages=make_passages(*held))
    assert context_precision(row) == pytest.approx(expected)


def test_without_gold_there_is_no_value() -> None:
    assert context_precision(make_row(gold={}, passages=make_passages("a"))) is None
