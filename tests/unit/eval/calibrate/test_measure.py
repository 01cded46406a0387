from __future__ import annotations

import pytest

from eval.calibrate.kinds import WEIGHTS
from eval.calibrate.measure import ALL_SETS, Observed, areas, operating_curve, point_at, scores_of
from prism.query.calibration import Calibration, Curve
from tests.unit.eval.calibrate.observations import observed, seen

RISING = Calibration((Curve({"x": 4.0}, -2.0),), 0.5, None, {})
ONE = observed("one", [*seen("answerable", 0.9, 0.4), *seen("near", 0.5, 0.1), *seen("far", 0.0)])


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


def near_areas(calibration: Calibration, *sets: Observed) -> dict[tuple[str, str], float | None]:
    """The areas against near questions, by set and by what the curves were fitted on."""
    found = areas(calibration, sets, WEIGHTS)
    told = {(area.set, area.fitted_on): area.by_kind["near"] for area in found}
    assert len(told) == len(found)
    return {key: estimate and estimate.mean for key, estimate in told.items()}


def alike(name: str) -> Observed:
    """Two documents that say the same: a high x is answerable."""
    return observed(
        name,
        [
            *seen("answerable", 0.9, 0.8, on=f"{name}/a"),
            *seen("near", 0.3, 0.1, on=f"{name}/a"),
            *seen("answerable", 0.85, 0.4, on=f"{name}/b"),
            *seen("near", 0.5, 0.2, on=f"{name}/b"),
        ],
    )


def test_areas_are_told_by_set_and_over_all_by_curves_that_have_not_seen_the_questions() -> None:
    told = near_areas(RISING, alike("one"), alike("two"))
    # One of 4 · 4 pairs, .4 against .5, is the wrong way round; in both sets together 4 of 64.
    assert told == {
        ("one", "other documents"): pytest.approx(15 / 16),
        ("two", "other documents"): pytest.approx(15 / 16),
        ("one", "other sets"): pytest.approx(15 / 16),
        ("two", "other sets"): pytest.approx(15 / 16),
        (ALL_SETS, "other documents"): pytest.approx(15 / 16, abs=0.02),
    }
    assert areas(RISING, [ONE], WEIGHTS)[0].by_kind["unanswerable"] is None


def test_the_questions_on_one_document_do_not_teach_the_curve_that_judges_them() -> None:
    # On a document x tells all, but the other one says the contrary. Dealt one by one, the questions would
    # teach each other a flat curve; by documents each is judged by what is wrong for it.
    contrary = observed(
        "set",
        [
            *seen("answerable", 0.9, 0.8, on="a"),
            *seen("near", 0.2, 0.1, on="a"),
            *seen("answerable", 0.1, 0.2, on="b"),
            *seen("near", 0.8, 0.9, on="b"),
        ],
    )
    assert near_areas(RISING, contrary) == {
        ("set", "other documents"): 0.0,
        (ALL_SETS, "other documents"): 0.0,
    }


def test_near_questions_are_held_out_with_the_answerable_ones_they_are_made_of() -> None:
    every = alike("set").observations
    assert {item.documents for item in every if item.kind == "near"} == {
        item.documents for item in every if item.kind == "answerable"
    }
    one_document = observed("set", [item for item in every if item.documents == ("set/a",)])
    assert near_areas(RISING, one_document) == {
        ("set", "other documents"): None,
        (ALL_SETS, "other documents"): None,
    }


def test_where_the_other_documents_teach_nothing_no_area_is_told() -> None:
    apart = observed("set", [*seen("answerable", 0.9, 0.8, on="a"), *seen("near", 0.2, 0.1, on="b")])
    assert near_areas(RISING, apart)["set", "other documents"] is None


def test_a_set_that_is_held_out_is_judged_by_what_the_others_teach() -> None:
    # On its own the second set says that a low x is answerable; the first says the contrary.
    contrary = observed("contrary", [*seen("answerable", 0.1, 0.2), *seen("near", 0.8, 0.9)])
    assert near_areas(RISING, ONE, contrary)["contrary", "other sets"] == 0.0


def test_one_set_alone_has_no_other_sets() -> None:
    assert {area.fitted_on for area in areas(RISING, [ONE], WEIGHTS)} == {"other documents"}
