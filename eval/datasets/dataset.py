"""What every labelled set becomes, whatever form its files have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from prism.errors import UsageError
from prism.types import Source

Unit = Literal["document", "page", "quote", "keyword"]
"""What is judged: whole documents (BEIR), pages of PDFs, quoted spans of a document's text, or, where nothing
better is known, whether a passage holds one of some strings."""


@dataclass(frozen=True, slots=True)
class Quote:
    """A span that an answer rests on: it stands word for word, white space aside, in a document."""

    document: str
    text: str


@dataclass(frozen=True, slots=True)
class LabelledQuestion:
    """A question and what is known of its answer.

    `grades` judges documents or pages (unit id to grade, 0 and below not relevant); `quotes` judges spans, of
    which all are wanted, or any one when `any_quote`. `sources` and `keywords` are the weaker gold: a passage
    is as expected when it holds one of these strings or, where there are none, comes from one of these
    documents. `answerable` is None where the set does not say. `earlier` are the questions asked before it in
    the same conversation, oldest first. `unscorable` says why its gold cannot be found in this collection; it
    is empty when it can.
    """

    question_id: str
    text: str
    unit: Unit = "document"
    kind: str = ""
    language: str = ""
    answerable: bool | None = None
    earlier: tuple[str, ...] = ()
    grades: Mapping[str, int] = field(default_factory=dict)
    quotes: tuple[Quote, ...] = ()
    any_quote: bool = False
    sources: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    unscorable: str = ""


@dataclass(frozen=True, slots=True)
class Dataset:
    """Documents and questions.

    `key_of` gives the id by which `grades` names a source (a BEIR corpus id, a file's key), by source name;
    pages are `KEY#pN`, N the sheet from 1. `fingerprint` is a hash of every byte that was read. `notes` say
    what a reader of the figures should know of the set.
    """

    name: str
    sources: tuple[Source, ...]
    questions: tuple[LabelledQuestion, ...]
    key_of: Mapping[str, str]
    fingerprint: str
    notes: tuple[str, ...] = ()

    @property
    def units(self) -> tuple[Unit, ...]:
        """What its questions are judged by, each once."""
        return tuple(dict.fromkeys(question.unit for question in self.questions))


def page_id(key: str, sheet: int) -> str:
    """The id of a page: `KEY#pN`."""
    return f"{key}#p{sheet}"


def in_conversations(
    questions: Sequence[LabelledQuestion], follows: Mapping[str, str]
) -> tuple[LabelledQuestion, ...]:
    """The questions, each with those asked before it.

    Args:
        follows: by question id, the id of the question that comes right before it.

    Raises:
        UsageError: a question follows one that is not there, or itself.
    """
    text_of = {question.question_id: question.text for question in questions}

    def earlier(question_id: str) -> tuple[str, ...]:
        before: list[str] = []
        passed = {question_id}
        while (question_id := follows.get(question_id, "")) != "":
            if question_id in passed or question_id not in text_of:
                raise UsageError(f"A question follows {question_id!r}, which is not there or follows itself.")
            passed.add(question_id)
            before.append(text_of[question_id])
        return tuple(reversed(before))

    return tuple(replace(question, earlier=earlier(question.question_id)) for question in questions)
