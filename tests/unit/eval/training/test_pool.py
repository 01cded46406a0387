"""Which leaves of a pool are right, which are left out, and how many there are."""

from __future__ import annotations

import pytest

from eval.training.pool import FoundLeaf, Pool, choose, from_bytes, is_right, to_bytes


def found(*marks: bool | None) -> list[FoundLeaf]:
    """Leaves named by their place from 0."""
    return [FoundLeaf(str(place), mark) for place, mark in enumerate(marks)]


def names(leaves: tuple[FoundLeaf, ...]) -> str:
    return "".join(leaf.text for leaf in leaves)


@pytest.mark.parametrize(
    ("text", "is_relevant", "answers", "expected"),
    [
        ("It is in France.", True, ["france"], True),
        ("It is in France.", True, ["Gaul", "FRANCE"], True),
        ("It is far away.", True, ["France"], None),
        ("It is far away.", True, [], True),
        ("It is in France.", False, ["France"], False),
        ("It is far away.", False, [], False),
    ],
)
def test_a_leaf_is_right_where_a_relevant_document_holds_the_answer(
    text: str, is_relevant: bool, answers: list[str], expected: bool | None
) -> None:
    assert is_right(text, is_relevant=is_relevant, answers=answers) is expected


def test_the_first_leaves_are_taken() -> None:
    assert names(choose(found(False, True, False, True, False), 3)) == "012"


def test_where_no_right_leaf_is_among_the_first_the_best_takes_the_last_place() -> None:
    assert names(choose(found(False, False, False, False, True, True), 3)) == "014"


def test_what_may_be_right_is_left_out_and_not_replaced() -> None:
    assert names(choose(found(None, True, None, False, False), 4)) == "13"
    assert names(choose(found(None, False, None, True), 3)) == "13"


def test_without_a_right_leaf_there_is_nothing_to_learn() -> None:
    assert choose(found(False, None, False), 2) == ()
    assert choose([], 2) == ()


def test_a_pool_teaches_when_it_has_leaves_and_the_question_words() -> None:
    assert Pool("q", "who?", (1.0,), ("a",), (True,)).teaches
    assert not Pool("q", "who?", (1.0,), (), ()).teaches
    assert not Pool("q", "???", (), ("a",), (True,)).teaches


def test_a_pool_is_kept_as_it_is() -> None:
    pool = Pool("q1", "wie groß?", (0.25, 0.75), ("größer", "b"), (True, False))
    assert from_bytes(to_bytes(pool)) == pool
