from __future__ import annotations

from eval.bootstrap import Estimate
from eval.calibrate.kinds import WEIGHTS
from eval.calibrate.measure import Area, operating_curve, scores_of
from eval.calibrate.table import calibration_tables, judged_table
from prism.query.calibration import Calibration, Curve
from tests.unit.eval.calibrate.observations import observed, seen

SETS = [
    observed("a|x", [*seen("answerable", 0.75, 0.25), *seen("near", 0.25), *seen("far", 0.0)]),
    observed("other", [*seen("answerable", 0.75), *seen("unanswerable", 0.5)]),
]
CALIBRATION = Calibration((Curve({"x": 4.0}, -2.0), Curve({"y": 1.0}, 0.25)), 0.45, None, {})
AREAS = [
    Area(
        "a|x",
        "other documents",
        {"unanswerable": Estimate(2 / 3, 0.5, 0.75), "near": None, "far": Estimate(1.0, 1.0, 1.0)},
    ),
    Area("other", "other sets", {"unanswerable": None, "near": None, "far": None}),
]


def lines() -> list[str]:
    everything = [each for item in SETS for each in item.observations]
    points = operating_curve(scores_of(CALIBRATION, everything), (0.1, 0.45), WEIGHTS)
    return calibration_tables(CALIBRATION, SETS, AREAS, points).splitlines()


def test_each_kind_has_its_column_and_gaps_are_shown_as_such() -> None:
    assert r"| a\|x | 1,400 | 2,800 | 2 | – | 1 | 1 |" in lines()
    assert (
        "| x | 0.30 / 0.75 / 0.75 | 0.50 / 0.50 / 0.50 | 0.25 / 0.25 / 0.25 | 0.00 / 0.00 / 0.00 |" in lines()
    )


def test_the_curves_are_written_out_in_the_order_they_are_tried() -> None:
    assert "- `4.00 · x −2.00`" in lines()
    assert "- where a feature of it is absent: `1.00 · y +0.25`" in lines()


def test_areas_have_intervals_and_say_what_their_curves_were_fitted_on() -> None:
    assert "| AUROC of | by curves fitted on | unanswerable | near | far |" in lines()
    assert r"| a\|x | other documents | 0.667 (0.500 to 0.750) | – | 1.000 (1.000 to 1.000) |" in lines()
    assert "| other | other sets | – | – | – |" in lines()


def test_the_chosen_threshold_stands_out() -> None:
    # x = .25 scores 1 / (1 + e) = .269, x = .5 scores .5 and x = .75 scores .731.
    assert "| **0.450** | 0.667 | 0.000 | 1.000 | 1.000 | 0.500 |" in lines()
    assert "| 0.10 | 1.000 | 0.000 | 0.000 | 0.000 | 1.000 |" in lines()


def test_a_judged_set_shows_counts_shares_and_intervals() -> None:
    scores = {"answerable": [0.9] * 9 + [0.1], "unanswerable": [0.2, 0.8], "near": [], "far": [0.1]}
    table = judged_table(0.5, {"mine": scores})
    assert "At threshold 0.500" in table
    assert (
        "| mine | 9/10 (90 %), 60 % to 98 % | 1/2 (50 %), 9 % to 91 % | – | 1/1 (100 %), 21 % to 100 % |"
        in table
    )
