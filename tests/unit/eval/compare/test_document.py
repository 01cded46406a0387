"""The comparison as JSON values."""

from __future__ import annotations

import json

import pytest

from eval.compare.comparison import compare
from eval.compare.document import as_document
from eval.outcome.row import Row
from tests.unit.eval.rows import make_result, make_row


def rows(rank: int, count: int = 7) -> list[Row]:
    return [
        make_row(
            f"q{number}",
            question="शुल्क क्या है?",
            ranking=(*"xyzuvw"[: rank - 1], "a"),
            stages={"dense": {"a": rank}},
            abstained=rank > 1,
        )
        for number in range(count)
    ]


COMPARISON = compare(make_result(rows(2), name="old"), make_result(rows(1, 6), name="new", k=7))


def test_numbers_of_a_measure() -> None:
    found = as_document(COMPARISON)["metrics"]["mrr"]
    assert (found["a"], found["b"], found["difference"]) == (0.5, 1.0, 0.5)
    assert (found["low"], found["high"], found["verdict"]) == (0.5, 0.5, "better")
    assert found["questions"] == 6


def test_what_differs_and_who_was_asked() -> None:
    document = as_document(COMPARISON)
    assert document["differences"] == [{"name": "passages given (k)", "a": "5", "b": "7"}]
    assert document["questions"] == {"both": 6, "only_a": ["q6"], "only_b": []}
    assert (document["a"]["name"], document["b"]["k"]) == ("old", 7)
    assert document["refused_by_a_alone"] == [f"q{number}" for number in range(6)]


def test_changed_questions_with_both_rankings() -> None:
    document = as_document(COMPARISON)
    assert (document["changed"], document["changed_by"]) == (6, "ndcg@10")
    assert (len(document["worse"]), len(document["better"])) == (0, 5)
    assert len(as_document(COMPARISON, shows_all=True)["better"]) == 6
    change = document["better"][0]
    assert (change["question"], change["gained"], change["lost"]) == ("शुल्क क्या है?", [1], [])
    assert change["a"]["ranking"] == [{"unit": "x", "gold": False}, {"unit": "a", "gold": True}]
    assert change["a"]["stages"] == {"dense": {"a": 2}}
    assert change["a"]["value"] == pytest.approx(0.6309297535714575)  # 1 / log2(3)
    assert change["b"]["value"] == 1.0


def test_it_is_json_without_nan() -> None:
    json.dumps(as_document(COMPARISON, shows_all=True), allow_nan=False)
