"""A result for a terminal says what was asked, what it comes to, and what went wrong."""

from __future__ import annotations

from eval.retrieval.table import result_table
from tests.unit.eval.rows import make_result, make_row

INDEX = {"leaves": 7, "failures": []}


def test_figures_stand_with_interval_and_number_of_questions() -> None:
    # One of two questions has its gold at rank 1: the mean of 1 and 0.
    rows = [make_row("a", ranking=("a",)), make_row("b", ranking=("x",))]
    table = result_table(make_result(rows, index=INDEX))
    (line,) = [line for line in table.splitlines() if line.startswith("reciprocal rank")]
    assert line.split() == ["reciprocal", "rank", "0.500", "0.000", "–", "1.000", "2"]
    assert table.startswith("letters: 2 questions asked, 2 scored by document, 0 unscorable, 0 failed.\n")
    assert "settings: the defaults; k=5; 7 leaves" in table


def test_percentiles_stand_by_stage() -> None:
    latency = {"retrieve": {"p50": 1.25, "p95": 10.0, "p99": 100.0}}
    table = result_table(make_result([make_row()], index=INDEX, latency_ms=latency))
    (line,) = [line for line in table.splitlines() if line.startswith("retrieve")]
    assert line.split() == ["retrieve", "1.2", "10.0", "100.0"]


def test_what_could_not_be_scored_failed_or_was_not_indexed_is_named() -> None:
    rows = [
        make_row("a", unscorable="its document is gone"),
        make_row("b", unscorable="its document is gone"),
        make_row("ग", unscorable="its quote does not stand there"),
        make_row("d", error="SearchError: both legs failed"),
    ]
    table = result_table(make_result(rows, index={"leaves": 7, "failures": ["x.pdf: damaged"]}))
    assert "4 questions asked, 1 scored by document, 3 unscorable, 1 failed." in table
    assert "  unscorable, 2: its document is gone (a, b)\n" in table
    assert "  unscorable, 1: its quote does not stand there (ग)\n" in table
    assert "  failed: d: SearchError: both legs failed\n" in table
    assert "  not indexed: x.pdf: damaged\n" in table


def test_many_ids_are_cut_short() -> None:
    rows = [make_row(f"question-{number}", unscorable="gone") for number in range(40)]
    (line,) = [line for line in result_table(make_result(rows, index=INDEX)).splitlines() if "gone" in line]
    # Eighty letters of ids, the last an ellipsis, within "  unscorable, 40: gone (…)".
    assert len(line) == len("  unscorable, 40: gone ()") + 80
    assert line.endswith("…)")


def test_changed_settings_and_notes_are_shown() -> None:
    result = make_result(
        [make_row()], index=INDEX, settings={"retrieval.k": 3}, k=3, notes=("3 of 4 files are not there.",)
    )
    table = result_table(result)
    assert "settings: retrieval.k=3; k=3; 7 leaves" in table
    assert "\n3 of 4 files are not there.\n" in table


def test_where_nothing_could_be_scored_that_is_said() -> None:
    for rows in ([], [make_row(gold={})], [make_row(unscorable="gone")]):
        table = result_table(make_result(rows, index=INDEX))
        assert "Nothing could be scored: no question has gold that is in these documents." in table
