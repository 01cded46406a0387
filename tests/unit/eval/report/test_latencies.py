"""Latency as a table."""

from __future__ import annotations

from eval.report.blocks import Paragraph, Table
from eval.report.latencies import latency_section
from tests.unit.eval.report.results import alone, make_result, pair


def test_percentiles_stand_by_stage_in_their_order() -> None:
    # q2 took 5 ms to retrieve, the other eight 4; of nine, p95 and p99 are the ninth, the slowest.
    table = latency_section(alone()).blocks[-1]
    assert isinstance(table, Table)
    assert table.head == ("stage", "p50", "p95", "p99")
    assert table.rows == (
        ("retrieve", "4.00", "5.00", "5.00"),
        ("rerank", "20.0", "40.0", "40.0"),
        ("total", "25.0", "46.0", "46.0"),
    )


def test_stage_that_ran_in_one_result_only_has_dashes_in_the_other() -> None:
    other = make_result(latency_ms={"expand": {"p50": 1.0, "p95": 2.0}})
    table = latency_section(pair(other)).blocks[-1]
    assert isinstance(table, Table)
    assert table.head[1:] == ("A: p50", "A: p95", "A: p99", "B: p50", "B: p95", "B: p99")
    assert table.rows[0][4:] == ("–", "–", "–")
    assert table.rows[-1] == ("expand", "–", "–", "–", "1.00", "2.00", "–")


def test_no_times_are_said_in_words() -> None:
    assert latency_section(alone(())).blocks == (Paragraph("No times were taken."),)
