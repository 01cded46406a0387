"""Recall and precision of what is given, low or not."""

from __future__ import annotations

from eval.diagnose.coverage import diagnose_coverage
from eval.diagnose.diagnose import diagnose
from tests.unit.eval.diagnose.healthy import found_row, missed_row, names_of, stages_at
from tests.unit.eval.rows import make_passages, make_result

MANY = dict.fromkeys("abcd", 1)
COUNT = 60


def test_right_but_too_little_is_a_narrow_pool() -> None:
    # Of four gold units one is given, first: recall 1/4, precision 1. The others are at rank 9 throughout.
    stages = {stage: {"a": 1, "b": 9, "c": 9, "d": 9} for stage in stages_at(1, 1, 1, 1, 1)}
    rows = [
        found_row(number, gold=MANY, stages=stages, ranking=(*"axyzuvwp", *"bcd")) for number in range(COUNT)
    ]
    (finding,) = diagnose(make_result(rows, settings={"retrieval.k": 5}))
    assert finding.name == "narrow"
    assert "context recall is 0.25, context precision 1.00" in finding.says
    assert "Gold units that were missed: 180, of them 180 too deep at every stage." in finding.says
    assert "retrieval.retrieve_k (now 40, the default), retrieval.k (now 5)" in finding.advice


def test_all_found_behind_other_passages_is_noise() -> None:
    # The only gold comes third: recall 1, precision 1/3.
    rows = [
        found_row(number, ranking=("x", "y", "a"), passages=make_passages("", "", "a"))
        for number in range(COUNT)
    ]
    (finding,) = diagnose(make_result(rows))
    assert finding.name == "noise"
    assert "context recall is 1.00, context precision 0.33" in finding.says
    for name in ("rerank.kind", "retrieval.max_per_document", "retrieval.k"):
        assert name in finding.advice


def test_neither_found_nor_right_tells_where_gold_was_lost() -> None:
    rows = [
        *(found_row(number) for number in range(20)),
        *(missed_row(number, None, None, None, None, None) for number in range(20, 50)),
        *(missed_row(number, 1, 2, 9, 9, 9) for number in range(50, 60)),
    ]
    (finding,) = diagnose(make_result(rows))
    assert finding.name == "not_found"
    assert "context recall is 0.33, context precision 0.33" in finding.says
    assert "missed: 40, of them 30 in no search's list, 10 lost by fusing the two searches." in finding.says
    assert "models.embedder.path" in finding.advice
    assert "chunk.leaf_tokens" in finding.advice


def test_advice_follows_the_largest_loss() -> None:
    rows = [
        *(found_row(number) for number in range(20)),
        *(missed_row(number, 1, 1, 1, 9, 9) for number in range(20, 60)),
    ]
    (finding,) = diagnose(make_result(rows))
    assert "rerank.kind" in finding.advice
    assert "models.embedder.path" not in finding.advice


def test_just_good_enough_is_no_finding() -> None:
    # Context recall 42 of 60 = 0.7; context precision the same.
    rows = [
        *(found_row(number) for number in range(42)),
        *(missed_row(number, 9, 9, 9, 9, 9) for number in range(42, 60)),
    ]
    assert names_of(rows) == []


def test_results_without_stages_or_metrics_are_no_trouble() -> None:
    rows = [missed_row(number, 9, 9, 9, 9, 9, stages={}) for number in range(COUNT)]
    assert names_of(rows) == ["not_found"]
    assert list(diagnose_coverage(make_result(rows, metrics={}))) == []
