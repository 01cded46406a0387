"""How far the figures can be trusted at all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from eval.diagnose.finding import Finding
from eval.metrics.summarize import count
from eval.outcome.result import Result

SMALL_SET: Final = 50
"""A yes-or-no measure near 0.5 over fewer questions has a 95 % interval wider than 0.28 (1.96 √(0.25 / n) to
either side), so that hardly any change of a setting shows."""

SHOWN_MEASURE: Final = "context_recall"


def diagnose_trust(result: Result) -> Iterator[Finding]:
    """Questions that failed or could not be scored, and sets too small to tell."""
    counts = count(result.rows)
    failures = [row.error for row in result.rows if row.error]
    if failures:
        yield Finding(
            "failed",
            f"{len(failures)} of {counts['asked']} questions failed and count as if nothing had been found. "
            f"{_commonest(failures)}",
            "Mend the cause and run again before reading anything else.",
        )
    reasons = [row.unscorable for row in result.rows if row.unscorable]
    if reasons:
        yield Finding(
            "unscorable",
            f"{len(reasons)} of {counts['asked']} questions could not be scored. {_commonest(reasons)}",
            "Mend the labels as the reasons say. A quote must stand in the document's text as it was read.",
        )
    if not counts["scored"]:
        yield Finding(
            "nothing_scored",
            "No question has gold that can be found, so nothing is known of what is found.",
            "Label some questions with the documents, pages or quotes that answer them.",
        )
    elif counts["scored"] < SMALL_SET:
        yield Finding(
            "small_set",
            f"Only {counts['scored']} questions are scored, so that intervals are wide{_width(result)}.",
            f"Ask at least {SMALL_SET} before you choose a setting by the figures.",
        )


def _commonest(reasons: Sequence[str]) -> str:
    ((reason, times),) = Counter(reasons).most_common(1)
    if len(reasons) == 1:
        return f"The reason: {_ended(reason)}"
    often = f"the commonest reason, {times} times" if times > 1 else "each for a reason of its own, the first"
    return f"{often.capitalize()}: {_ended(reason)}"


def _ended(reason: str) -> str:
    return reason if reason.endswith((".", "?", "!")) else f"{reason}."


def _width(result: Result) -> str:
    summary = result.metrics.get(SHOWN_MEASURE)
    if summary is None or summary.low == summary.high:
        return ""
    return f" (context recall {summary.mean:.2f}, from {summary.low:.2f} to {summary.high:.2f})"
