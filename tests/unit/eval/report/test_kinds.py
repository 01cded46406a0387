"""The main measures by kind and language."""

from __future__ import annotations

from eval.report.blocks import Paragraph, Table
from eval.report.kinds import kinds_section
from tests.unit.eval.report.results import alone, make_result, make_row, pair


def tables(blocks: tuple[object, ...]) -> list[Table]:
    return [block for block in blocks if isinstance(block, Table)]


def test_each_kind_has_a_row_with_its_mean() -> None:
    # `plain`: q1, q2, q3, q5, q6, q7, q10; q7 is unscorable. (1 + 1 + 0.631 + 0 + 0 + 1) / 6 = 0.605.
    by_kind, _ = tables(kinds_section(alone()).blocks)
    found = {row[0]: row[1:] for row in by_kind.rows}
    assert list(found) == ["hostile | `kind`", "plain", "unanswerable"]
    assert found["plain"][0] == "6/7"
    assert found["plain"][1].startswith("0.605 (")
    assert found["hostile | `kind`"][:2] == ("1/1", "0.500 (0.500 to 0.500)")
    assert set(found["unanswerable"][1:]) == {"–"}, "no gold, no figures"


def test_each_language_has_a_row() -> None:
    _, by_language = tables(kinds_section(alone()).blocks)
    assert [row[:2] for row in by_language.rows] == [("en", "6/9"), ("hi", "1/1")]


def test_measure_on_fewer_questions_than_are_scored_says_so() -> None:
    rows = [
        make_row("q1"),
        make_row("q2", metrics={"ndcg@10": None, "hit@1": 0.0}),
        make_row("q3", kind="other"),
    ]
    (by_kind,) = tables(kinds_section(alone(rows)).blocks)
    plain = next(row for row in by_kind.rows if row[0] == "plain")
    assert plain[1:3] == ("2/2", "1.000 (1.000 to 1.000), 1/2")


def test_results_stand_below_one_another_for_each_kind() -> None:
    other = make_result([make_row("q1", kind="plain")])
    by_kind, _ = tables(kinds_section(pair(other)).blocks)
    labels = [row[0] for row in by_kind.rows]
    assert labels[2:4] == ["A: plain", "B: plain"]
    (missing,) = [row for row in by_kind.rows if row[0] == "B: unanswerable"]
    assert missing[1:] == ("0/0", "–", "–", "–", "–")


def test_questions_all_alike_or_none_are_said_in_words() -> None:
    assert kinds_section(alone([make_row()])).blocks == (
        Paragraph("The set tells no two kinds or languages apart."),
    )
    assert kinds_section(alone(())).blocks == (Paragraph("No question was asked."),)


def test_kind_without_a_name_is_called_so() -> None:
    (by_kind,) = tables(kinds_section(alone([make_row(kind=""), make_row(kind="plain")])).blocks)
    assert by_kind.rows[0][0] == "none named"
