"""What the gate says, what is wrong first."""

from __future__ import annotations

from eval.gate.check import Checked, check
from eval.gate.words import describe
from eval.golden.compare import Difference
from tests.unit.eval.gate.test_check import found_at

UNCHANGED = Checked((), (), ())
SWAPPED = Difference("identifier-clause", "fused", 2, "rules.md 10-90", "faq.md 5-50")


def test_green_says_so_in_one_line() -> None:
    assert list(describe(UNCHANGED, [], 12)) == [
        "The gate is green: nothing dropped, 12 golden traces as recorded."
    ]


def test_a_drop_is_told_with_both_figures_and_the_interval() -> None:
    checked = check(found_at([1] * 20), found_at([2] * 8 + [1] * 12))
    text = list(describe(checked, [], 12))
    line = next(line for line in text if "hit in first place" in line)
    assert line.startswith("worse beyond chance: ")
    assert "1.000 -> 0.600 (-0.400, 95 % interval -0.600 to -0.200, 20 questions)" in line
    assert "gate --accept" in text[-1]


def test_a_changed_trace_alone_is_red_and_told_by_stage_and_rank() -> None:
    text = list(describe(UNCHANGED, [SWAPPED], 12))
    assert text[0] == (
        "golden trace: identifier-clause: fused, rank 2: expected rules.md 10-90, found faq.md 5-50"
    )
    assert text[-1].startswith(
        "The gate is red: 0 measures dropped, 0 questions failed, 1 of 12 golden traces differ."
    )


def test_a_failed_question_comes_first() -> None:
    text = list(describe(Checked((), (), ("s01: SearchError: no",)), [SWAPPED], 12))
    assert text[0] == "failed: s01: SearchError: no"
