"""What is wrong with a setting, in words: which place set it, its name, and what would be right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from prism.layers import Layer, origin_of

MOVED: Final[Mapping[str, str]] = {
    "models.reranker.kind": "rerank.kind",
    "models.reranker.path": "models.reranker.model",
}
"""Settings of earlier versions and where what they said is said now."""


def explain(location: tuple[int | str, ...], item: Mapping[str, Any], layers: Mapping[str, Layer]) -> str:
    """One problem as a sentence without its full stop.

    Args:
        location: the keys that lead to the value.
        item: what pydantic found, with `type`, `msg` and `input`.
        layers: the places values come from by name, weakest first.
    """
    name = ".".join(str(part) for part in location) or "settings"
    origin = origin_of(location, layers)
    if name in MOVED and item["type"] == "extra_forbidden":
        return f"{origin}: unknown setting {name!r}: it is {MOVED[name]!r} now"
    if item["type"] == "extra_forbidden":
        return f"{origin}: unknown setting {name!r}"
    message = item["msg"].removeprefix("Value error, ")
    if isinstance(item["input"], Mapping):
        return f"{origin}: {name}: {message}"
    return f"{origin}: {name} = {item['input']!r}: {message}"
