"""The choices that are compared: the legs and their fusions, the ladder from one leg to the defaults, and
what late interaction weighs beside fusion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Choice:
    """A way of retrieving: its name in the table, the settings that make it from the defaults, and the choice
    it is compared with, by name; empty for none."""

    name: str
    overlay: Mapping[str, Any]
    against: str = ""


def _fused(kind: str, dense: float) -> dict[str, Any]:
    return {
        "retrieval.fusion": kind,
        "retrieval.dense_weight": dense,
        "retrieval.keyword_weight": round(1 - dense, 3),
    }


PLAIN: Final = {"chunk.context_tokens": 0}
UNMERGED: Final = {"merge.enabled": False}
UNRANKED: Final = {"rerank.kind": "none"}

BASE: Final = "RRF .5/.5"
"""What the kinds of fusion are compared with, question by question."""

FUSIONS: Final = tuple(
    Choice(name, overlay | UNRANKED, "" if name == BASE else BASE)
    for name, overlay in (
        ("dense", _fused("rrf", 1.0)),
        ("keyword", _fused("rrf", 0.0)),
        ("RRF .7/.3", _fused("rrf", 0.7)),
        (BASE, _fused("rrf", 0.5)),
        ("min-max .5/.5", _fused("min_max", 0.5)),
        ("distribution .5/.5", _fused("dist_based", 0.5)),
        ("distribution, no merging", _fused("dist_based", 0.5) | UNMERGED),
        ("distribution, no context", _fused("dist_based", 0.5) | PLAIN),
        ("RRF .5/.5, neither", _fused("rrf", 0.5) | PLAIN | UNMERGED),
        ("distribution, neither", _fused("dist_based", 0.5) | PLAIN | UNMERGED),
    )
)
"""Weights are dense/keyword. Context is the line that tells a passage its title, section and page."""

LADDER: Final = (
    Choice("dense alone", {"retrieval.keyword_weight": 0.0} | PLAIN | UNMERGED | UNRANKED),
    Choice("+ keyword", PLAIN | UNMERGED | UNRANKED, "dense alone"),
    Choice("+ context", UNMERGED | UNRANKED, "+ keyword"),
    Choice("+ rerank", UNMERGED, "+ context"),
    Choice("+ merge: the defaults", {}, "+ rerank"),
    Choice("the defaults without rerank", UNRANKED, "+ merge: the defaults"),
    Choice("keyword leg alone", {"retrieval.dense_weight": 0.0} | UNRANKED, "+ merge: the defaults"),
)
"""Each rung adds one stage and is compared with the one before it; the last two are compared with the
defaults."""

UNBLENDED: Final = "fusion alone"

WEIGHTS: Final = (
    Choice(UNBLENDED, UNRANKED),
    *(
        Choice(f"rerank.weight {weight}", {"rerank.weight": weight}, UNBLENDED)
        for weight in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
    ),
)
"""All else as installed."""

COMPARISONS: Final = {"fusions": FUSIONS, "ladder": LADDER, "weights": WEIGHTS}

CHOICES: Final = (*FUSIONS, *LADDER, *WEIGHTS)

AGAINST: Final = {choice.name: choice.against for choice in CHOICES}
