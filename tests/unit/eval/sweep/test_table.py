"""A sweep over k as Markdown, by figures worked out by hand."""

from __future__ import annotations

from dataclasses import replace

from eval.outcome.result import Result
from eval.outcome.row import Row
from eval.sweep.table import sweep_table
from tests.unit.eval.rows import make_passages, make_result, make_row


def with_tokens(row: Row, *tokens: int) -> Row:
    passages = zip(row.passages, tokens, strict=True)
    return replace(row, passages=tuple(replace(passage, tokens=count) for passage, count in passages))


ROWS = [
    # Gold `a` is in the first of two passages: context recall 1.
    with_tokens(make_row("1", passages=make_passages("a", "")), 100, 50),
    # In none: context recall 0.
    with_tokens(make_row("2", passages=make_passages("", "")), 100, 2000),
    # Not scored, but given to a model all the same.
    with_tokens(make_row("3", gold={}, passages=make_passages("")), 750),
]


def cells(table: str) -> list[list[str]]:
    lines = [line for line in table.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines][1:]


def result(rows: list[Row], k: int, p50: float | None = 7.25) -> Result:
    latency = {} if p50 is None else {"total": {"p50": p50, "p95": 2 * p50, "p99": 2 * p50}}
    return make_result(rows, k=k, latency_ms=latency)


def test_a_row_says_what_is_found_and_what_it_costs() -> None:
    table = sweep_table([result(ROWS, 2)])
    assert table.startswith("letters: 2 questions scored by document.\n")
    ((k, found, right, mean, p95, time, time_p95),) = cells(table)
    assert (k, found) == ("2", "0.500 (0.000 to 1.000)")
    # One of the four passages of scored questions holds gold.
    assert right == "0.250"
    # 150, 2100 and 750 tokens: 3000 / 3 on average; of three the 95th percentile is the largest.
    assert (mean, p95) == ("1,000", "2,100")
    assert (time, time_p95) == ("7.2", "14.5")


def test_rows_come_in_the_order_given() -> None:
    assert [row[0] for row in cells(sweep_table([result(ROWS, k) for k in (1, 20, 5)]))] == ["1", "20", "5"]


def test_a_question_that_failed_gives_a_model_nothing_to_read() -> None:
    failed = make_row("4", error="SearchError: x")
    ((_, found, _, mean, *_),) = cells(sweep_table([result([*ROWS, failed], 2)]))
    assert mean == "1,000"
    # 1, 0 and 0 over three questions.
    assert found.startswith("0.333 ")


def test_what_nothing_is_known_of_is_a_dash() -> None:
    unknown = [make_row(gold={}, error="SearchError: x")]
    assert cells(sweep_table([result(unknown, 5, None)])) == [["5", "–", "–", "–", "–", "–", "–"]]
