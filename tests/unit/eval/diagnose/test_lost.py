"""Where gold was lost, case by case; k is 5."""

from __future__ import annotations

import pytest

from eval.diagnose.lost import SETTINGS, WORDS, advise, count_losses, describe_losses, where_lost
from tests.unit.eval.diagnose.healthy import found_row, missed_row, stages_at
from tests.unit.eval.rows import make_passages, make_result, make_row


@pytest.mark.parametrize(
    ("ranks", "loss"),
    [
        # dense, keyword, fused, reranked, merged
        ((None, None, None, None, None), "search"),
        ((1, None, 8, 9, 9), "fusion"),
        ((None, 5, None, None, None), "fusion"),
        ((30, None, None, None, None), "fusion"),  # in no leg's reach, then not in the fused list at all
        ((1, 1, 1, 7, 8), "reranking"),
        ((8, 8, 2, 6, 6), "reranking"),
        ((8, 8, 9, None, None), "reranking"),
        ((1, 1, 1, 2, 6), "merging"),
        ((9, 9, 9, 3, None), "merging"),
        ((1, 1, 1, 1, 2), "crowding"),
        ((9, 9, 9, 9, 5), "crowding"),
        ((6, 12, 7, 6, 6), "depth"),
        ((1, 1, 9, 3, 8), "merging"),  # the last stage that had it in reach counts
    ],
)
def test_gold_is_lost_after_the_last_stage_that_had_it_in_reach(
    ranks: tuple[int | None, ...], loss: str
) -> None:
    assert where_lost(make_row(stages=stages_at(*ranks)), "a", 5) == loss


def test_stages_that_did_not_run_are_passed_over() -> None:
    stages = {"keyword": {"a": 2}, "fused": {"a": 2}, "merged": {"a": 9}}
    assert where_lost(make_row(stages=stages), "a", 5) == "merging"


def test_without_a_merged_list_the_rest_is_laid_to_merging() -> None:
    assert where_lost(make_row(stages={"dense": {"a": 2}, "fused": {"a": 2}}), "a", 5) == "merging"


def test_only_missed_gold_of_questions_that_ran_is_counted() -> None:
    rows = [
        found_row(1),
        missed_row(2, 9, 9, 9, 9, 9),
        missed_row(3, None, None, None, None, None, error="SearchError: disk gone"),
        missed_row(4, 9, 9, 9, 9, 9, unscorable="the page is missing"),
        missed_row(5, 9, 9, 9, 9, 9, stages={}),
        # Two gold units, one given.
        found_row(
            6,
            gold={"a": 1, "b": 1},
            stages=stages_at(1, None, 1, 1, 1) | {"dense": {"a": 1, "b": None}},
            passages=make_passages("a"),
        ),
    ]
    assert count_losses(rows, 5) == {"depth": 1, "search": 1}


def test_counts_in_words_the_largest_first() -> None:
    text = describe_losses({"fusion": 1, "search": 3})
    assert text == (
        "Gold units that were missed: 4, of them 3 in no search's list, 1 lost by fusing the two searches."
    )
    assert describe_losses({}) == ""


def test_advice_names_the_settings_of_the_largest_loss() -> None:
    result = make_result([], settings={"retrieval.k": 7, "rerank.kind": "none"})
    assert advise(result, {"depth": 2, "search": 1}) == ("retrieval.k (now 7), rerank.kind (now none)")
    assert advise(result, {}) == ""


def test_every_loss_has_words_and_settings() -> None:
    assert WORDS.keys() == SETTINGS.keys()
