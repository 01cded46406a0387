"""What is not fit to be recorded: each weakness alone in an otherwise sound trace."""

from __future__ import annotations

from typing import Any

import pytest

from eval.golden.fragile import TOP, weaknesses
from tests.unit.eval.golden.traces import GONE, PLACES, body, hit, line


def test_a_sound_trace_has_no_weakness_although_two_keyword_scores_tie() -> None:
    assert weaknesses(body(), PLACES) == []


def test_close_cosines_are_one() -> None:
    trace = body()
    trace["legs"][0]["hits"][1]["score"] = 0.40001
    assert weaknesses(trace, PLACES) == ["dense leg ('limit?'), ranks 2 and 3: scores 0.40001 and 0.4"]


def test_cosines_a_little_further_apart_are_none() -> None:
    trace = body()
    trace["legs"][0]["hits"][1]["score"] = 0.40005
    assert weaknesses(trace, PLACES) == []


def test_equal_cosines_are_one_and_equal_bm25_scores_none() -> None:
    trace = body()
    trace["legs"][0]["hits"][1]["score"] = 0.4
    assert weaknesses(trace, PLACES) == ["dense leg ('limit?'), ranks 2 and 3: scores 0.4 and 0.4"]


def test_close_bm25_scores_are_one() -> None:
    trace = body()
    trace["legs"][1]["hits"][1]["score"] = 3.0001
    assert weaknesses(trace, PLACES) == ["keyword leg ('limit?'), ranks 2 and 3: scores 3.0001 and 3.0"]


def deep(used: int | None) -> dict[str, Any]:
    """The dense leg reaches down to rank 30; 24 and 25 are close; the fused list rests on rank `used`."""
    trace = body()
    scores = {rank: 0.9 - rank / 100 for rank in range(1, 31)}
    scores[25] = scores[24] - 1e-6
    trace["legs"][0]["hits"] = [hit(f"d{rank}", rank, score) for rank, score in scores.items()]
    trace["fused"].append(line("b", 5, 0.001, used, None))
    return trace


def test_close_scores_deeper_than_recorded_count_where_the_fused_list_rests_on_them() -> None:
    places = PLACES | {f"d{rank}": PLACES["a"] for rank in range(1, 31)}
    assert TOP < 24
    assert weaknesses(deep(used=None), places) == weaknesses(deep(used=20), places) == []
    assert len(weaknesses(deep(used=24), places)) == len(weaknesses(deep(used=25), places)) == 1


def test_equal_rank_credit_is_none_and_close_sums_of_scores_are_one() -> None:
    trace = body()
    trace["fused"][2]["score"] = trace["fused"][3]["score"]
    assert weaknesses(trace, PLACES) == []
    trace["fusion"]["kind"] = "min_max"
    assert len(weaknesses(trace, PLACES)) == 1


def test_close_rerank_scores_are_one() -> None:
    trace = body()
    trace["reranked"] = [line("a", 1, 0.9, 1, 1), line("b", 2, 0.5, 3, 3), line("f", 3, 0.49999, 2, None)]
    assert weaknesses(trace, PLACES) == ["reranked, ranks 2 and 3: scores 0.5 and 0.49999"]


def test_passages_of_equal_score_are_one() -> None:
    trace = body()
    trace["merged"][0]["score"] = trace["merged"][1]["score"]
    assert weaknesses(trace, PLACES) == [
        f"passages 1 and 2 have the same score, {trace['merged'][1]['score']}"
    ]


def test_a_tie_at_the_cut_to_k_is_one() -> None:
    trace = body()
    trace["fused"][3]["score"] = trace["merged"][1]["score"]
    assert weaknesses(trace, PLACES) == [
        f"the last passage and the first left out have the same score, {trace['merged'][1]['score']}"
    ]


def test_what_was_dropped_as_a_copy_is_not_left_out() -> None:
    trace = body()
    trace["fused"][3]["score"] = trace["merged"][1]["score"]
    trace["dropped"] = ["c"]
    assert weaknesses(trace, PLACES) == []


@pytest.mark.parametrize("score", [0.245, 0.255])
def test_a_gate_score_next_to_the_threshold_is_one(score: float) -> None:
    trace = body()
    trace["gate"]["score"] = score
    assert weaknesses(trace, PLACES) == [f"the gate's score {score} is next to its threshold 0.25"]


def test_what_should_be_gone_is_one_once() -> None:
    trace = body()
    trace["legs"][1]["hits"].append(hit("g", 4, 1.0))
    trace["fused"].append(line("g", 5, 0.4 / 64, None, 4))
    assert weaknesses(trace, PLACES) == [f"{GONE} was found, which should be gone: the index is stale"]


def test_nothing_found_is_no_weakness() -> None:
    trace = body() | {"legs": [], "fused": [], "merged": [], "passages": []}
    assert weaknesses(trace, PLACES) == []
