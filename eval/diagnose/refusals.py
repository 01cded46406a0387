"""Are the right questions refused?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from eval.diagnose.finding import LEAST_QUESTIONS, Finding, setting
from eval.outcome.result import Result, Summary

MANY_REFUSED: Final = 0.1
"""Share of answerable questions refused: beyond one in ten people stop asking."""

FEW_CAUGHT: Final = 0.7
"""Share of unanswerable questions refused: below it three in ten get an answer that stands in no document."""

THRESHOLD: Final = "gate.threshold"


def diagnose_refusals(result: Result) -> Iterator[Finding]:
    """One finding where many answerable questions are refused, many unanswerable ones answered, or both."""
    refused, caught = (_enough(result, name) for name in ("wrongly_refused", "refusal_recall"))
    refuses_much = refused is not None and refused.mean > MANY_REFUSED
    lets_through = caught is not None and caught.mean < FEW_CAUGHT
    refused_words = f"{_share(refused, refused.mean)} answerable questions are refused" if refused else ""
    answered_words = (
        f"{_share(caught, 1 - caught.mean)} unanswerable questions are answered" if caught else ""
    )
    if refuses_much and lets_through:
        yield Finding(
            "gate_blind",
            f"The gate does not tell the two apart: {refused_words}, and {answered_words}.",
            f"No {THRESHOLD} mends both: fit the gate's weights to questions like these "
            "(python -m eval calibrate).",
        )
    elif refuses_much:
        yield Finding("refuses_much", f"{refused_words}.", f"A lower threshold: {_threshold(result)}.")
    elif lets_through:
        yield Finding(
            "answers_unanswerable", f"{answered_words}.", f"A higher threshold: {_threshold(result)}."
        )


def _threshold(result: Result) -> str:
    """The setting with its value; without one the calibration has its own, which every trace tells."""
    if result.settings.get(THRESHOLD) is None:
        return f"{THRESHOLD} (now the calibration's own, which each trace tells)"
    return setting(result, THRESHOLD)


def _enough(result: Result, name: str) -> Summary | None:
    summary = result.metrics.get(name)
    return None if summary is None or summary.questions < LEAST_QUESTIONS else summary


def _share(summary: Summary, mean: float) -> str:
    return f"{round(mean * summary.questions)} of {summary.questions}"
