"""A result for a terminal: what was asked, what it comes to, how long it took."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from eval.metrics.catalogue import describe
from eval.outcome.result import Result


def result_table(result: Result) -> str:
    """The result in words and figures, a paragraph a subject."""
    return "\n".join((*_what(result), "", *_quality(result), "", *_speed(result))) + "\n"


def _what(result: Result) -> Iterator[str]:
    counts = result.counts
    yield (
        f"{result.dataset}: {counts['asked']} questions asked, {counts['scored']} scored by {result.unit}, "
        f"{counts['unscorable']} unscorable, {counts['failed']} failed."
    )
    yield from result.notes
    reasons = Counter(row.unscorable for row in result.rows if row.unscorable)
    for reason, times in reasons.most_common():
        asked = ", ".join(row.question_id for row in result.rows if row.unscorable == reason)
        yield f"  unscorable, {times}: {reason} ({_shortened(asked)})"
    for row in result.rows:
        if row.error:
            yield f"  failed: {row.question_id}: {row.error}"
    for failure in result.index["failures"]:
        yield f"  not indexed: {failure}"
    changed = ", ".join(f"{key}={value}" for key, value in result.settings.items())
    yield f"settings: {changed or 'the defaults'}; k={result.k}; {result.index['leaves']} leaves"


def _quality(result: Result) -> Iterator[str]:
    if not result.metrics:
        yield "Nothing could be scored: no question has gold that is in these documents."
        return
    width = max(len(describe(name).title) for name in result.metrics)
    yield f"{'':{width}}   mean   95 % interval   questions"
    for name, summary in result.metrics.items():
        yield (
            f"{describe(name).title:{width}}  {summary.mean:5.3f}   {summary.low:5.3f} – {summary.high:5.3f}"
            f"   {summary.questions:9}"
        )


def _speed(result: Result) -> Iterator[str]:
    yield f"{'milliseconds':14}{'p50':>8}{'p95':>8}{'p99':>8}"
    for stage, percentiles in result.latency_ms.items():
        figures = "".join(f"{percentiles[name]:8.1f}" for name in ("p50", "p95", "p99"))
        yield f"{stage:14}{figures}"


def _shortened(text: str, width: int = 80) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"
