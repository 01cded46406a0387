"""What a size nobody measured would cost."""

from __future__ import annotations

import pytest

from eval.bench.extrapolate import extrapolate, on_line
from eval.bench.log import Record
from eval.bench.table import paper_table
from prism.errors import UsageError


def record(leaves: int, quantity: str, value: float, build: str = "prism", repetition: int = 1) -> Record:
    return Record(leaves, repetition, build, quantity, value, {})


MEASURED = [
    *(record(100, "add", value, repetition=at) for at, value in enumerate((9.0, 10.0, 50.0))),
    record(1000, "add", 19.0),
    record(10, "add", 1000.0),
    record(0, "embedding_rate", 70.0),
    record(1000, "recall", 0.9),
    record(100, "recall", 0.9),
]


def test_a_cost_goes_on_along_the_line_through_the_two_largest_sizes() -> None:
    (found,) = extrapolate(MEASURED, 10_000)
    # From 10 at 100 to 19 at 1,000: a hundredth a leaf.
    assert (found.smaller, found.larger, found.on_paper) == (10, 19, pytest.approx(109))
    assert (found.build, found.title, found.unit) == ("prism", "add one document", "ms")


def test_a_rate_is_told_as_the_time_of_all_leaves() -> None:
    rates = [record(100, "indexing_rate", 50.0, "plain"), record(1000, "indexing_rate", 100.0, "plain")]
    (found,) = extrapolate(rates, 2000)
    assert (found.smaller, found.larger) == (2, 10)
    assert found.on_paper == pytest.approx(10 + 8 / 900 * 1000)
    assert (found.title, found.unit) == ("indexing, all", "s")


def test_a_cost_that_fell_is_held() -> None:
    assert on_line((1, 8), (2, 5), 100) == 5


@pytest.mark.parametrize(
    ("records", "leaves", "told"),
    [
        (MEASURED[:3], 10_000, "at least two sizes"),
        (MEASURED, 1000, "extrapolate to more"),
        ([], 10, "two sizes"),
    ],
)
def test_what_cannot_be_extrapolated_is_refused(records: list[Record], leaves: int, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        extrapolate(records, leaves)


def test_the_table_shows_what_the_paper_follows_from() -> None:
    assert paper_table(MEASURED, 10_000).splitlines() == [
        "| a line through 100 and 1,000 leaves | build | 100 | 1,000 | 10,000 |",
        "|---|---|---:|---:|---:|",
        "| add one document, ms | prism | 10.0 | 19.0 | 109 |",
    ]
