"""The dozen questions, one kind of trouble each; half of them under default settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from eval.golden.types import Variant


@dataclass(frozen=True, slots=True)
class Question:
    """A question to record. `earlier`: questions asked before it in the same conversation; `document`: the
    only document it may look at."""

    question_id: str
    text: str
    variant: Variant
    earlier: tuple[str, ...] = ()
    document: str | None = None


QUESTIONS: Final = (
    Question("plain-laptop", "My laptop was taken on the train. How soon must I tell somebody?", "fixed"),
    Question("identifier-error", "How do I fix error 0x80070005?", "fixed"),
    Question("identifier-clause", "What does a member owe under 17(b)?", "default"),
    Question("table-courier", "What does it cost to have a card sent by courier?", "fixed"),
    Question("table-window", "By when must members pay in for window W9?", "default"),
    Question("superseded-wallet", "What is the most a small wallet may hold today?", "fixed"),
    Question("hindi-complaint", "शिकायत का जवाब कब तक मिलता है?", "default"),
    Question(
        "follow-up-notice",
        "And during probation?",
        "fixed",
        # Two, so that it shows which of them the question is joined to.
        earlier=("What does a member owe under 17(b)?", "How much notice must a manager give?"),
    ),
    Question("unanswerable-bank", "Who lends to the Network at night?", "default"),
    Question("unanswerable-dress", "Is there a dress code for counter staff?", "fixed"),
    Question(
        "pdf-pool",
        "If a member's own deposit runs out, what covers the missing money?",
        "default",
    ),
    Question(
        "scoped-wallet",
        "How long does a first payment to a new person wait?",
        "default",
        document="wallet-circular-2022-14.txt",
    ),
)
