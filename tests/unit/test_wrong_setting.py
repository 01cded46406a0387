"""A wrong setting in words."""

from __future__ import annotations

from typing import Any

import pytest

from prism.layers import Layer
from prism.wrong_setting import explain

LAYERS: dict[str, Layer] = {
    "settings.yaml": {"models": {"reranker": {"kind": "none", "path": "ce"}}},
    "environment": {"retrieval": {"k": "0"}},
}


def item(kind: str = "greater_than", value: Any = 0) -> dict[str, Any]:
    return {"type": kind, "msg": "Value error, must be more", "input": value}


def test_place_name_and_value_are_told() -> None:
    assert explain(("retrieval", "k"), item(), LAYERS) == "environment: retrieval.k = 0: must be more"


def test_of_a_whole_section_no_value_is_repeated() -> None:
    assert explain(("retrieval",), item(value={"k": 3}), LAYERS) == "environment: retrieval: must be more"


@pytest.mark.parametrize(
    ("key", "successor"), [("kind", "rerank.kind"), ("path", "models.reranker.model")], ids=["kind", "path"]
)
def test_a_setting_that_moved_is_told_with_its_place_now(key: str, successor: str) -> None:
    text = explain(("models", "reranker", key), item("extra_forbidden"), LAYERS)
    assert text == f"settings.yaml: unknown setting 'models.reranker.{key}': it is {successor!r} now"


def test_an_unknown_setting_is_told_as_such() -> None:
    assert explain(("retrieval", "top_k"), item("extra_forbidden"), LAYERS) == (
        "settings: unknown setting 'retrieval.top_k'"
    )
