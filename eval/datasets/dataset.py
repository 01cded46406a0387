"""What every labelled set becomes, whatever form its files have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
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
class PageName:
    """A page by what a person calls it: the label printed on it (`iv`, `12`), else its place in the file."""

    document: str
    page: str


@dataclass(frozen=True, slots=True)
class LabelledQuestion:
    """A question and what is known of its answer.

    `grades` judges documents or pages (unit id to grade, 0 and below not relevant); `pages` are pages that a
    person named, looked up in the documents as read; `quotes` judges spans, of which all are wanted, or any
    one when `any_quote`; one without a document may stand in any of `sources`, or anywhere where there are
    none. `sources` and `keywords` are the weaker gold: a passage is as expected when it holds one of these
    strings or, where there are none, comes from one of these documents. `answerable` is None where the set
    does not say. `earlier` are the questions asked before it in the same conversation, oldest first.
    `about` names the document that one without an answer was asked about, where the set tells it.
    `unscorable` says why its gold cannot be found in this collection; it is empty when it can.
    """

    question_id: str
    text: str
    unit: Unit = "document"
    kind: str = ""
    language: str = ""
    answerable: bool | None = None
    earlier: tuple[str, ...] = ()
    grades: Mapping[str, int] = field(default_factory=dict)
    pages: tuple[PageName, ...] = ()
    quotes: tuple[Quote, ...] = ()
    any_quote: bool = False
    sources: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    about: str = ""
    unscorable: str = ""


@dataclass(frozen=True, slots=True)
class Dataset:
    """Documents and questions.

    `key_of` gives the id by which `grades` names a source (a BEIR corpus id, a file's key), by source name;
    pages are `KEY#pN`, N the sheet from 1. `fingerprint` is a hash of every byte that was read. `notes` say
    what a reader of the figures should know of the set.

    Raises:
        UsageError: two questions have one id; results are compared by it.
    """

    name: str
    sources: tuple[Source, ...]
    questions: tuple[LabelledQuestion, ...]
    key_of: Mapping[str, str]
    fingerprint: str
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        times = Counter(question.question_id for question in self.questions)
        if repeated := [question_id for question_id, count in times.items() if count > 1]:
            raise UsageError(
                f"{self.name}: several questions have the id {repeated[0]!r}. Give each its own."
            )

    @property
    def units(self) -> tuple[Unit, ...]:
        """What its questions are judged by, each once; where none can be judged, what they were to be."""
        judged = [item for item in self.questions if not item.unscorable and item.answerable is not False]
        return tuple(dict.fromkeys(question.unit for question in judged or self.questions))


def page_id(key: str, sheet: int) -> str:
    """The id of a page: `KEY#pN`."""
    return f"{key}#p{sheet}"


def in_conversations(
    questions: Sequence[LabelledQuestion], follows: Mapping[str, str], file: Path
) -> tuple[LabelledQuestion, ...]:
    """The questions, each with those asked before it.

    Args:
        follows: by question id, the id of the question that comes right before it.
        file: where that stands.

    Raises:
        UsageError: a question follows one that is not there, or itself.
    """
    text_of = {question.question_id: question.text for question in questions}

    def earlier(question_id: str) -> tuple[str, ...]:
        before: list[str] = []
        passed = {question_id}
        while previous := follows.get(question_id, ""):
            if previous in passed or previous not in text_of:
                wrong = "in a circle" if previous in passed else "which is not there"
                raise UsageError(
                    f"{file}: question {question_id!r} follows {previous!r}, {wrong}. Name the id of the "
                    "question asked right before it."
                )
            passed.add(previous)
            before.append(text_of[previous])
            question_id = previous
        return tuple(reversed(before))

    return tuple(replace(question, earlier=earlier(question.question_id)) for question in questions)
