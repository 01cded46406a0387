"""Whether the sentences chosen for a question are right ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from eval.datasets.dataset import LabelledQuestion
from eval.runs.locate import Gold, Piece, is_expected


@dataclass(frozen=True, slots=True)
class Judged:
    """A question under one way of choosing: whether the best sentence is right, one of the best two, or one
    of those an answer quotes; how many it quotes, and what choosing took."""

    best: bool
    best_two: bool
    quoted: bool
    quotes: int
    ms: float


def can_be_judged(question: LabelledQuestion) -> bool:
    """Whether it is known which sentences answer it: a first turn with gold quotes, or with an expected
    answer and the documents it stands in."""
    judged = question.unit == "quote" or (question.unit == "document" and bool(question.answers))
    return judged and question.answerable is not False and not question.unscorable and not question.earlier


def is_right(question: LabelledQuestion, gold: Gold, sentence: Piece) -> bool:
    """Whether a sentence holds a gold quote or lies in one; without quotes, whether it is of a document that
    answers the question and holds the expected answer."""
    if gold.grades.keys().isdisjoint(gold.units_of(sentence)):
        return False
    answered = replace(question, keywords=question.answers)
    return question.unit == "quote" or is_expected(answered, sentence) is True


def judge(
    best_two: Sequence[Piece], quoted: Sequence[Piece], right: Callable[[Piece], bool], *, ms: float
) -> Judged:
    """What was chosen, judged.

    Args:
        best_two: the two best sentences, best first; fewer where there are no more.
        quoted: those an answer would show.
    """
    found = [right(sentence) for sentence in best_two]
    return Judged(any(found[:1]), any(found), any(map(right, quoted)), len(quoted), ms)
