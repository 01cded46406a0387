"""The comparison reads well, whatever there is to say."""

from __future__ import annotations

from typing import Any

from eval.compare.comparison import Comparison, compare
from eval.compare.words import describe
from eval.outcome.row import Row
from tests.unit.eval.rows import make_result, make_row


def rows(rank: int, count: int = 8) -> list[Row]:
    return [
        make_row(f"q{number}", ranking=(*"xyzuvw"[: rank - 1], "a"), abstained=rank > 1)
        for number in range(count)
    ]


def comparison(a: list[Row], b: list[Row], **values: Any) -> Comparison:
    return compare(make_result(a, name="old"), make_result(b, name="new", **values))


def test_what_differs_stands_before_the_measures() -> None:
    text = describe(comparison(rows(2), rows(1), settings={"retrieval.k": 7}))
    assert text.startswith("A: old, 2024-05-01")
    assert "8 questions of letters were asked in both." in text
    assert text.index("retrieval.k") < text.index("measure")


def test_nothing_that_differs_is_said() -> None:
    assert "Nothing differs between the two runs" in describe(comparison(rows(2), rows(2)))


def test_a_measure_is_one_line_with_its_verdict() -> None:
    # Reciprocal rank 1/2 and 1 throughout; 1 / 10,001 for a difference that no draw reaches by chance.
    lines = describe(comparison(rows(2), rows(1))).splitlines()
    (line,) = (line for line in lines if line.startswith("mrr "))
    assert line.split() == [
        *("mrr", "8", "0.500", "1.000", "+0.500", "+0.500", "to", "+0.500", "<0.001", "better")
    ]


def test_many_measures_come_with_a_warning() -> None:
    text = describe(comparison(rows(2), rows(1)))
    assert "one interval in twenty excludes 0" in text
    assert "Fewer than" not in text
    assert "Fewer than 6 questions are no evidence" in describe(comparison(rows(2, 3), rows(1, 3)))


def test_a_verdict_that_the_p_value_does_not_bear_out_is_called_a_hint() -> None:
    # Four of forty gain and none loses: a skewed spread. That no draw holds any of the four is rare
    # (0.9**40 = 1.5 %), so that the interval lies above 0; the p value is 0.057.
    given = comparison(rows(2, 40), [*rows(1, 4), *rows(2, 40)[4:]])
    (found,) = (item for item in given.measures if item.metric.name == "mrr")
    assert found.verdict == "better"
    assert found.difference.p_value >= 0.05
    assert "a hint, no more" in describe(given)
    assert "a hint, no more" not in describe(comparison(rows(2), rows(1)))


def test_questions_left_out_are_counted() -> None:
    text = describe(comparison(rows(2, 8), rows(1, 6)))
    assert "6 questions of letters were asked in both." in text
    assert "Left out: 2 that only A was asked, 0 that only B was." in text


def test_changed_questions_are_shown_in_part_or_all() -> None:
    given = comparison(rows(2), rows(1))
    part, whole = describe(given), describe(given, shows_all=True)
    assert "8 questions changed, the largest change of ndcg@10 first; 3 more are shown by --all." in part
    assert "Better in B:" in part
    assert "Worse in B:" not in part
    assert part.count("gold, by rank at") == 5
    assert whole.count("gold, by rank at") == 8
    assert "--all" not in whole


def test_refusals_of_one_alone_are_listed_with_what_is_known() -> None:
    text = describe(comparison(rows(2), rows(1)))
    assert "Refused by A alone: 8" in text
    assert "  q0 (has an answer): What does q0 ask?" in text
    assert "Refused by B alone" not in text


def test_many_refusals_are_cut_unless_all_are_asked_for() -> None:
    given = comparison(rows(2, 12), rows(1, 12))
    assert "  and 2 more; --all shows them" in describe(given)
    assert "  q11 (has an answer)" in describe(given, shows_all=True)


def test_equal_results_say_that_no_question_changed() -> None:
    assert describe(comparison(rows(2), rows(2))).endswith("No ranking changed.\n")


def test_results_without_gold_compare_their_refusals() -> None:
    a, b = ([make_row(gold={}, answerable=False, abstained=refused)] for refused in (True, False))
    text = describe(comparison(a, b))
    assert "refusal_recall" in text
    assert "nan" not in text.lower()


def test_all_unscorable_results_have_no_measure() -> None:
    lost = [make_row(unscorable="the page is missing")]
    assert "No measure has a value in both." in describe(comparison(lost, lost))
