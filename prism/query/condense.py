"""Condense: make a follow-up searchable on its own, without a model.

A first turn is never rewritten. A later one that leans on what was said (a pronoun, an ellipsis, a word
about the last reply) is searched joined to the question before it, and beside that on its own, so that a
new subject after a misread "it" is still found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from prism.query.follow_up import asks_about_reply, asks_for_shorter, is_bare_ellipsis, leans_on_history
from prism.text.sentences import sentence_spans

MAX_JOINED_CHARS = 400
"""How much of the question before is joined, from its end."""


@dataclass(frozen=True, slots=True)
class Standalone:
    """A question ready to search.

    `searches`: the texts to search, most complete first (one, or two for a follow-up). `focus`: what this
    turn itself asks, by which sentences are chosen. `joined`: the previous question was used.
    `brief`: the person asked for the last reply to be made shorter. `is_guess`: only its shortness made us
    join it, so what is found must have to do with this turn's own words.
    """

    searches: tuple[str, ...]
    focus: str
    joined: bool = False
    brief: bool = False
    is_guess: bool = False

    @property
    def text(self) -> str:
        """The most complete form; what rerankers and answerers read."""
        return self.searches[0]


def condense(question: str, previous: Sequence[str] = ()) -> Standalone:
    """The question as it should be searched.

    Args:
        question: this turn, as typed.
        previous: standalone forms of earlier questions, oldest first; empty on a first turn.
    """
    text = question.strip()
    if not previous:
        return Standalone((text,), text)
    before = previous[-1]
    if asks_about_reply(text):
        return Standalone((before,), _last_sentence(before), joined=True, brief=asks_for_shorter(text))
    if not leans_on_history(text):
        return Standalone((text,), text)
    joined = f"{_end_of(before)} {text}".strip()
    return Standalone((joined, text), text, joined=True, is_guess=is_bare_ellipsis(text))


def _last_sentence(text: str) -> str:
    """What the last turn asked itself, at the end of what it was joined to."""
    return next((text[start:end].strip() for start, end in reversed(sentence_spans(text))), text)


def _end_of(text: str) -> str:
    """The last words that fit."""
    if len(text) <= MAX_JOINED_CHARS:
        return text
    end = text[-MAX_JOINED_CHARS:]
    return end.split(maxsplit=1)[-1] if " " in end else end
