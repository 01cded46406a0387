"""At which stage gold was lost that an answerer was not given.

A stage holds a unit *in reach* when it ranks it among the first k, k being the passages an answerer is given.
Gold is lost by the stage after the last that had it in reach. Where none had, it is lost by the first stage
whose list lacks it, and where all lists have it, it stands too deep.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final, Literal

from eval.diagnose.finding import setting
from eval.metrics.gold import passages, relevant
from eval.outcome.result import Result
from eval.outcome.row import Row

Loss = Literal["search", "fusion", "reranking", "merging", "crowding", "depth"]

LEGS: Final = ("dense", "keyword")
LATER: Final[Mapping[str, Loss]] = {"fused": "fusion", "reranked": "reranking", "merged": "merging"}

WORDS: Final[Mapping[Loss, str]] = {
    "search": "in no search's list",
    "fusion": "lost by fusing the two searches",
    "reranking": "lost by reranking",
    "merging": "lost by merging leaves into larger passages",
    "crowding": "behind several passages of one document",
    "depth": "too deep at every stage",
}

SETTINGS: Final[Mapping[Loss, tuple[str, ...]]] = {
    "search": ("models.embedder.path", "chunk.leaf_tokens", "retrieval.retrieve_k"),
    "fusion": ("retrieval.fusion", "retrieval.dense_weight", "retrieval.keyword_weight"),
    "reranking": ("rerank.kind",),
    "merging": ("merge.threshold",),
    "crowding": ("retrieval.max_per_document",),
    "depth": ("retrieval.k", "rerank.kind"),
}


def count_losses(rows: Iterable[Row], k: int) -> Counter[Loss]:
    """Missed gold units by where they were lost. Questions that failed, or whose stages are unknown, tell
    nothing and are left out."""
    return Counter(
        where_lost(row, unit, k)
        for row in rows
        if not row.error and any(leg in row.stages for leg in LEGS)
        for unit in _missed(row)
    )


def where_lost(row: Row, unit: str, k: int) -> Loss:
    """Where a gold unit was lost that no passage holds; at least one leg must have run."""
    found = [rank for leg in LEGS if (rank := row.stages.get(leg, {}).get(unit)) is not None]
    steps: list[tuple[Loss, int | None]] = [("search", min(found, default=None))]
    steps += [(loss, row.stages[stage].get(unit)) for stage, loss in LATER.items() if stage in row.stages]
    in_reach = [place for place, (_, rank) in enumerate(steps) if rank is not None and rank <= k]
    if in_reach and in_reach[-1] + 1 < len(steps):
        return steps[in_reach[-1] + 1][0]
    if in_reach:
        # Ranks count units, passages count pieces: a document with three pieces takes three places.
        return "crowding" if steps[-1][0] == "merging" else "merging"
    return next((loss for loss, rank in steps if rank is None), "depth")


def describe_losses(losses: Mapping[Loss, int]) -> str:
    """The counts in words, the largest first; empty without any."""
    total = sum(losses.values())
    if not total:
        return ""
    parts = [f"{count} {WORDS[loss]}" for loss, count in Counter(losses).most_common()]
    return f"Gold units that were missed: {total}, of them {', '.join(parts)}."


def advise(result: Result, losses: Mapping[Loss, int]) -> str:
    """The settings of where most was lost; empty without losses."""
    if not losses:
        return ""
    ((loss, _),) = Counter(losses).most_common(1)
    return ", ".join(setting(result, name) for name in SETTINGS[loss])


def _missed(row: Row) -> Iterable[str]:
    given = {unit for passage in passages(row) for unit in passage.units}
    return (unit for unit in relevant(row) if unit not in given)
