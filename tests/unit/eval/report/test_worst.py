"""The questions that went worst, with gold and ranking."""

from __future__ import annotations

import pytest

from eval.report.blocks import Paragraph, QuestionDetails, Ranked
from eval.report.worst import worst, worst_section
from tests.unit.eval.report.results import HINDI, ROWS, alone, make_row


def details(rows: object = ROWS) -> list[QuestionDetails]:
    return [block for block in worst_section(alone(rows)).blocks if isinstance(block, QuestionDetails)]


def test_lowest_come_first_and_perfect_ones_not_at_all() -> None:
    # q5 and q6 have 0, q4 0.5, q3 0.631; q1, q2 and q10 are perfect, the others have no value.
    assert [row.question_id for row in worst(ROWS)] == ["q5", "q6", "q4", "q3"]


def test_among_equals_the_lower_reciprocal_rank_comes_first() -> None:
    rows = [
        make_row(name, metrics={"ndcg@10": 0.0, "mrr": value})
        for name, value in (("first", 0.1), ("second", 0.05), ("third", None))
    ]
    assert [row.question_id for row in worst(rows)] == ["third", "second", "first"]


def test_ten_are_shown_at_most() -> None:
    rows = [make_row(f"q{place}", metrics={"ndcg@10": place / 20}) for place in range(19)]
    assert [row.question_id for row in worst(rows)] == [f"q{place}" for place in range(10)]


def test_question_is_told_with_gold_stages_and_ranking() -> None:
    hindi, failed, hostile, second = details()
    assert (hindi.value, hindi.question, hindi.language) == ("0.000", HINDI, "hi")
    assert dict(failed.facts)["failed"] == "ModelError: no weights"
    assert failed.ranking == ()
    assert dict(hostile.facts)["gold by stage"] == "dense 7; keyword 15; merged 3"
    assert second.ranking == (Ranked("b", False), Ranked("a", True))
    assert dict(second.facts) == {
        "id": "q3",
        "kind": "plain",
        "gold": "a",
        "gold by stage": "dense 2; keyword absent; merged 2",
        "gate": "answered at 0.900",
    }


def test_gold_below_the_shown_ranks_is_told() -> None:
    ranking = (*(f"other {place}" for place in range(13)), "a")
    row = make_row(gold={"a": 2}, ranking=ranking, metrics={"ndcg@10": 0.0})
    (shown,) = details([row])
    assert len(shown.ranking) == 10
    assert dict(shown.facts)["gold below these ranks"] == "14"
    assert dict(shown.facts)["gold"] == "a (grade 2)"


@pytest.mark.parametrize(("language", "kept"), [("hi", "hi"), ("zh-Hant", "zh-Hant"), ('x" onclick="', "")])
def test_only_language_tags_become_languages(language: str, kept: str) -> None:
    (shown,) = details([make_row(language=language, metrics={"ndcg@10": 0.0})])
    assert shown.language == kept


def test_nothing_wrong_and_nothing_scored_are_told_apart() -> None:
    assert worst_section(alone([make_row()])).blocks == (
        Paragraph("Every scored question was answered perfectly."),
    )
    assert worst_section(alone(())).blocks == (Paragraph("No question was scored."),)
    unscored = [make_row(metrics={"ndcg@10": None}), make_row(metrics={})]
    assert worst_section(alone(unscored)).blocks == (Paragraph("No question was scored."),)
