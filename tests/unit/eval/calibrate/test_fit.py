from __future__ import annotations

import math

import pytest

from eval.calibrate.fit import (
    aligned,
    false_answer_rate,
    feature_names,
    fit_curve,
    passed_share,
    threshold_for_false_answers,
    threshold_for_passing,
    too_few,
)
from eval.calibrate.observe import Observation
from prism.errors import UsageError
from prism.query.calibration import Curve
from tests.unit.eval.calibrate.observations import seen

EVEN = {"answerable": 1.0, "unanswerable": 1.0, "near": 1.0, "far": 1.0}
SCORES = {
    "answerable": [0.9, 0.8, 0.6, 0.3],
    "unanswerable": [0.7, 0.2],
    "near": [0.5, 0.4],
    "far": [],
}


def odds(probability: float) -> float:
    return math.log(probability / (1 - probability))


def test_the_curve_gives_back_the_shares_it_was_fitted_to() -> None:
    # Of the questions with x = 0 one in four is answerable, of those with x = 1 three in four: by maximum
    # likelihood the bias is ln(1/3) and the slope ln(3) - ln(1/3).
    observations = [
        *seen("answerable", *[0.0] * 50, *[1.0] * 150),
        *seen("unanswerable", *[0.0] * 150, *[1.0] * 50),
    ]
    curve = fit_curve(observations, ["x"], EVEN)
    assert curve.bias == pytest.approx(-math.log(3), rel=0.01)
    assert curve.coefficients["x"] == pytest.approx(2 * math.log(3), rel=0.01)
    assert curve.judge({"x": 1.0}) == pytest.approx(0.75, abs=0.003)


def test_scale_and_shift_of_a_feature_do_not_change_the_curve() -> None:
    plain = [*seen("answerable", 0.2, 0.6, 0.9), *seen("near", 0.1, 0.3, 0.7)]
    scaled = [Observation(item.case_id, item.kind, {"x": 1000 * item.features["x"] - 5}) for item in plain]
    curve, other = fit_curve(plain, ["x"], EVEN), fit_curve(scaled, ["x"], EVEN)
    for value in (0.0, 0.4, 1.0):
        assert other.judge({"x": 1000 * value - 5}) == pytest.approx(curve.judge({"x": value}), abs=1e-4)


def test_a_question_counts_as_much_as_its_kind() -> None:
    # Two questions of weight a half are as much as one: even odds at x = 0.
    observations = [*seen("answerable", *[0.0] * 50), *seen("far", *[0.0] * 100)]
    curve = fit_curve(observations, ["x"], {**EVEN, "far": 0.5})
    assert curve.judge({"x": 0.0}) == pytest.approx(0.5, abs=1e-3)


def test_questions_that_lack_a_feature_are_left_out_of_its_curve() -> None:
    whole = [*seen("answerable", 0.2, 0.6, 0.9), *seen("near", 0.1, 0.3, 0.7)]
    lacking = [*whole, *seen("answerable", None, None), *seen("near", 0.0, feature="y")]
    assert fit_curve(lacking, ["x"], EVEN) == fit_curve(whole, ["x"], EVEN)


@pytest.mark.parametrize(
    "observations", [[], seen("answerable", 0.5), [*seen("answerable", 0.5), *seen("far", None)]]
)
def test_one_side_alone_gives_no_curve(observations: list[Observation]) -> None:
    with pytest.raises(UsageError, match="No curve over x"):
        fit_curve(observations, ["x"], EVEN)


def test_a_feature_that_says_nothing_gets_no_coefficient() -> None:
    curve = fit_curve([*seen("answerable", 0.5, 0.5), *seen("far", 0.5, 0.5)], ["x"], EVEN)
    assert curve.coefficients["x"] == pytest.approx(0.0, abs=1e-9)
    assert curve.judge({"x": 0.5}) == pytest.approx(0.5)


def test_features_that_nearly_all_questions_have_are_named() -> None:
    rows = [Observation(str(at), "near", {"b": 1.0, "a": 0.5 if at else None, "c": None}) for at in range(10)]
    assert feature_names(rows) == ("b", "a")
    assert feature_names([*rows, Observation("10", "near", {"b": 1.0}), *rows[:1]]) == ("b",)


def test_the_false_answer_rate_weighs_kinds_and_passes_at_the_threshold_itself() -> None:
    assert passed_share(SCORES["answerable"], 0.6) == 0.75
    assert passed_share([], 0.6) is None
    assert false_answer_rate(SCORES, 0.5, EVEN) == 2 / 4
    # 0.7 counts 1 of (1 + 1), 0.5 a half of (½ + ½).
    assert false_answer_rate(SCORES, 0.5, {**EVEN, "near": 0.5}) == pytest.approx(1.5 / 3)
    assert false_answer_rate(SCORES, 0.6, {**EVEN, "near": 0.5}) == pytest.approx(1 / 3)
    assert false_answer_rate({}, 0.6, EVEN) == 0.0


@pytest.mark.parametrize(
    ("most", "threshold"),
    [(1.0, 0.25), (0.75, 0.25), (0.5, 0.55), (0.25, 0.55), (0.0, 0.75)],
)
def test_the_threshold_for_so_many_false_answers_refuses_what_costs_no_right_one(
    most: float, threshold: float
) -> None:
    # Levels: .2 .3 .4 .5 .6 .7 .8 .9. At most a half of the four others pass from .5 up, and so do three of
    # the answerable, which they do up to .6: the threshold is half-way between .5 and .6.
    assert threshold_for_false_answers(SCORES, most, EVEN) == pytest.approx(threshold)
    assert false_answer_rate(SCORES, threshold, EVEN) <= most


@pytest.mark.parametrize(("least", "threshold"), [(1.0, 0.25), (0.75, 0.55), (0.5, 0.75), (0.25, 0.85)])
def test_the_highest_threshold_for_so_many_passing(least: float, threshold: float) -> None:
    assert threshold_for_passing(SCORES, least) == pytest.approx(threshold)


def test_without_scores_the_threshold_lets_nothing_through_or_everything() -> None:
    assert threshold_for_false_answers({}, 0.1, EVEN) == 1.0
    assert threshold_for_passing({}, 0.9) == 0.0


def test_a_further_curve_is_moved_until_the_same_threshold_passes_the_same_share() -> None:
    # Of four answerable questions three have x >= 2: the cut that passes them lies half-way, at x = 1.5 in
    # probability, which the move puts at the threshold.
    observations = [*seen("answerable", 1.0, 2.0, 3.0, 4.0), *seen("unanswerable", 0.0)]
    curve = Curve({"x": 1.0}, 5.0)
    moved = aligned(curve, observations, 0.2, 0.75)
    assert moved.coefficients == curve.coefficients
    assert [moved.judge({"x": x}) >= 0.2 for x in (1.0, 2.0, 3.0, 4.0)] == [False, True, True, True]
    own = (curve.judge({"x": 1.0}) + curve.judge({"x": 2.0})) / 2
    assert moved.bias == pytest.approx(5.0 + odds(0.2) - odds(own))


def test_a_curve_without_any_cut_stays_as_it_was() -> None:
    curve = Curve({"x": 1.0}, 0.0)
    assert aligned(curve, seen("unanswerable", 1.0), 0.2, 0.9) == curve


def test_a_curve_wants_ten_questions_a_feature_on_its_smaller_side() -> None:
    enough = [*seen("answerable", *[0.5] * 30), *seen("near", *[0.5] * 6), *seen("unanswerable", *[0.5] * 4)]
    assert not too_few(enough, ("x",))
    assert too_few(enough[:-1], ("x",)).startswith("9 questions")
    # Those without the feature take no part in its curve.
    assert too_few([*enough[:-1], *seen("unanswerable", None)], ("x",)).startswith("9 questions")
