"""The two-by-two table of the gate, and the questions it got wrong."""

from __future__ import annotations

from eval.report.blocks import Bullets, Heading, Paragraph, Table
from eval.report.refusals import refusals_section
from tests.unit.eval.report.results import alone, make_result, make_row, pair


def test_questions_are_counted_by_answer_and_refusal() -> None:
    # Judged with an answer: q1 to q5 answered, q10 refused. Without one: q8 refused, q9 answered.
    # q6 failed, and q7 is unscorable, so that nothing is known of its answer.
    table, left_out, *_ = refusals_section(alone()).blocks
    assert isinstance(table, Table)
    assert table.rows == (
        ("has an answer", "5/6 (83 %)", "1/6 (17 %)"),
        ("has no answer", "1/2 (50 %)", "1/2 (50 %)"),
    )
    assert isinstance(left_out, Paragraph)
    assert left_out.text.startswith("2 of 10 questions are not in the table")


def test_wrong_refusals_and_wrong_answers_are_named() -> None:
    blocks = refusals_section(alone()).blocks
    assert [block.items for block in blocks if isinstance(block, Bullets)] == [
        ("q10: Question q10? (gate 0.200)",),
        ("q9: Question q9? (gate 0.600)",),
    ]


def test_long_lists_are_cut_and_the_rest_counted() -> None:
    rows = [make_row(f"q{place}", abstained=True, gate_score=None) for place in range(13)]
    (listed,) = [block for block in refusals_section(alone(rows)).blocks if isinstance(block, Bullets)]
    assert len(listed.items) == 11
    assert listed.items[0] == "q0: Question q0?"
    assert listed.items[-1] == "and 3 more"


def test_set_without_unanswerable_questions_has_a_row_without_shares() -> None:
    table = refusals_section(alone([make_row()])).blocks[0]
    assert isinstance(table, Table)
    assert table.rows[1] == ("has no answer", "–", "–")


def test_nothing_judged_is_said_in_words() -> None:
    for rows in ((), (make_row(abstained=None),), (make_row(answerable=None, gold={}),)):
        (words,) = refusals_section(alone(rows)).blocks
        assert isinstance(words, Paragraph)


def test_each_result_has_its_own_table() -> None:
    blocks = refusals_section(pair(make_result(name="other"))).blocks
    assert sum(isinstance(block, Heading) for block in blocks) == 2
    captions = [block.caption[:2] for block in blocks if isinstance(block, Table)]
    assert captions == ["A:", "B:"]
