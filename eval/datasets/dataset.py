"""What every labelled set becomes, whatever form its files have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from prism.types import Source

Unit = Literal["document", "page", "quote"]
"""What a set judges: whole documents (BEIR), pages of PDFs, or quoted spans of a document's text."""


@dataclass(frozen=True, slots=True)
class Quote:
    """A span that an answer rests on: it stands word for word, white space aside, in a document."""

    document: str
    text: str


@dataclass(frozen=True, slots=True)
class LabelledQuestion:
    """A question and what is known of its answer.

    `grades` judges documents or pages (unit id to grade, 0 and below not relevant); `quotes` judges spans.
    `sources` and `keywords` are the weaker gold: a passage is as expected when it comes from one of these
    documents or holds one of these strings. `answerable` is None where the set does not say. `follows` is the
    question asked before it in the same conversation. `unscorable` says why its gold cannot be found in this
    collection, and is empty when it can.
    """

    question_id: str
    text: str
    kind: str = ""
    language: str = ""
    answerable: bool | None = None
    follows: str | None = None
    grades: Mapping[str, int] = field(default_factory=dict)
    quotes: tuple[Quote, ...] = ()
    sources: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    unscorable: str = ""


@dataclass(frozen=True, slots=True)
class Dataset:
    """Documents and questions.

    `key_of` gives the id by which `grades` names a source (a BEIR corpus id, a file's key), by source name;
    pages are `KEY#pN`, N the sheet from 1. `fingerprint` is a hash of every byte that was read.
    """

    name: str
    unit: Unit
    sources: tuple[Source, ...]
    questions: tuple[LabelledQuestion, ...]
    key_of: Mapping[str, str]
    fingerprint: str
    notes: tuple[str, ...] = ()
