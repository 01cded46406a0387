from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from prism.errors import SettingsError
from prism.query.calibration import (
    BY_COVERAGE,
    KNOWN_FEATURES,
    Calibration,
    Circumstances,
    Curve,
    in_force,
    load_calibration,
)
from prism.query.evidence import features
from prism.settings import Settings, overlay_settings

NOW = Circumstances("mini@1", ("late_interaction",), "pca-64@1", None, 128, 48)
BODY: dict[str, Any] = {
    "schema_version": 1,
    "curves": [
        {"coefficients": {"cosine": 4.0, "coverage": 2.0}, "bias": -3.0},
        {"coefficients": {"coverage": 4.0}, "bias": -2.0},
    ],
    "threshold": 0.4,
    "made_under": {
        "embedder": "mini@1",
        "rerank": ["late_interaction"],
        "token_recipe": "pca-64@1",
        "cross_encoder": None,
        "leaf_tokens": 128,
        "context_tokens": 48,
    },
    "provenance": {"date": "2026-01-01", "commit": "abc"},
}


@pytest.fixture
def calibration(tmp_path: Path) -> Calibration:
    return load_calibration(written(tmp_path, BODY))


def written(folder: Path, body: object) -> Path:
    file = folder / "calibration.json"
    file.write_text(json.dumps(body), encoding="utf-8")
    return file


def curve(coefficients: object, bias: object = 0.0) -> dict[str, Any]:
    return {"curves": [{"coefficients": coefficients, "bias": bias}]}


def test_features_become_a_probability_by_the_logistic_curve(calibration: Calibration) -> None:
    # 4 · 0.5 + 2 · 0.5 - 3 = 0; a step of 0.25 in cosine adds 1 to the logit.
    assert calibration.judge({"cosine": 0.5, "coverage": 0.5}) == 0.5
    assert calibration.judge({"cosine": 0.75, "coverage": 0.5}) == pytest.approx(1 / (1 + math.exp(-1)))
    assert calibration.judge({"cosine": 0.25, "coverage": 0.5}) == pytest.approx(1 / (1 + math.exp(1)))


def test_features_that_no_curve_knows_change_nothing(calibration: Calibration) -> None:
    assert calibration.judge({"cosine": 0.5, "coverage": 0.5, "length": 9.0, "other": None}) == 0.5


def test_without_a_feature_the_next_curve_decides(calibration: Calibration) -> None:
    # 4 · 0.5 - 2 = 0
    assert calibration.judge({"cosine": None, "coverage": 0.5}) == 0.5
    assert calibration.judge({"coverage": 0.75}) == pytest.approx(1 / (1 + math.exp(-1)))


def test_with_nothing_known_nothing_can_be_answered(calibration: Calibration) -> None:
    assert calibration.judge({"cosine": 0.9}) == 0.0
    assert calibration.judge({}) == 0.0


@pytest.mark.parametrize(("feature", "probability"), [(1e9, 1.0), (-1e9, 0.0)])
def test_no_feature_is_too_large(feature: float, probability: float) -> None:
    assert Curve({"x": 1.0}, 0.0).judge({"x": feature}) == probability


def test_a_calibration_is_read_with_its_threshold_and_provenance(calibration: Calibration) -> None:
    assert calibration.threshold == 0.4
    assert calibration.made_under == NOW
    assert calibration.provenance == {"date": "2026-01-01", "commit": "abc"}


def test_it_holds_under_the_models_it_was_made_with(calibration: Calibration) -> None:
    assert calibration.differences(NOW) == ()
    assert in_force(calibration, NOW) == (calibration, None)


def test_under_other_models_coverage_decides_and_a_notice_says_why(calibration: Calibration) -> None:
    now = replace(NOW, embedder="other@2", rerank=(), token_recipe=None)
    assert calibration.differences(now) == (
        "embedder mini@1, now other@2",
        "rerank late_interaction, now none",
        "token recipe pca-64@1, now none",
    )
    used, notice = in_force(calibration, now)
    assert used is BY_COVERAGE
    assert notice is not None
    assert notice.code == "gate_uncalibrated"
    assert "embedder mini@1, now other@2" in notice.message


def test_coverage_alone_holds_everywhere_and_rises() -> None:
    assert BY_COVERAGE.differences(NOW) == ()
    scores = [BY_COVERAGE.judge({"coverage": share, "cosine": 0.9}) for share in (0.0, 0.4, 0.6, 1.0)]
    assert scores == sorted(scores)
    assert scores[0] < BY_COVERAGE.threshold < scores[-1]
    assert scores[-1] == pytest.approx(1 / (1 + math.exp(-3.44)))


def test_circumstances_leave_out_what_the_rerankers_do_not_use() -> None:
    models = {"embedder": "mini@1", "token_recipe": "pca-64@1", "cross_encoder": "ce@1"}
    plain = overlay_settings(Settings(), {"rerank.kind": "none"})
    assert Circumstances.of(plain, **models) == replace(NOW, rerank=(), token_recipe=None)
    late = overlay_settings(Settings(), {"rerank.kind": "late_interaction"})
    assert Circumstances.of(late, **models) == NOW
    both = overlay_settings(Settings(), {"rerank.kind": ["late_interaction", "cross_encoder"]})
    assert Circumstances.of(both, **models).cross_encoder == "ce@1"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"threshold": 1.5}, "threshold 1.5 is not between 0 and 1"),
        ({"curves": []}, "it has no curve"),
        (curve({"coverage": float("nan")}), "curves[0].coefficients.coverage is not a finite number"),
        (curve({"coverage": 10**400}), "curves[0].coefficients.coverage is not a finite number"),
        (curve({"coverage": "4"}), "curves[0].coefficients.coverage is no number but '4'"),
        (curve({"covrage": 4.0}), "curves[0].coefficients: 'covrage' is no feature; known are sentence, "),
        (curve({}), "curves[0].coefficients: a curve needs a feature"),
        (curve({"coverage": 4.0}, 10**400), "curves[0].bias is not a finite number"),
        (curve({"coverage": 4.0}, "0.5"), "curves[0].bias is no number but '0.5'"),
        ({"threshold": True}, "threshold is no number but True"),
        ({"threshold": None}, "threshold is no number but None"),
        ({"schema_version": True}, "has form True"),
        ({"made_under": {"embedder": "e"}}, "check context_tokens, cross_encoder, leaf_tokens, rerank"),
        ({"made_under": BODY["made_under"] | {"rerank": "none"}}, "made_under.rerank is a list of kinds"),
        ({"schema_version": 2}, "has form 2; this version of Prism reads form 1"),
    ],
)
def test_a_file_of_another_form_is_refused_by_name(tmp_path: Path, changes, said: str) -> None:
    file = written(tmp_path, BODY | changes)
    with pytest.raises(SettingsError) as raised:
        load_calibration(file)
    assert said in str(raised.value)
    assert str(file) in str(raised.value)
    assert "gate.calibration" in str(raised.value)


def test_the_known_features_are_those_that_the_evidence_gives() -> None:
    given = features("fee?", None, weights=None, cosine=None, coverage=0.0)
    assert set(KNOWN_FEATURES) == set(given)


def test_a_field_that_is_missing_is_named(tmp_path: Path) -> None:
    body = {name: value for name, value in BODY.items() if name != "threshold"}
    with pytest.raises(SettingsError, match="threshold is missing"):
        load_calibration(written(tmp_path, body))


@pytest.mark.parametrize("content", ["", "[]", "{}", "not json", "[" * 100_000])
def test_what_is_no_calibration_is_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "c.json"
    file.write_text(content)
    with pytest.raises(SettingsError, match="is no calibration"):
        load_calibration(file)
    with pytest.raises(SettingsError, match="No such file"):
        load_calibration(tmp_path / "none.json")
