"""Questions far slower than most."""

from __future__ import annotations

from eval.diagnose.diagnose import diagnose
from eval.outcome.row import Row
from tests.unit.eval.diagnose.healthy import found_row, names_of
from tests.unit.eval.rows import make_result


def rows_with(slow: dict[str, float], count: int = 60) -> list[Row]:
    """Questions of 20 ms, of which the last four have other times."""
    return [
        *(found_row(number) for number in range(count - 4)),
        *(found_row(count + number, timings_ms=slow) for number in range(4)),
    ]


def test_the_stage_that_holds_the_tail_is_named() -> None:
    slow = {"retrieve": 25.0, "rerank": 304.0, "total": 330.0}
    (finding,) = diagnose(make_result(rows_with(slow), settings={"retrieval.retrieve_k": 100}))
    assert finding.name == "slow_tail"
    assert "p50 20 ms, p99 330 ms" in finding.says
    # 304 ms where the middle question takes 4.
    assert "The slowest 4 spend 300 ms more than usual in the stage 'rerank'." in finding.says
    assert "retrieval.retrieve_k (now 100)" in finding.advice


def test_a_stage_without_a_setting_is_named_all_the_same() -> None:
    slow = {"retrieve": 15.0, "rerank": 4.0, "assemble": 300.0, "total": 320.0}
    (finding,) = diagnose(make_result(rows_with(slow)))
    assert "in the stage 'assemble'" in finding.says
    assert finding.advice == ""


def test_a_tail_nobody_notices_is_none() -> None:
    # Five times as slow, but 80 ms more.
    assert names_of(rows_with({"retrieve": 95.0, "total": 100.0})) == []


def test_slow_throughout_is_no_tail() -> None:
    rows = [
        found_row(number, timings_ms={"retrieve": 900.0 + 10 * number, "total": 1000.0 + 10 * number})
        for number in range(60)
    ]
    assert names_of(rows) == []


def test_too_few_times_are_no_tail() -> None:
    slow = {"rerank": 304.0, "total": 330.0}
    assert "slow_tail" not in names_of(rows_with(slow, count=19))
    assert "slow_tail" in names_of(rows_with(slow, count=20))


def test_questions_that_failed_slowly_are_no_tail() -> None:
    rows = [*(found_row(number) for number in range(60))]
    rows += [found_row(60 + number, timings_ms={"total": 9000.0}, error="timeout") for number in range(4)]
    assert names_of(rows) == ["failed"]
