"""The choices of the survey are settings that exist, each its own."""

from __future__ import annotations

import pytest

from eval.survey.choices import AGAINST, CHOICES, COMPARISONS, LADDER, Choice
from prism.settings import Settings, overlay_settings


@pytest.mark.parametrize("choices", COMPARISONS.values(), ids=COMPARISONS.keys())
def test_every_choice_makes_settings_of_its_own(choices: tuple[Choice, ...]) -> None:
    made = [overlay_settings(Settings(), choice.overlay).model_dump_json() for choice in choices]
    assert len(set(made)) == len(made)


def test_a_name_stands_for_one_choice() -> None:
    assert len(AGAINST) == len(CHOICES)


@pytest.mark.parametrize("choices", COMPARISONS.values(), ids=COMPARISONS.keys())
def test_what_others_are_compared_with_is_among_them(choices: tuple[Choice, ...]) -> None:
    names = {choice.name for choice in choices}
    assert {choice.against for choice in choices} - {""} <= names
    assert sum(not choice.against for choice in choices) == 1, "the one they all go back to"


def test_each_rung_of_the_ladder_changes_one_stage_and_the_last_is_the_defaults() -> None:
    dense, keyword, context, rerank, merge, *_ = (
        overlay_settings(Settings(), choice.overlay) for choice in LADDER
    )
    assert merge == Settings()
    assert merge.model_copy(update={"merge": rerank.merge}) == rerank
    assert rerank.model_copy(update={"rerank": context.rerank}) == context
    assert context.model_copy(update={"chunk": keyword.chunk}) == keyword
    assert keyword.model_copy(update={"retrieval": dense.retrieval}) == dense


def test_weights_are_as_the_name_says() -> None:
    settings = {choice.name: overlay_settings(Settings(), choice.overlay) for choice in CHOICES}
    retrieval = settings["RRF .7/.3"].retrieval
    assert (retrieval.fusion, retrieval.dense_weight, retrieval.keyword_weight) == ("rrf", 0.7, 0.3)
    assert settings["dense"].retrieval.keyword_weight == 0
    assert settings["keyword"].retrieval.dense_weight == 0
    bare = settings["distribution, neither"]
    assert (bare.retrieval.fusion, bare.chunk.context_tokens, bare.merge.enabled) == ("dist_based", 0, False)
