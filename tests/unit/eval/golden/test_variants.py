"""The two settings that golden traces are asked under."""

from __future__ import annotations

from pathlib import Path

import pytest

from eval.golden.variants import FIXED, variant_settings
from prism import Settings
from prism.query.calibration import load_calibration

FOLDER = Path("somewhere")
WHERE_AND_HOW_FAST = {"storage": True, "privacy": True, "models": {"embedder": {"threads"}}}


def test_the_default_variant_is_the_defaults_and_sends_nothing_anywhere() -> None:
    settings = variant_settings("default", FOLDER)
    assert (settings.storage.path, settings.privacy.remote_models) == (FOLDER, "deny")
    assert settings.models.embedder.threads == 1
    assert settings.model_dump(exclude=WHERE_AND_HOW_FAST) == Settings().model_dump(
        exclude=WHERE_AND_HOW_FAST
    )


@pytest.mark.parametrize("section", FIXED)
def test_the_fixed_variant_states_every_key_of_its_sections(section: str) -> None:
    settings = variant_settings("fixed", FOLDER)
    assert getattr(settings, section).model_dump() == FIXED[section]


def test_the_fixed_calibration_holds_whatever_the_models_are() -> None:
    calibration = load_calibration(variant_settings("fixed", FOLDER).gate.calibration)
    assert calibration.made_under is None


def test_the_fixed_weights_are_unequal() -> None:
    assert FIXED["retrieval"]["dense_weight"] != FIXED["retrieval"]["keyword_weight"]


def test_a_settings_file_and_the_environment_play_no_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = variant_settings("default", FOLDER)
    (tmp_path / "settings.yaml").write_text("retrieval: {k: 9}", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PRISM__RETRIEVAL__RRF_K", "7")
    assert variant_settings("default", FOLDER) == before
