from __future__ import annotations

from pathlib import Path

import pytest

from eval.calibrate.cases import Case, cases_of, documents_of, is_answered, known_names, some
from eval.calibrate.sets import CalibrationSet
from eval.datasets.dataset import Dataset, LabelledQuestion, PageName, Quote
from prism.types import Source

SOURCES = tuple(Source(Path(name), name) for name in ("a.txt", "b.pdf", "c.txt"))
KEY_OF = {"a.txt": "A", "b.pdf": "B"}


def a_set(name: str, *questions: LabelledQuestion, family: str = "") -> CalibrationSet:
    return CalibrationSet(name, family or name, Dataset(name, SOURCES, questions, KEY_OF, "f"))


def question(question_id: str, *gold: str, **values) -> LabelledQuestion:
    return LabelledQuestion(question_id, f"{question_id}?", grades=dict.fromkeys(gold, 1), **values)


def found(case_set: CalibrationSet, *others: CalibrationSet, limit: int = 9) -> list[tuple[str, list[str]]]:
    return [
        (case.case_id, sorted(case.excluded)) for case in cases_of(case_set, [case_set, *others], limit=limit)
    ]


def test_every_kind_of_question_is_asked_of_a_set() -> None:
    own = a_set("own", question("q1", "A"), question("q2", answerable=False))
    assert found(own, a_set("other", question("q1", "A"))) == [
        ("answerable/q1", []),
        ("unanswerable/q2", []),
        ("near/q1", ["a.txt"]),
        ("far/other/q1", []),
    ]
    assert cases_of(own, [own], limit=9)[0] == Case(
        "answerable/q1", "answerable", "q1?", documents=frozenset({"own/a.txt"})
    )


def test_the_documents_that_a_question_is_on_are_told_of_every_kind() -> None:
    own = a_set("own", question("q1", "A", "c.txt"), question("q2", answerable=False, about="B"))
    other = a_set("other", question("q1", "A"), question("q2", answerable=False))
    assert {case.case_id: sorted(case.documents) for case in cases_of(own, [own, other], limit=9)} == {
        "answerable/q1": ["own/a.txt", "own/c.txt"],
        "unanswerable/q2": ["own/b.pdf"],
        "near/q1": ["own/a.txt", "own/c.txt"],
        "far/other/q1": ["other/a.txt"],
        "far/other/q2": [],
    }


def test_documents_that_answer_it_are_told_though_not_all_are_known() -> None:
    own = a_set("own", question("q1", "A", "gone"), question("q2", "gone", about="gone"))
    assert [sorted(case.documents) for case in cases_of(own, [own], limit=9)] == [["own/a.txt"], []]


def test_questions_of_a_set_about_the_same_things_are_not_far() -> None:
    own, same = a_set("own", question("q1", "A"), family="x"), a_set("same", question("q9", "A"), family="x")
    assert [case_id for case_id, _ in found(own, same)] == ["answerable/q1", "near/q1"]


def test_a_follow_up_is_not_asked() -> None:
    own = a_set(
        "own", question("q1", "A", earlier=("What?",)), question("q2", answerable=False, earlier=("W?",))
    )
    assert found(own, a_set("other", question("q3", "A", earlier=("W?",)))) == []


def test_each_kind_is_cut_to_the_limit_with_near_following_the_answerable() -> None:
    own = a_set("own", *(question(f"q{at}", "A") for at in range(20)))
    ids = [case_id for case_id, _ in found(own, limit=3)]
    assert len(ids) == 6
    assert [name.removeprefix("answerable/") for name in ids[:3]] == [
        name.removeprefix("near/") for name in ids[3:]
    ]


def test_the_same_questions_are_drawn_every_time_in_their_order() -> None:
    drawn = some(range(100), 10)
    assert drawn == some(range(100), 10) == sorted(drawn)
    assert len(set(drawn)) == 10
    assert some("abc", 3) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("values", "answered"),
    [
        ({"grades": {"A": 1}}, True),
        ({"grades": {"A": 0}}, False),
        ({"grades": {"A": 1}, "answerable": False}, False),
        ({"grades": {"A": 1}, "unscorable": "not there"}, False),
        ({"quotes": (Quote("a.txt", "words"),)}, True),
        ({"answerable": True}, False),
    ],
)
def test_a_question_is_answered_where_the_set_has_gold_for_it(values, answered: bool) -> None:
    assert is_answered(LabelledQuestion("q", "?", **values)) is answered


@pytest.mark.parametrize(
    ("values", "documents"),
    [
        ({"grades": {"A": 1, "B": 0}}, {"a.txt"}),
        ({"grades": {"A": 1, "c.txt": 2}}, {"a.txt", "c.txt"}),
        ({"grades": {"B#p3": 1}, "unit": "page"}, {"b.pdf"}),
        ({"pages": (PageName("b.pdf", "iv"),)}, {"b.pdf"}),
        ({"quotes": (Quote("a.txt", "words"), Quote("c.txt", "more"))}, {"a.txt", "c.txt"}),
        ({"quotes": (Quote("", "words"),), "sources": ("a.txt", "c.txt")}, {"a.txt", "c.txt"}),
        ({"sources": ("c.txt",), "keywords": ("ten",)}, {"c.txt"}),
        ({"quotes": (Quote("", "words"),)}, set()),
        ({"keywords": ("ten",)}, set()),
        ({"grades": {"A": 1, "gone": 1}}, set()),
        ({}, set()),
    ],
)
def test_the_documents_that_answer_it_are_known_all_or_not_at_all(values, documents: set[str]) -> None:
    names = known_names(a_set("own").dataset)
    assert documents_of(LabelledQuestion("q", "?", **values), names) == documents


def test_with_every_document_out_of_scope_nothing_is_near() -> None:
    own = a_set("own", question("q1", "A", "B"), question("q2", "A", "B", "c.txt"))
    assert [case_id for case_id, _ in found(own)] == ["answerable/q1", "answerable/q2", "near/q1"]


def test_a_question_whose_documents_are_not_known_has_no_near_form() -> None:
    own = a_set("own", LabelledQuestion("q1", "?", keywords=("ten",)))
    assert [case_id for case_id, _ in found(own)] == ["answerable/q1"]
