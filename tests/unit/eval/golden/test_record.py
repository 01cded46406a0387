"""From trace and answer to a golden trace."""

from __future__ import annotations

from dataclasses import replace

import pytest

from eval.golden.fragile import TOP
from eval.golden.questions import Question
from eval.golden.record import Observed, fit_to_record, freeze
from eval.golden.types import Place, Row
from prism import UsageError
from tests.unit.eval.golden.traces import GOLDEN, PARENT, PLACES, B, C, answer, body, hit, line

LIMIT = Question("limit", "limit?", "fixed")


def test_a_trace_is_frozen_by_ranks_and_places() -> None:
    assert freeze(LIMIT, body(), answer(), PLACES) == GOLDEN


def test_a_tie_shares_the_rank_of_its_first_in_the_order_of_places_whatever_the_ids() -> None:
    keyword = freeze(LIMIT, body(), answer(), PLACES).legs[1]
    swapped = {**PLACES, "b": PLACES["c"], "c": PLACES["b"]}
    assert keyword.hits[1:] == (Row(2, B), Row(2, C))
    assert freeze(LIMIT, body(), answer(), swapped).legs[1] == keyword


def test_a_tie_at_the_last_recorded_rank_is_recorded_whole() -> None:
    trace = body()
    scores = [9.0 - rank for rank in range(1, TOP)] + [1.0, 1.0, 0.5]
    trace["legs"][1]["hits"] = [hit(f"k{rank}", rank, score) for rank, score in enumerate(scores, start=1)]
    places = PLACES | {f"k{rank}": Place("k.txt", 0, rank, rank + 1) for rank in range(1, TOP + 3)}
    hits = freeze(LIMIT, trace, answer(), places).legs[1].hits
    assert [row.rank for row in hits] == [*range(1, TOP), TOP, TOP]
    assert [row.place.start for row in hits] == [*range(1, TOP + 2)]


def test_the_rank_of_a_passage_is_the_number_the_trace_gives_it() -> None:
    trace = body()
    trace["passages"][0]["rank"] = 2
    assert freeze(LIMIT, trace, answer(), PLACES).passages[0] == Row(2, PARENT)


def test_a_reranked_list_is_recorded_where_there_is_one() -> None:
    trace = body() | {"reranked": [line("b", 1, 0.9, 3, 3), line("c", 2, 0.1, None, 2)]}
    assert freeze(LIMIT, trace, answer(), PLACES).reranked == (Row(1, B), Row(2, C))


def test_a_node_that_no_look_has_shown_is_recorded_as_unknown() -> None:
    trace = body()
    trace["legs"][0]["hits"][0]["node_id"] = "new"
    place = freeze(LIMIT, trace, answer(), PLACES).legs[0].hits[0].place
    assert (place.document, place.edition) == ("node new", "unknown")


def test_sound_traces_are_fit_to_record_in_their_order() -> None:
    other = replace(GOLDEN, question_id="other")
    assert fit_to_record([Observed(other, ()), Observed(GOLDEN, ())]) == (other, GOLDEN)


def test_one_fragile_trace_refuses_all_by_name_and_with_the_next_step() -> None:
    with pytest.raises(UsageError) as refused:
        fit_to_record([Observed(GOLDEN, ("passages 1 and 2 tie", "so does the gate"))])
    assert str(refused.value).splitlines()[1:] == [
        "  limit: passages 1 and 2 tie",
        "  limit: so does the gate",
        "Reword the questions in eval/golden/questions.py, or mend the index where it is stale.",
    ]
