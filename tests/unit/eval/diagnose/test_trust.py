"""What limits trust comes first."""

from __future__ import annotations

from dataclasses import replace

import pytest

from eval.diagnose.diagnose import diagnose
from eval.diagnose.trust import diagnose_trust
from tests.unit.eval.diagnose.healthy import found_row, healthy_rows, names_of
from tests.unit.eval.rows import make_result, make_row


def test_failures_are_said_with_the_commonest_reason() -> None:
    rows = healthy_rows()
    rows[0] = replace(rows[0], error="SearchError: disk gone.")
    rows[1] = replace(rows[1], error="ModelCallError: timeout")
    rows[2] = replace(rows[2], error="SearchError: disk gone.")
    (finding,) = diagnose(make_result(rows))
    assert finding.name == "failed"
    assert "3 of 70 questions failed" in finding.says
    assert finding.says.endswith("The commonest reason, 2 times: SearchError: disk gone.")


def test_unscorable_questions_are_said() -> None:
    rows = healthy_rows()
    rows[0] = replace(rows[0], unscorable="its quote does not stand in the document")
    (finding,) = diagnose(make_result(rows))
    assert finding.name == "unscorable"
    assert "1 of 70 questions could not be scored" in finding.says


def test_a_small_set_has_wide_intervals() -> None:
    rows = [found_row(number) for number in range(49)]
    assert names_of(rows) == ["small_set"]
    assert names_of([*rows, found_row(49)]) == []


def test_the_width_is_told_where_there_is_one() -> None:
    rows = [found_row(number) for number in range(40)]
    rows[:8] = [found_row(number, passages=()) for number in range(8)]
    result = make_result(rows)
    (finding,) = diagnose(result)
    summary = result.metrics["context_recall"]
    # 32 of 40: the interval is about 1.96 √(0.8 · 0.2 / 40) = 0.12 to either side.
    assert (summary.low, summary.high) == (pytest.approx(0.68, abs=0.03), pytest.approx(0.92, abs=0.03))
    assert f"context recall 0.80, from {summary.low:.2f} to {summary.high:.2f}" in finding.says


def test_nothing_scored_is_said_and_nothing_else() -> None:
    rows = [found_row(number, gold={}, answerable=None, stages={}) for number in range(60)]
    assert names_of(rows) == ["nothing_scored"]
    assert names_of([]) == ["nothing_scored"]


def test_trust_is_said_before_anything_else() -> None:
    rows = [found_row(1, unscorable="no such file"), found_row(2, passages=()), found_row(3, error="gone")]
    assert names_of(rows)[:3] == ["failed", "unscorable", "small_set"]


def test_a_reason_that_stands_alone_is_not_counted() -> None:
    rows = [make_row("q1", unscorable="there is no document 'a'. Is 'b' meant?"), make_row("q2")]
    finding = next(item for item in diagnose_trust(make_result(rows)) if item.name == "unscorable")
    assert finding.says.endswith("The reason: there is no document 'a'. Is 'b' meant?")


def test_reasons_that_all_differ_are_said_to() -> None:
    rows = [make_row("q1", unscorable="no quote"), make_row("q2", unscorable="no page"), make_row("q3")]
    finding = next(item for item in diagnose_trust(make_result(rows)) if item.name == "unscorable")
    assert finding.says.endswith("Each for a reason of its own, the first: no quote.")
