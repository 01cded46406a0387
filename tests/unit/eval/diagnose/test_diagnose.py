"""The rules together."""

from __future__ import annotations

from eval.diagnose.diagnose import diagnose
from tests.unit.eval.diagnose.healthy import found_row, healthy_rows, missed_row, names_of
from tests.unit.eval.rows import make_result


def test_a_healthy_result_has_no_finding() -> None:
    assert diagnose(make_result(healthy_rows())) == ()


def test_several_things_come_in_the_order_to_read_them() -> None:
    slow = {"rerank": 304.0, "total": 330.0}
    rows = [
        *(found_row(number) for number in range(20)),
        *(missed_row(20 + number, 1, None, 9, 9, 9, abstained=True) for number in range(20)),
        *(missed_row(40 + number, 1, None, 9, 9, 9, timings_ms=slow) for number in range(5)),
        found_row(60, unscorable="no such file"),
    ]
    assert names_of(rows) == [
        "unscorable",
        "small_set",
        "not_found",
        "uneven_legs",
        "refuses_much",
        "slow_tail",
    ]
