from __future__ import annotations

import numpy as np

from eval.calibrate.folds import FOLDS, folds_of, groups_of


def test_questions_that_share_a_document_are_one_group() -> None:
    assert groups_of([{"a"}, {"b"}, {"a"}, {"b"}, {"c"}]) == [0, 1, 0, 1, 4]


def test_a_question_on_two_documents_links_those_on_either() -> None:
    assert groups_of([{"a"}, {"b"}, {"a", "b"}, {"c"}, {"b"}]) == [0, 0, 0, 3, 0]
    chain = groups_of([{"a", "b"}, {"c", "d"}, {"b", "c"}, {"d"}, {"e"}])
    assert chain == [0, 0, 0, 0, 4]


def test_a_question_on_no_known_document_is_alone() -> None:
    assert groups_of([(), {"a"}, (), {"a"}]) == [0, 1, 2, 1]


def test_every_question_is_held_out_once_and_no_document_is_in_two_folds() -> None:
    random = np.random.default_rng(5)
    documents = [
        {f"d{number}" for number in random.integers(0, 60, size=random.integers(0, 3))} for _ in range(200)
    ]
    folds = folds_of(documents)
    assert len(folds) == FOLDS
    assert sorted(place for fold in folds for place in fold) == list(range(200))
    seen: set[str] = set()
    for fold in folds:
        here = set().union(*(documents[place] for place in fold))
        assert not here & seen
        seen |= here


def test_folds_are_about_as_large_as_each_other_and_the_same_every_time() -> None:
    documents = [{f"d{place // 3}"} for place in range(90)]
    folds = folds_of(documents)
    assert [len(fold) for fold in folds] == [18] * FOLDS
    assert folds == folds_of(documents)


def test_there_are_no_more_folds_than_documents_and_none_of_one() -> None:
    assert sorted(map(sorted, folds_of([{"a"}, {"b"}, {"a"}]))) == [[0, 2], [1]]
    assert folds_of([{"a"}, {"a"}]) == []
    assert folds_of([]) == []
