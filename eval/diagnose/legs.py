"""Is one of the two searches much better than the other on this set?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from eval.diagnose.finding import LEAST_QUESTIONS, Finding, setting
from eval.diagnose.lost import LEGS
from eval.metrics.gold import relevant
from eval.outcome.result import Result
from eval.outcome.row import Row

DEPTH: Final = 10
"""Ranks looked at: what stands deeper in one leg alone is seldom carried up by fusion (with k = 60 a rank of
10 adds 1/70 against 1/61 for the first)."""

FAR: Final = 0.2
"""Gap between the shares: smaller ones are what two searches that complete each other have."""

WORDS: Final = {"dense": "by meaning", "keyword": "by words"}


def diagnose_legs(result: Result) -> Iterator[Finding]:
    """One finding where a leg has far more of the gold in its first ten than the other."""
    rows = [
        row
        for row in result.rows
        if relevant(row) and not row.error and all(leg in row.stages for leg in LEGS)
    ]
    if len(rows) < LEAST_QUESTIONS:
        return
    shares = {stage: _share(rows, stage) for stage in (*LEGS, "fused")}
    weaker, better = sorted(LEGS, key=lambda leg: shares[leg])
    if shares[better] - shares[weaker] < FAR:
        return
    fused = shares["fused"]
    if fused >= shares[better]:
        outcome = f"fused they have {fused:.2f}, so that the weaker one does no harm"
        advice = ""
    else:
        outcome = f"fused they have {fused:.2f}, less than the better one alone"
        advice = (
            f"More weight to the better one: {setting(result, f'retrieval.{better}_weight')} against "
            f"{setting(result, f'retrieval.{weaker}_weight')}."
        )
    yield Finding(
        "uneven_legs",
        f"Among its first {DEPTH} the search {WORDS[better]} has {shares[better]:.2f} of the gold, the "
        f"search {WORDS[weaker]} {shares[weaker]:.2f}; {outcome}.",
        advice,
    )


def _share(rows: Sequence[Row], stage: str) -> float:
    """The gold units that a stage has among its first ranks, as a share of all."""
    ranks = [row.stages.get(stage, {}).get(unit) for row in rows for unit in relevant(row)]
    return sum(rank is not None and rank <= DEPTH for rank in ranks) / len(ranks)
