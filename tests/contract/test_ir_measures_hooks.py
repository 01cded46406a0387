"""What we rely on in ir_measures and pytrec_eval: an upgrade that changes it fails here first (EVL-08)."""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path

import ir_measures
import pytest

CONSTRAINTS = (Path(__file__).parents[2] / "constraints.txt").read_text(encoding="utf-8")

GOLD = {"q1": {"a": 1, "b": 2}, "q2": {"c": 1}}
RUN = {"q1": {"a": -1.0, "x": -2.0, "b": -3.0}, "q2": {}}


@pytest.mark.parametrize("package", ["ir_measures", "pytrec_eval-terrier"])
def test_evl_08_the_library_of_measures_is_pinned_to_what_is_installed(package: str) -> None:
    (pinned,) = re.findall(rf"^{package}==(\S+)$", CONSTRAINTS, re.MULTILINE)
    assert pinned == metadata.version(package)


def values(*measures: str) -> dict[tuple[str, str], float]:
    parsed = [ir_measures.parse_measure(measure) for measure in measures]
    return {
        (found.query_id, str(found.measure)): found.value
        for found in ir_measures.iter_calc(parsed, GOLD, RUN)
    }


def test_evl_08_judgements_and_runs_are_given_as_mappings_and_values_come_one_a_question() -> None:
    found = values("R@1", "R@3", "RR", "AP", "Success@1")
    assert found["q1", "R@1"] == 0.5
    assert found["q1", "R@3"] == 1.0
    assert found["q1", "RR"] == 1.0
    # (1/1 + 2/3) / 2
    assert found["q1", "AP"] == pytest.approx((1 + 2 / 3) / 2, abs=1e-9)
    assert found["q1", "Success@1"] == 1.0


def test_evl_08_a_question_with_an_empty_ranking_has_the_value_0_and_does_not_disappear() -> None:
    found = values("nDCG@10", "R@5", "RR", "AP")
    assert [found["q2", name] for name in ("nDCG@10", "R@5", "RR", "AP")] == [0.0] * 4


def test_evl_08_ndcg_discounts_by_log2_and_gains_are_the_grades_themselves() -> None:
    from math import log2

    # Gains 1, 0, 2 against the best order 2, 1 (Järvelin & Kekäläinen 2002, as trec_eval has it).
    expected = (1 + 2 / log2(4)) / (2 + 1 / log2(3))
    assert values("nDCG@10")["q1", "nDCG@10"] == pytest.approx(expected, abs=1e-9)


def test_evl_08_higher_scores_stand_first() -> None:
    run = {"q1": {"b": 0.5, "a": 0.9}}
    (found,) = ir_measures.iter_calc([ir_measures.parse_measure("RR")], {"q1": {"a": 1}}, run)
    assert found.value == 1.0
