"""One question of a run: what was asked, what was found at each stage, what was expected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Seen:
    """A passage an answerer was given. `pages` are printed labels; `tokens` are the embedder's.

    `units` are the relevant units it holds, empty when it holds none; `expected`: it comes from an expected
    source or holds an expected keyword, None where the set names neither.
    """

    rank: int
    document: str
    pages: tuple[str, ...]
    start: int
    end: int
    tokens: int
    units: tuple[str, ...]
    expected: bool | None


@dataclass(frozen=True, slots=True)
class Row:
    """A question's outcome. Ranks count from 1.

    `gold`: relevant units with their grade. `ranking`: the units of the whole pool, best first, each once, as
    they stand after merging; units that are not judged are in it under names of their own. `stages`: for
    `dense`, `keyword`, `fused`, `reranked` and `merged` (those that ran) the best rank of each gold unit,
    None where it was not found. `passages`: what an answerer was given. `abstained`: the gate's word, None
    when nothing was judged. `unscorable` and `error` say why there is nothing to score or what failed; a
    question that failed is scored as if nothing had been found. `names_expected`: the set names a source or
    keyword to expect, which passages alone cannot tell where there are none.
    """

    question_id: str
    question: str
    kind: str
    language: str
    answerable: bool | None
    gold: Mapping[str, int]
    ranking: tuple[str, ...]
    stages: Mapping[str, Mapping[str, int | None]]
    passages: tuple[Seen, ...]
    abstained: bool | None
    gate_score: float | None
    timings_ms: Mapping[str, float]
    unscorable: str = ""
    error: str = ""
    metrics: Mapping[str, float | None] = field(default_factory=dict)
    names_expected: bool = False

    @property
    def is_scored(self) -> bool:
        """Whether rankings of this question mean something: it has gold, and the collection holds it."""
        return bool(self.gold) and not self.unscorable


def to_json(row: Row) -> dict[str, Any]:
    """The row as JSON values."""
    return asdict(row)


def from_json(values: Mapping[str, Any]) -> Row:
    """The row of such values. Raises `TypeError`, `KeyError` when they are none."""
    for name in ("gold", "stages", "timings_ms", "metrics"):
        if not isinstance(values[name], Mapping):
            raise TypeError(f"{name} of a question is no mapping")
    passages = tuple(
        Seen(**{**item, "pages": tuple(item["pages"]), "units": tuple(item["units"])})
        for item in values["passages"]
    )
    return Row(**{**values, "ranking": tuple(values["ranking"]), "passages": passages})
