from __future__ import annotations

import pytest
from sklearn.metrics import roc_auc_score

from eval.calibrate.fit import fit_curve
from eval.calibrate.kinds import WEIGHTS
from eval.calibrate.measure import ALL_SETS, areas, operating_curve, point_at, scores_of
from prism.query.calibration import Calibration, Curve
from tests.unit.eval.calibrate.observations import observed, seen

RISING = Calibration((Curve({"x": 4.0}, -2.0),), 0.5, None, {})
ONE = observed("one", [*seen("answerable", 0.9, 0.4), *seen("near", 0.5, 0.1), *seen("far", 0.0)])
TWO = observed("two", [*seen("answerable", 0.8), *seen("near", 0.2)])


def test_scores_are_the_probabilities_of_the_calibration_by_kind() -> None:
    scores = scores_of(RISING, ONE.observations)
    assert scores["answerable"] == [RISING.judge({"x": 0.9}), RISING.judge({"x": 0.4})]
    assert (len(scores["near"]), len(scores["far"]), scores["unanswerable"]) == (2, 1, [])


def test_a_point_tells_what_passes_of_the_answerable_and_is_refused_of_the_rest() -> None:
    scores = {"answerable": [0.9, 0.4], "unanswerable": [], "near": [0.6, 0.2, 0.1], "far": [0.1]}
    point = point_at(scores, 0.5, {**WEIGHTS, "near": 1.0, "far": 1.0})
    assert (point.threshold, point.passed, point.false_answer_rate) == (0.5, 0.5, 0.25)
    assert point.refused == {"unanswerable": None, "near": pytest.approx(2 / 3), "far": 1.0}


def test_the_operating_curve_ascends_and_names_each_threshold_once() -> None:
    points = operating_curve(scores_of(RISING, ONE.observations), (0.5, 0.1, 0.5, 0.9), WEIGHTS)
    assert [point.threshold for point in points] == [0.1, 0.5, 0.9]
    assert sorted((point.passed for point in points), reverse=True) == [point.passed for point in points]


def test_areas_are_told_by_set_with_the_curve_of_the_others_and_over_all() -> None:
    found = areas(RISING, [ONE, TWO], WEIGHTS)
    assert [(area.set, area.is_held_out) for area in found] == [
        ("one", False),
        ("two", False),
        ("one", True),
        ("two", True),
        (ALL_SETS, False),
    ]
    near = found[-1].by_kind["near"]
    assert near is not None
    assert near.mean == pytest.approx(roc_auc_score([1, 1, 1, 0, 0, 0], [0.9, 0.4, 0.8, 0.5, 0.1, 0.2]))
    assert found[0].by_kind["unanswerable"] is None


def test_a_set_that_is_held_out_is_judged_by_what_the_others_teach() -> None:
    # On its own the second set says that a low x is answerable; the first says the contrary.
    contrary = observed("contrary", [*seen("answerable", 0.1, 0.2), *seen("near", 0.8, 0.9)])
    fitted = Calibration((fit_curve(contrary.observations, ["x"], WEIGHTS),), 0.5, None, {})
    whole = {
        (area.set, area.is_held_out): area.by_kind["near"] for area in areas(fitted, [ONE, contrary], WEIGHTS)
    }
    inside, outside = whole["contrary", False], whole["contrary", True]
    assert inside is not None
    assert outside is not None
    assert (inside.mean, outside.mean) == (1.0, 0.0)


def test_one_set_alone_cannot_be_held_out() -> None:
    assert [area.is_held_out for area in areas(RISING, [ONE], WEIGHTS)] == [False, False]
