"""Every measure can be explained."""

from __future__ import annotations

from eval.metrics.catalogue import CATALOGUE, describe
from eval.metrics.refusal import refusal
from eval.metrics.score import score
from tests.unit.eval.rows import make_row


def test_whatever_a_result_holds_is_in_the_catalogue() -> None:
    (row,) = score([make_row()])
    assert list(CATALOGUE) == [*row.metrics, *refusal(row)]


def test_names_are_unique_and_all_is_told_in_a_line() -> None:
    assert all(name == metric.name for name, metric in CATALOGUE.items())
    assert len({metric.title for metric in CATALOGUE.values()}) == len(CATALOGUE)
    assert all(metric.definition and "\n" not in metric.definition for metric in CATALOGUE.values())


def test_refusing_an_answerable_question_is_worse_the_more_often() -> None:
    assert CATALOGUE["ndcg@10"].higher_is_better is True
    assert CATALOGUE["wrongly_refused"].higher_is_better is False
    assert CATALOGUE["abstain_rate"].higher_is_better is None


def test_a_measure_of_another_version_keeps_its_name() -> None:
    assert describe("err@7").title == "err@7"
    assert describe("mrr") is CATALOGUE["mrr"]
