"""Gold by stage and rank, as a table."""

from __future__ import annotations

from eval.report.blocks import Paragraph, Table
from eval.report.stages import stages_section
from tests.unit.eval.report.results import alone, make_result, make_row, pair


def test_table_tells_found_ranks_and_absent() -> None:
    # dense: q1, q2, q10 at 1, q3 at 2, q4 at 7; q5 and the failed q6 absent: 5 of 7 = 71 %.
    table = stages_section(alone()).blocks[-1]
    assert isinstance(table, Table)
    assert table.rows[0] == ("dense", "5/7 (71 %)", "3", "1", "0", "1", "0", "0", "2")
    assert [row[0] for row in table.rows] == ["dense", "keyword", "fused", "reranked", "merged"]
    assert len({len(row) for row in (table.head, *table.rows)}) == 1


def test_results_stand_below_one_another() -> None:
    other = make_result([make_row(stages={"merged": {"a": None}})])
    table = stages_section(pair(other)).blocks[-1]
    assert isinstance(table, Table)
    assert table.rows[-1] == ("B: merged", "0/1 (0 %)", "0", "0", "0", "0", "0", "0", "1")


def test_no_stage_at_all_is_said_in_words() -> None:
    assert stages_section(alone(())).blocks == (Paragraph("No stage ran on a question with gold."),)
