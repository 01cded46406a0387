"""Are some questions far slower than most, and in which stage?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean, median
from typing import Final

from eval.diagnose.finding import Finding, setting
from eval.metrics.latency import latency
from eval.outcome.result import Result

LEAST_TIMED: Final = 20
"""Of fewer the p95 is the slowest one, which may have been slow for any reason."""

FAR: Final = 3.0
"""p99 over p50. Within a factor of three questions differ by their length."""

NOTICED_MS: Final = 100.0
"""Below it an answer seems to come at once (Nielsen 1993, chapter 5), so that a tail does not matter."""

TOTAL: Final = "total"

SETTINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "retrieve": ("vectors.ef_search", "retrieval.retrieve_k"),
    "climb": ("retrieval.retrieve_k",),
    "rerank": ("retrieval.retrieve_k", "rerank.cross_encoder_leaves"),
    "merge": ("retrieval.retrieve_k",),
    "gate": ("models.embedder.threads",),
}
"""What makes a stage's work less. The gate embeds sentences where a question is about to be refused."""


def diagnose_tail(result: Result) -> Iterator[Finding]:
    """One finding where p99 is far above p50, with the stage that the slowest questions spend it in."""
    timed = [row.timings_ms for row in result.rows if TOTAL in row.timings_ms and not row.error]
    if len(timed) < LEAST_TIMED:
        return
    found = latency(result.rows)
    middle, slow, slowest = (found[TOTAL][name] for name in ("p50", "p95", "p99"))
    if slowest - middle < NOTICED_MS or slowest < FAR * middle:
        return
    tail = [timings for timings in timed if timings[TOTAL] >= slow]
    stages = [name for name in found if name != TOTAL]
    excess_ms = {name: _mean_ms(tail, name) - _median_ms(timed, name) for name in stages}
    stage = max(stages, key=lambda name: excess_ms[name], default="")
    where = (
        f" The slowest {len(tail)} spend {excess_ms[stage]:,.0f} ms more than usual in the stage '{stage}'."
        if stage
        else ""
    )
    names = SETTINGS.get(stage, ())
    yield Finding(
        "slow_tail",
        f"Some questions are far slower than most: p50 {middle:,.0f} ms, p99 {slowest:,.0f} ms.{where}",
        f"What makes that stage's work less: {', '.join(setting(result, name) for name in names)}."
        if names
        else "",
    )


def _mean_ms(timed: Sequence[Mapping[str, float]], stage: str) -> float:
    return fmean(timings.get(stage, 0.0) for timings in timed)


def _median_ms(timed: Sequence[Mapping[str, float]], stage: str) -> float:
    """Over all questions; a stage that did not run took no time."""
    return median(timings.get(stage, 0.0) for timings in timed)
