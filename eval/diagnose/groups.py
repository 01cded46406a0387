"""Is one kind of question, or one language, far below the rest?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Literal

from eval.bootstrap import bootstrap_difference
from eval.diagnose.finding import LEAST_QUESTIONS, Finding, setting
from eval.diagnose.lost import Loss, advise, count_losses, describe_losses
from eval.outcome.result import Result
from eval.outcome.row import Row

MEASURE: Final = "ndcg@10"

FAR: Final = 0.15
"""Gap to the mean of the rest; besides, its interval must exclude 0, so that a few hard questions are not
taken for a hard kind."""

GroupedBy = Literal["kind", "language"]


def diagnose_groups(result: Result) -> Iterator[Finding]:
    """One finding for each kind and each language far below all other questions, in order of the set."""
    scored = [row for row in result.rows if row.metrics.get(MEASURE) is not None]
    grouped: tuple[GroupedBy, ...] = ("kind", "language")
    for by in grouped:
        for value in dict.fromkeys(getattr(row, by) for row in scored):
            finding = _finding(result, scored, by, value) if value else None
            if finding is not None:
                yield finding


def _finding(result: Result, scored: list[Row], by: GroupedBy, value: str) -> Finding | None:
    inside = [row for row in scored if getattr(row, by) == value]
    outside = len(scored) - len(inside)
    if min(len(inside), outside) < LEAST_QUESTIONS:
        return None
    group = [row.metrics[MEASURE] if getattr(row, by) == value else None for row in scored]
    rest = [row.metrics[MEASURE] if getattr(row, by) != value else None for row in scored]
    gap = bootstrap_difference(rest, group)
    if gap.mean > -FAR or gap.high >= 0:
        return None
    mean = sum(score for score in group if score is not None) / len(inside)
    losses = count_losses(inside, result.k)
    says = (
        f"Questions of the {by} {value!r} ({len(inside)}) are far below the rest ({outside}): "
        f"{MEASURE} {mean:.2f} against {mean - gap.mean:.2f}."
    )
    return Finding(
        f"weak_{by}", " ".join(filter(None, (says, describe_losses(losses)))), _advice(result, by, losses)
    )


def _advice(result: Result, by: GroupedBy, losses: Mapping[Loss, int]) -> str:
    if by == "language":
        return (
            "An embedder that reads the language: "
            f"{setting(result, 'models.embedder.path')}, {setting(result, 'models.embedder.scripts')}."
        )
    places = advise(result, losses)
    return f"Where most of it was lost: {places}." if places else ""
