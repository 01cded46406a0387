"""Whether the right questions are refused: figures of a whole set.

Refusing is seen as finding the unanswerable questions, with precision and recall as for any classifier
(Rajpurkar, Jia & Liang 2018 ask for such questions). Each figure is the mean of 0 or 1 over the questions it
is about, so that a row tells its share of all four.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from eval.metrics.gold import relevant
from eval.metrics.metric import Metric
from eval.outcome.row import Row

METRICS: Final = (
    Metric("refusal_precision", "refusal precision", "of the refused questions, the share without an answer"),
    Metric("refusal_recall", "refusal recall", "of the questions without an answer, the share refused"),
    Metric(
        "abstain_rate",
        "abstain rate",
        "share of the judged questions that were refused; neither high nor low is good in itself",
        higher_is_better=None,
    ),
    Metric(
        "wrongly_refused",
        "wrongly refused",
        "of the questions with an answer, the share refused",
        higher_is_better=False,
    ),
)


def is_answerable(row: Row) -> bool | None:
    """Whether the collection answers it: as the set says, else True where the row has gold; None: unknown.

    Nothing is known of an unscorable question that the set calls answerable: its answer is not in this
    collection as the set has it.
    """
    if row.answerable is None or (row.answerable and row.unscorable):
        return True if relevant(row) else None
    return row.answerable


def is_judged(row: Row) -> bool:
    """Whether the gate spoke."""
    return row.abstained is not None and not row.error


def refusal(row: Row) -> Mapping[str, float | None]:
    """The row's 0 or 1 for each figure, None where the figure is not about it."""
    refused = row.abstained is True
    answerable = is_answerable(row)
    applies = {
        "refusal_precision": (refused and answerable is not None, answerable is False),
        "refusal_recall": (answerable is False, refused),
        "abstain_rate": (True, refused),
        "wrongly_refused": (answerable is True, refused),
    }
    judged = is_judged(row)
    return {name: float(value) if judged and counts else None for name, (counts, value) in applies.items()}
