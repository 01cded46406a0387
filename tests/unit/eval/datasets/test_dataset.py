"""Ids are told apart, conversations are in order."""

from __future__ import annotations

from pathlib import Path

import pytest

from eval.datasets.dataset import Dataset, LabelledQuestion, in_conversations, page_id
from prism.errors import UsageError

FILE = Path("questions.csv")
QUESTIONS = [LabelledQuestion(name, f"{name}?") for name in ("a", "b", "c")]


def dataset(*questions: LabelledQuestion) -> Dataset:
    return Dataset("letters", (), questions, {}, "f00d")


def test_a_page_is_named_by_its_file_and_its_sheet() -> None:
    assert page_id("rules.pdf", 12) == "rules.pdf#p12"


def test_a_follow_up_knows_what_was_asked_before_it_oldest_first() -> None:
    in_order = in_conversations(QUESTIONS, {"c": "b", "b": "a"}, FILE)
    assert [question.earlier for question in in_order] == [(), ("a?",), ("a?", "b?")]


def test_a_question_may_follow_one_further_down() -> None:
    assert in_conversations(QUESTIONS, {"a": "c"}, FILE)[0].earlier == ("c?",)


@pytest.mark.parametrize(
    ("follows", "said"),
    [
        ({"b": "z"}, "question 'b' follows 'z', which is not there"),
        ({"b": "b"}, "question 'b' follows 'b', in a circle"),
        ({"a": "b", "b": "a"}, "follows 'a', in a circle"),
    ],
)
def test_what_follows_nothing_or_itself_is_refused(follows: dict[str, str], said: str) -> None:
    with pytest.raises(UsageError, match=rf"questions\.csv: .*{said}.*Name the id"):
        in_conversations(QUESTIONS, follows, FILE)


def test_two_questions_of_one_id_are_refused() -> None:
    with pytest.raises(UsageError, match="letters: several questions have the id 'a'"):
        dataset(*QUESTIONS, LabelledQuestion("a", "again?"))


def test_units_are_those_of_the_questions_that_can_be_judged() -> None:
    units = dataset(
        LabelledQuestion("a", "?", unit="quote"),
        LabelledQuestion("b", "?", unit="document", answerable=False),
        LabelledQuestion("c", "?", unit="keyword", unscorable="its document is not there"),
        LabelledQuestion("d", "?", unit="page", answerable=True),
        LabelledQuestion("e", "?", unit="quote"),
    ).units
    assert units == ("quote", "page")


def test_where_none_can_be_judged_units_are_what_they_were_to_be() -> None:
    assert dataset(LabelledQuestion("a", "?", unit="page", unscorable="gone")).units == ("page",)
    assert dataset().units == ()
