"""Where gold stands, counted by hand."""

from __future__ import annotations

import pytest

from eval.report.ranks import BUCKETS, gold_ranks
from tests.unit.eval.report.results import ROWS, make_row


def at(rank: int | None) -> dict[str, dict[str, int | None]]:
    return {"fused": {"a": rank}}


@pytest.mark.parametrize(
    ("rank", "bucket"),
    [(1, 0), (2, 1), (3, 1), (4, 2), (5, 2), (6, 3), (10, 3), (11, 4), (20, 4), (21, 5), (5000, 5)],
)
def test_rank_falls_into_its_bucket(rank: int, bucket: int) -> None:
    (fused,) = gold_ranks([make_row(stages=at(rank))])
    assert fused.counts == tuple(int(place == bucket) for place in range(len(BUCKETS)))
    assert (fused.found, fused.absent, fused.units) == (1, 0, 1)


def test_hand_made_questions_are_counted_stage_by_stage() -> None:
    # Scored: q1 to q6 and q10. dense: q1, q2, q10 at 1, q3 at 2, q4 at 7, q5 and the failed q6 absent.
    # keyword did not run for q5 (Hindi): q1, q2, q10 at 1, q4 at 15, q3 and q6 absent.
    dense, keyword, fused, reranked, merged = gold_ranks(ROWS)
    assert [item.stage for item in (dense, keyword)] == ["dense", "keyword"]
    assert (dense.counts, dense.absent) == ((3, 1, 0, 1, 0, 0), 2)
    assert (keyword.counts, keyword.absent, keyword.units) == ((3, 0, 0, 0, 1, 0), 2, 6)
    # fused and reranked are given for q1, q2, q10 only; the failed q6 counts there too.
    assert (fused.counts, fused.absent) == (reranked.counts, reranked.absent) == ((3, 0, 0, 0, 0, 0), 1)
    # merged: q3 at 2, q4 at 3.
    assert (merged.counts, merged.absent) == ((3, 2, 0, 0, 0, 0), 2)


def test_each_unit_of_a_question_counts_and_grade_nought_does_not() -> None:
    row = make_row(gold={"a": 2, "b": 1, "c": 0}, stages={"merged": {"a": 1, "b": None, "c": 3}})
    (merged,) = gold_ranks([row])
    assert (merged.found, merged.absent) == (1, 1)


def test_unit_that_a_stage_does_not_mention_is_absent() -> None:
    (merged,) = gold_ranks([make_row(stages={"merged": {}})])
    assert (merged.found, merged.absent) == (0, 1)


def test_without_scored_questions_there_are_no_stages() -> None:
    assert gold_ranks([]) == ()
    assert gold_ranks([make_row(unscorable="nowhere"), make_row(gold={})]) == ()
