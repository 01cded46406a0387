"""The choices that are compared: legs and fusions first, then what surrounds a passage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Choice:
    """A way of retrieving: its name in the table, and the settings that make it from the defaults."""

    name: str
    overlay: Mapping[str, Any]


def _fused(kind: str, dense: float) -> dict[str, Any]:
    return {
        "retrieval.fusion": kind,
        "retrieval.dense_weight": dense,
        "retrieval.keyword_weight": round(1 - dense, 3),
    }


PLAIN: Final = {"chunk.context_tokens": 0}
UNMERGED: Final = {"merge.enabled": False}

CHOICES: Final = (
    Choice("dense", _fused("rrf", 1.0)),
    Choice("keyword", _fused("rrf", 0.0)),
    Choice("RRF .7/.3", _fused("rrf", 0.7)),
    Choice("RRF .5/.5", _fused("rrf", 0.5)),
    Choice("min-max .5/.5", _fused("min_max", 0.5)),
    Choice("distribution .5/.5", _fused("dist_based", 0.5)),
    Choice("distribution, no merging", _fused("dist_based", 0.5) | UNMERGED),
    Choice("distribution, no context", _fused("dist_based", 0.5) | PLAIN),
    Choice("RRF .5/.5, neither", _fused("rrf", 0.5) | PLAIN | UNMERGED),
    Choice("distribution, neither", _fused("dist_based", 0.5) | PLAIN | UNMERGED),
)
"""Weights are dense/keyword. Context is the line that tells a passage its title, section and page."""
