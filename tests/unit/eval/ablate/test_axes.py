"""Which choices are tried, and the settings they make."""

from __future__ import annotations

import pytest

from eval.ablate.axes import AXES, Variant, variants
from prism.errors import SettingsError, UsageError
from prism.settings import Settings, overlay_settings


def tried(
    base: Settings | None = None, axes: tuple[str, ...] = (), varied: tuple[str, ...] = ()
) -> list[str]:
    return [variant.label for variant, _ in variants(base or Settings(), axes, varied)]


def test_what_is_in_force_is_not_tried() -> None:
    assert tried(axes=("fusion",)) == ["retrieval.fusion = rrf", "retrieval.fusion = min_max"]
    base = overlay_settings(Settings(), {"retrieval.fusion": "min_max"})
    assert tried(base, ("fusion",)) == ["retrieval.fusion = rrf", "retrieval.fusion = dist_based"]


def test_rrf_k_is_tried_only_where_ranks_are_fused() -> None:
    assert tried(axes=("rrf_k",)) == []
    base = overlay_settings(Settings(), {"retrieval.fusion": "rrf"})
    assert "retrieval.rrf_k = 10" in tried(base, ("rrf_k",))


def test_a_choice_changes_what_its_label_says_and_nothing_else() -> None:
    found = {variant.label: settings for variant, settings in variants(Settings(), ("weights", "merge"), ())}
    assert found["dense 0.7, keyword 0.3"] == overlay_settings(
        Settings(), {"retrieval.dense_weight": 0.7, "retrieval.keyword_weight": 0.3}
    )
    assert found["merge.enabled = off"] == overlay_settings(Settings(), {"merge.enabled": False})
    assert "dense 0.5, keyword 0.5" not in found, "it is in force"


def test_all_axes_are_tried_where_none_is_named() -> None:
    # Neither are ranks fused nor leaves ordered by token vectors in this base.
    base = overlay_settings(Settings(), {"retrieval.fusion": "min_max", "rerank.kind": "none"})
    expected = {variant.axis for variant in AXES} - {"rerank_weight", "rrf_k"}
    assert {variant.axis for variant, _ in variants(base, (), ())} == expected


def test_a_cross_encoder_is_tried_where_the_base_names_its_model() -> None:
    base = overlay_settings(Settings(), {"rerank.kind": "none"})
    assert tried(base, ("rerank",)) == ["rerank.kind = late_interaction"]
    assert tried(overlay_settings(base, {"models.reranker.model": "models/reranker"}), ("rerank",)) == [
        "rerank.kind = late_interaction",
        "rerank.kind = cross_encoder",
        "rerank.kind = [late_interaction, cross_encoder]",
    ]


def test_the_weight_of_late_interaction_is_tried_only_where_there_is_such() -> None:
    base = overlay_settings(Settings(), {"rerank.kind": "cross_encoder"})
    assert tried(base, ("rerank_weight",)) == []
    base = overlay_settings(Settings(), {"rerank.kind": "late_interaction", "rerank.weight": 0.5})
    assert "rerank.weight = 0.75" in tried(base, ("rerank_weight",))


def test_choices_that_contradict_the_base_are_left_out() -> None:
    base = overlay_settings(Settings(), {"chunk.leaf_tokens": 256})
    # Parents of 256 tokens would be no larger than the leaves.
    assert tried(base, ("parents",)) == ["chunk.parent_tokens = []", "chunk.parent_tokens = [512]"]
    base = overlay_settings(Settings(), {"chunk.leaf_overlap_tokens": 48})
    # An overlap of 48 is more than half of leaves of 64.
    assert "chunk.leaf_tokens = 64" not in tried(base, ("leaf",))


def test_every_chunker_is_tried_with_and_without_context() -> None:
    assert tried(axes=("chunker",)) == [
        "chunk.strategy = recursive",
        "chunk.strategy = fixed",
        "chunk.strategy = semantic",
        "hierarchical, no context",
        "recursive, no context",
        "fixed, no context",
        "semantic, no context",
    ]


def test_values_of_a_setting_are_tried_as_told() -> None:
    found = list(
        variants(Settings(), (), ("retrieval.rrf_k=[10, 60, 0.5]", "chunk.parent_tokens=[[], [256]]"))
    )
    assert [variant for variant, _ in found] == [
        Variant("retrieval.rrf_k", "retrieval.rrf_k = 10", {"retrieval.rrf_k": 10}),
        Variant("retrieval.rrf_k", "retrieval.rrf_k = 0.5", {"retrieval.rrf_k": 0.5}),
        Variant("chunk.parent_tokens", "chunk.parent_tokens = []", {"chunk.parent_tokens": []}),
        Variant("chunk.parent_tokens", "chunk.parent_tokens = [256]", {"chunk.parent_tokens": [256]}),
    ]
    assert found[1][1].retrieval.rrf_k == 0.5


def test_told_values_go_beside_named_axes() -> None:
    assert tried(axes=("fusion",), varied=("retrieval.k=[3]",)) == [
        "retrieval.fusion = rrf",
        "retrieval.fusion = min_max",
        "retrieval.k = 3",
    ]


def test_an_unknown_axis_is_refused_with_those_known() -> None:
    with pytest.raises(UsageError, match=r"--axis fushion: there is none\. Known: legs, fusion, weights"):
        tried(axes=("fushion",))


@pytest.mark.parametrize(
    "wrong", ["retrieval.k", "retrieval.k=", "retrieval.k=3", "=[3]", "retrieval.k=[]", "retrieval.k=[3"]
)
def test_values_of_another_form_are_refused(wrong: str) -> None:
    with pytest.raises(UsageError, match=r"--vary .*wanted KEY=\[VALUE, VALUE\]"):
        tried(varied=(wrong,))


@pytest.mark.parametrize("wrong", ["retrieval.k=[3, 0]", "retrieval.kk=[3]"])
def test_told_values_out_of_range_are_refused(wrong: str) -> None:
    with pytest.raises(SettingsError, match=r"retrieval\.k"):
        tried(varied=(wrong,))


@pytest.mark.parametrize("variant", AXES, ids=lambda variant: f"{variant.axis}: {variant.label}")
def test_every_choice_names_settings_that_exist(variant: Variant) -> None:
    overlay_settings(Settings(), variant.overlay)
