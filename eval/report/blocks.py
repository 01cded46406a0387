"""What a report is made of, whatever it is written as.

Every text in a block is plain text. The writers (`markdown.py`, `page.py`) escape it, so that a question from
a dataset is never markup. `Figure.svg` alone is markup, drawn by our own functions.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph. `is_warning`: something a reader must know before trusting the numbers."""

    text: str
    is_warning: bool = False


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading within a section."""

    text: str


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list without order."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Definitions:
    """Terms with their meanings."""

    items: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table. The first `text_columns` columns hold words, the others numbers, which are set flush right."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    text_columns: int = 1


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing. A table beside it says the same in numbers, so Markdown leaves it out."""

    caption: str
    svg: str


@dataclass(frozen=True, slots=True)
class Ranked:
    """A place of a ranking, and whether the unit is gold."""

    unit: str
    is_gold: bool


@dataclass(frozen=True, slots=True)
class QuestionDetails:
    """A question to unfold: its value and text stand open. `language` is a BCP 47 tag or empty; `facts` are
    labels with values."""

    value: str
    question: str
    language: str
    facts: tuple[tuple[str, str], ...]
    ranking: tuple[Ranked, ...]


Block = Paragraph | Heading | Bullets | Definitions | Table | Figure | QuestionDetails


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report under its title."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """A whole report."""

    title: str
    sections: tuple[Section, ...]
