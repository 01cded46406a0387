"""The table a person reads."""

from __future__ import annotations

import pytest

from eval.bench.table import result_table
from tests.unit.eval.bench.records import RECORDS

LINES = result_table(RECORDS).splitlines()


def row(beginning: str, after: str) -> list[str]:
    """Cells of the row so beginning in the table so headed."""
    start = next(number for number, line in enumerate(LINES) if after in line)
    return next(line for line in LINES[start:] if line.startswith(f"| {beginning}")).split("|")[1:-1]


def test_one_table_per_size() -> None:
    assert sum("1,000 leaves | Prism | plain" in line for line in LINES) == 1
    assert sum("10,000 leaves | Prism | plain" in line for line in LINES) == 1


def test_row_shows_both_medians_ratio_interval_and_verdict() -> None:
    title, prism, plain, ratio, verdict = (cell.strip() for cell in row("add one", "1,000 leaves"))
    assert title == "add one document, ms"
    assert (prism, plain, verdict) == ("20.0", "40.0", "ahead")
    assert ratio == "2.00 (2.00 to 2.00)"


def test_rate_that_is_lower_is_behind() -> None:
    assert [cell.strip() for cell in row("indexing,", "1,000 leaves")[3:]] == [
        "0.500 (0.500 to 0.500)",
        "behind",
    ]


def test_stages_follow_after_the_quantities() -> None:
    cells = [cell.strip() for cell in row("search by meaning", "stages at 1,000 leaves")]
    assert cells == ["search by meaning", "4.00", "8.00", "2.00 (2.00 to 2.00)"]


def test_one_repetition_has_an_interval_without_end() -> None:
    table = result_table([record for record in RECORDS if record.repetition == 1])
    assert "2.00 (0 to ∞) | even" in table


@pytest.mark.parametrize("records", [(), RECORDS[:1]])
def test_nothing_to_compare_is_an_empty_table(records: tuple[()]) -> None:
    assert result_table(records).strip() == ""


def test_every_row_of_a_table_has_as_many_cells() -> None:
    for block in result_table(RECORDS).strip().split("\n\n"):
        assert len({line.count("|") for line in block.splitlines()}) == 1
