from __future__ import annotations

import json
from pathlib import Path

from eval.calibrate.document import provenance_of, write_calibration
from eval.calibrate.kinds import WEIGHTS
from eval.calibrate.measure import areas, operating_curve, scores_of
from eval.machine import Code
from prism.query.calibration import Calibration, Circumstances, Curve, load_calibration
from prism.settings import Settings
from tests.unit.eval.calibrate.observations import observed, seen

MADE_UNDER = Circumstances("mini@1", ("late_interaction",), "pca@1", None, 128, 48)
SET = observed(
    "xquad/en",
    [
        *seen("answerable", 0.9, on="a"),
        *seen("near", 0.5, on="a"),
        *seen("answerable", 0.8, on="b"),
        *seen("near", 0.1, on="b"),
    ],
)


def test_what_is_written_is_what_prism_reads(tmp_path: Path) -> None:
    curves = (Curve({"coverage": 4.25, "negated": -1.5}, -2.0), Curve({"coverage": 1.0 / 3.0}, 0.5))
    made = Calibration(curves, 0.375, MADE_UNDER, {"date": "today"})
    file = tmp_path / "deep" / "calibration.json"
    write_calibration(file, made, [], [])
    read = load_calibration(file)
    assert (read.threshold, read.made_under, read.provenance) == (0.375, MADE_UNDER, {"date": "today"})
    assert read.curves[0] == curves[0]
    assert read.curves[1].coefficients == {"coverage": 0.333333}
    assert [path.name for path in file.parent.iterdir()] == ["calibration.json"]


def test_the_file_tells_people_areas_and_thresholds(tmp_path: Path) -> None:
    made = Calibration((Curve({"x": 4.0}, -2.0),), 0.5, MADE_UNDER, {})
    points = operating_curve(scores_of(made, SET.observations), (0.5,), WEIGHTS)
    write_calibration(tmp_path / "c.json", made, areas(made, [SET], WEIGHTS), points)
    body = json.loads((tmp_path / "c.json").read_text(encoding="utf-8"))
    (own, _) = body["auroc"]
    assert (own["set"], own["fitted_on"]) == ("xquad/en", "other documents")
    assert (own["by_kind"]["near"]["mean"], own["by_kind"]["far"]) == (1.0, None)
    (point,) = body["operating_curve"]
    assert (point["passed"], point["refused"]["near"], point["refused"]["far"]) == (1.0, 0.5, None)


def test_provenance_names_code_settings_sets_and_what_was_to_be_reached() -> None:
    told = provenance_of(
        [SET],
        Settings(),
        Code("abc", True, "1"),
        target={"false_answer_rate": 0.15},
        weights=WEIGHTS,
        limit=300,
    )
    assert (told["commit"], told["dirty"], told["target"]) == ("abc", True, {"false_answer_rate": 0.15})
    assert told["settings"]["chunk"]["leaf_tokens"] == 128
    assert told["sets"] == [
        {
            "name": "xquad/en",
            "fingerprint": "f00d",
            "documents": 1400,
            "leaves": 2800,
            "questions": {"answerable": 2, "near": 2},
        }
    ]
    json.dumps(told)
