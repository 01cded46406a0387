"""A row keeps what it says as JSON, and tells whether it is scored."""

from __future__ import annotations

import json

import pytest

from eval.outcome.row import Row, Seen, from_json, to_json
from tests.unit.eval.rows import make_row

ROW = Row(
    question_id="h1",
    question="शुल्क कितना है?",
    kind="table",
    language="hi",
    answerable=True,
    gold={"a.txt@0-4": 2},
    ranking=("b", "a.txt@0-4"),
    stages={"dense": {"a.txt@0-4": 2}, "keyword": {"a.txt@0-4": None}},
    passages=(Seen(1, "a.txt", ("iv", "1"), 0, 4, 7, ("a.txt@0-4",), None),),
    abstained=False,
    gate_score=0.25,
    timings_ms={"retrieve": 1.25, "total": 1.25},
    metrics={"ndcg@10": 0.5, "map": None},
    names_expected=True,
)


@pytest.mark.parametrize("row", [ROW, make_row(), make_row(error="SearchError: x", unscorable="gone")])
def test_a_row_comes_back_from_json_as_it_was(row: Row) -> None:
    assert from_json(json.loads(json.dumps(to_json(row)))) == row


def test_json_that_is_no_row_is_an_error() -> None:
    with pytest.raises(KeyError):
        from_json({})
    with pytest.raises(TypeError):
        from_json({**to_json(ROW), "more": 1})


@pytest.mark.parametrize(
    ("row", "is_scored"),
    [
        (make_row(), True),
        (make_row(error="SearchError: x"), True),
        (make_row(gold={}), False),
        (make_row(unscorable="its document is gone"), False),
    ],
)
def test_a_row_is_scored_where_it_has_gold_that_is_there(row: Row, is_scored: bool) -> None:
    assert row.is_scored is is_scored


@pytest.mark.parametrize("name", ["gold", "stages", "timings_ms", "metrics"])
def test_a_row_edited_by_hand_is_refused_where_it_is_none(name: str) -> None:
    with pytest.raises(TypeError, match=name):
        from_json({**to_json(make_row()), name: None})
