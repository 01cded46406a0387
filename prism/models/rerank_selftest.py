"""Does a reranker rank? Five questions, each with one right passage among five.

A trained reranker puts the right passage first for at least four questions; random scores do so once
in 150 times: 5·(1/5)⁴·(4/5) + (1/5)⁵ = 0.0067. And it tells strong matches apart: five different right pairs
have five different scores, unless something rounds them to the same 1.0.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

QUESTIONS = (
    "How many days of annual leave does an employee get?",
    "At what temperature does water boil at sea level?",
    "What is the fee for replacing a lost bank card?",
    "How do I reset the router to factory settings?",
    "Which river flows through Paris?",
)
PASSAGES = (
    "Every employee gets twenty-four days of annual leave, to be taken within the calendar year.",
    "At sea level water boils at a temperature of one hundred degrees Celsius.",
    "For replacing a lost bank card a fee of two hundred rupees is charged.",
    "To reset the router to its factory settings, hold the button on the back for ten seconds.",
    "The Seine is the river that flows through Paris on its way to the Channel.",
)
"""`PASSAGES[i]` answers `QUESTIONS[i]`."""

_REQUIRED_FIRSTS = 4
_REQUIRED_SCORES = 3
"""Of five; two may meet by chance where weights are kept in sixteen bits."""


class Verdict(Enum):
    """`DEAD`: all scores equal. `DOUBTFUL`: they differ, but wrong passages win. `SATURATED`: right passages
    win, and most of them by the very same score."""

    FINE = auto()
    DOUBTFUL = auto()
    SATURATED = auto()
    DEAD = auto()


def judge(scores: Sequence[Sequence[float]]) -> Verdict:
    """Verdict on a square of finite scores, `scores[question][passage]`; an equal best counts as lost."""
    if all(len(set(row)) <= 1 for row in scores):
        return Verdict.DEAD
    firsts = sum(
        row[right] > max(score for passage, score in enumerate(row) if passage != right)
        for right, row in enumerate(scores)
    )
    if firsts < _REQUIRED_FIRSTS:
        return Verdict.DOUBTFUL
    rights = {row[right] for right, row in enumerate(scores)}
    return Verdict.FINE if len(rights) >= _REQUIRED_SCORES else Verdict.SATURATED
