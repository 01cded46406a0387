"""Rows get their values, and only those."""

from __future__ import annotations

from dataclasses import replace

from eval.metrics.catalogue import PER_QUESTION
from eval.metrics.score import score
from tests.unit.eval.rows import make_passages, make_row


def test_every_measure_of_the_catalogue_is_filled() -> None:
    row = make_row(ranking=("x", "a"), passages=make_passages("", "a"))
    (scored,) = score([row])
    assert list(scored.metrics) == [metric.name for metric in PER_QUESTION]
    assert replace(scored, metrics={}) == row
    # Gold at rank 2, and in the second of two passages.
    picked = {
        name: scored.metrics[name]
        for name in ("mrr", "hit@1", "recall@3", "precision@5", "context_precision", "context_recall")
    }
    assert picked == {
        "mrr": 0.5,
        "hit@1": 0.0,
        "recall@3": 1.0,
        "precision@5": 0.2,
        "context_precision": 0.5,
        "context_recall": 1.0,
    }
    assert scored.metrics["expected@5"] is None


def test_unscorable_rows_stay_without_values() -> None:
    rows = score([make_row("q1", unscorable="the page is missing"), make_row("q2", gold={})])
    assert [row.question_id for row in rows] == ["q1", "q2"]
    assert all(set(row.metrics.values()) == {None} for row in rows)


def test_a_question_that_failed_is_0_not_gone() -> None:
    (row,) = score([make_row(ranking=("a",), passages=make_passages("a"), error="SearchError: disk gone")])
    assert {row.metrics[metric.name] for metric in PER_QUESTION} == {0.0, None}
    assert row.metrics["ndcg@10"] == 0.0


def test_scoring_again_changes_nothing() -> None:
    once = score([make_row(ranking=("x", "a"))])
    assert score(once) == once


def test_no_rows() -> None:
    assert score([]) == ()
