"""The choices of the survey are settings that exist, each its own."""

from __future__ import annotations

from eval.survey.choices import CHOICES
from eval.survey.table import BASE
from prism.settings import Settings, overlay_settings


def test_every_choice_makes_settings_of_its_own() -> None:
    made = [overlay_settings(Settings(), choice.overlay).model_dump_json() for choice in CHOICES]
    assert len(set(made)) == len(made)
    assert len({choice.name for choice in CHOICES}) == len(CHOICES)


def test_what_others_are_compared_with_is_among_them() -> None:
    assert BASE in {choice.name for choice in CHOICES}


def test_weights_are_as_the_name_says() -> None:
    settings = {choice.name: overlay_settings(Settings(), choice.overlay) for choice in CHOICES}
    retrieval = settings["RRF .7/.3"].retrieval
    assert (retrieval.fusion, retrieval.dense_weight, retrieval.keyword_weight) == ("rrf", 0.7, 0.3)
    assert settings["dense"].retrieval.keyword_weight == 0
    assert settings["keyword"].retrieval.dense_weight == 0
    bare = settings["distribution, neither"]
    assert (bare.retrieval.fusion, bare.chunk.context_tokens, bare.merge.enabled) == ("dist_based", 0, False)
