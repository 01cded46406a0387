"""Condense: make a follow-up searchable on its own, without a model.

A first turn is never rewritten. A later one that leans on what was said (a pronoun, an ellipsis, a word
about the last reply) is searched joined to the question before it, and beside that on its own, so that a
new subject after a misread "it" is still found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import regex

MAX_JOINED_CHARS = 400
MAX_ELLIPSIS_WORDS = 4

_PRONOUN = regex.compile(
    r"\b(its?|they|them|their|theirs|he|him|his|she|her|hers|these|those|former|latter|same|"
    r"(?:about|for|of|on|to|with|is|does|was|did|if|and) (?:this|that)|"
    r"(?:that|this) (?:one|case|rule|amount|limit)|the (?:above|other one|second one|first one))\b"
    r"|(?<!\p{L})(?:[इउ]स(?:का|की|के|में|से|पर|ने)?|[इउ]न(?:का|की|के|में|से)?|वह|वे|यह|ये|वही)(?!\p{L}|\p{M})"
    r"|[它他她]们?的?|这个|那个|それ|その|これ|この",
    regex.IGNORECASE,
)
_EXPLETIVE = regex.compile(
    r"\b(?:is|was|would|will|can|could|does|if|when|how long does|makes?|take) it "
    r"(?:be |take |cost )?(?:ok|okay|allowed|possible|permitted|necessary|mandatory|required|compulsory|"
    r"legal|safe|to|that|cost|mean|take)\b",
    regex.IGNORECASE,
)
_OPENING = regex.compile(
    r"^\W*(?:and|but|or|so|then|also|what about|how about|what if|why not|why|how so|how come|since when|"
    r"और|तो|लेकिन|फिर|क्यों|et|y|und|那|那么)\b",
    regex.IGNORECASE,
)
_QUESTION_WORD = regex.compile(
    r"\b(?:what|who|whom|whose|which|when|where|why|how|is|are|was|were|do|does|did|can|could|may|must|should|"
    r"will|would|list|show|tell|explain|describe|give|find|define)\b"
    r"|क्या|कौन|कब|कहाँ|कहां|कितन|कैसे|किस|[吗呢什哪谁几]|か[?？]?$",
    regex.IGNORECASE,
)
_ABOUT_REPLY = regex.compile(
    r"\b(?:shorten|shorter|summari[sz]e|condense|rephrase|reword|repeat|simplify|translate|expand|elaborate)\b"
    r".*\b(?:repl(?:y|ies)|answers?|response|that|it|this)\b"
    r"|\b(?:your|the) (?:last|previous) (?:reply|answer|response)\b|^\W*(?:shorter|again)\W*$",
    regex.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Standalone:
    """A question ready to search.

    `searches`: the texts to search, most complete first (one, or two for a follow-up). `focus`: what this
    turn itself asks, by which sentences are chosen. `joined`: the previous question was used.
    `brief`: the person asked for the last reply to be made shorter.
    """

    searches: tuple[str, ...]
    focus: str
    joined: bool = False
    brief: bool = False

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
    if _ABOUT_REPLY.search(text) and len(text.split()) <= 10:
        return Standalone((before,), before, joined=True, brief=True)
    if not leans_on_history(text):
        return Standalone((text,), text)
    joined = f"{before[-MAX_JOINED_CHARS:]} {text}".strip()
    return Standalone((joined, text), text, joined=True)


def leans_on_history(question: str) -> bool:
    """True when the question cannot be understood without the one before it."""
    if _OPENING.search(question):
        return True
    if _PRONOUN.search(_EXPLETIVE.sub(" ", question)):
        return True
    return len(question.split()) <= MAX_ELLIPSIS_WORDS and not _QUESTION_WORD.search(question)
