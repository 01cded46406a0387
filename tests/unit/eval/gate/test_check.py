"""What turns the gate red: a drop beyond chance, a failed question; and what does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from eval.gate.check import check
from eval.outcome.result import Result
from prism.errors import UsageError
from tests.unit.eval.rows import make_result, make_row

QUESTIONS = 20


def found_at(ranks: Sequence[int | None], **values: object) -> Result:
    """A result in which question n has its gold at rank n of these, None: not at all."""
    rows = [
        make_row(f"q{number}", ranking=() if rank is None else (*"xyzuvw"[: rank - 1], "a"))
        for number, rank in enumerate(ranks)
    ]
    return make_result(rows, **values)


def test_the_same_figures_leave_the_gate_green() -> None:
    checked = check(found_at([1, 2, None] * 5), found_at([1, 2, None] * 5))
    assert not checked.is_red
    assert checked.dropped == checked.changed == ()


def test_a_drop_on_many_questions_is_red_and_names_the_measures() -> None:
    # hit@1 falls from 20 of 20 to 12 of 20: eight questions, all the same way.
    checked = check(found_at([1] * QUESTIONS), found_at([2] * 8 + [1] * 12))
    dropped = {item.metric.name: item for item in checked.dropped}
    assert checked.is_red
    assert dropped["hit@1"].mean_a == 1.0
    assert dropped["hit@1"].mean_b == pytest.approx(0.6)
    assert {"ndcg@10", "mrr"} <= dropped.keys()
    assert "hit@3" not in dropped, "all are still among the first three"


def test_a_drop_on_one_question_is_told_but_may_be_chance() -> None:
    checked = check(found_at([1] * QUESTIONS), found_at([2] + [1] * (QUESTIONS - 1)))
    assert not checked.is_red
    assert "hit@1" in {item.metric.name for item in checked.changed}


def test_finding_more_is_no_fault() -> None:
    checked = check(found_at([None] * 10 + [1] * 10), found_at([1] * QUESTIONS))
    assert not checked.is_red
    assert "recall@5" in {item.metric.name for item in checked.changed}


def test_refusing_many_answerable_questions_is_red() -> None:
    def judged(refused: int) -> Result:
        return make_result(
            [make_row(f"q{n}", answerable=True, abstained=n < refused, ranking=("a",)) for n in range(20)]
        )

    checked = check(judged(0), judged(8))
    assert [item.metric.name for item in checked.dropped] == ["wrongly_refused"]


def test_a_question_that_fails_now_is_red_alone() -> None:
    baseline = found_at([None] * QUESTIONS)
    rows = list(baseline.rows)
    rows[3] = replace(rows[3], error="SearchError: no leg answered")
    checked = check(baseline, replace(baseline, rows=tuple(rows)))
    assert checked.is_red
    assert checked.failed == ("q3: SearchError: no leg answered",)


@pytest.mark.parametrize(
    "now",
    [found_at([1] * 3, fingerprint="another"), found_at([1] * 4)],
    ids=["other documents", "other questions"],
)
def test_a_baseline_of_something_else_is_refused_with_the_way_out(now: Result) -> None:
    with pytest.raises(UsageError, match="gate --accept"):
        check(found_at([1] * 3), now)
