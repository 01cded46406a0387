"""Which judged units a piece of text holds: the document it is of, the pages it lies on, the quotes in it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from eval.datasets.dataset import LabelledQuestion, PageName, page_id
from eval.runs.sheets import sheets_of
from prism.ingest.clean import clean
from prism.types import PageRef, PageSpan, SourceText

HELD_SHARE: Final = 0.5
"""A piece holds a quote when it covers half of it (or, of a quote longer than itself, is half covered): with
less a reader could not tell what is said, and more would punish a cut that falls inside the quote."""

MARKS: Final = ("'’‘ʼ`´", '"“”„«»', "-‐‑‒–—−")
"""Apostrophes, quotation marks, dashes: each mark in the shapes it is written in."""

KEYWORD_UNIT: Final = "one of its keywords"


@dataclass(frozen=True, slots=True)
class Piece:
    """A passage or leaf by its place: document name, the pages it lies on, offsets, and what it says, the
    column names of its table included."""

    document: str
    pages: tuple[PageRef, ...]
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Span:
    """A place in a document's text."""

    document: str
    start: int
    end: int


UnitsOf = Callable[[Piece], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Gold:
    """What a question's answer rests on, in this collection.

    `grades`: relevant units and their grade. `units_of` names the units a piece holds; one that holds nothing
    judged gets a name of its own, so that a ranking has a place for it. `missing` says what of it is nowhere.
    """

    grades: Mapping[str, int]
    units_of: UnitsOf
    missing: tuple[str, ...] = ()


def gold_of(
    question: LabelledQuestion,
    key_of: Mapping[str, str],
    text_of: Callable[[str], str],
    pages_of: Callable[[str], Sequence[PageSpan]],
) -> Gold:
    """A question's gold; none where the set calls it unanswerable.

    Args:
        key_of: judged id by document name; a document without one goes by its name.
        text_of: the stored text of a document, by name; empty when it is not there.
        pages_of: its pages as read.
    """
    gold = _gold_of(question, key_of, text_of, pages_of)
    return replace(gold, grades={}, missing=()) if question.answerable is False else gold


def _gold_of(
    question: LabelledQuestion,
    key_of: Mapping[str, str],
    text_of: Callable[[str], str],
    pages_of: Callable[[str], Sequence[PageSpan]],
) -> Gold:
    if question.unit == "quote":
        return _quoted(question, key_of, text_of)
    if question.unit == "keyword":
        return _by_keyword(question.keywords, key_of, text_of)
    if question.pages:
        return _paged(question.pages, key_of, pages_of)
    relevant = {unit: grade for unit, grade in question.grades.items() if grade > 0}
    is_page = question.unit == "page"
    wanted = {unit.rpartition("#p")[0] if is_page else unit for unit in relevant}
    # A document without text was not indexed: nothing of it can be found, by whatever means.
    there = {key for name, key in key_of.items() if key in wanted and text_of(name)}
    grades = {
        unit: grade
        for unit, grade in relevant.items()
        if (unit.rpartition("#p")[0] if is_page else unit) in there
    }
    missing = ("the documents that answer it were not indexed",) if relevant and not grades else ()
    if is_page:
        return Gold(grades, lambda piece: _page_ids(piece, key_of), missing)
    return Gold(grades, lambda piece: (key_of.get(piece.document, piece.document),), missing)


def _page_ids(piece: Piece, key_of: Mapping[str, str]) -> tuple[str, ...]:
    key = key_of.get(piece.document, piece.document)
    return tuple(page_id(key, page.sheet) for page in piece.pages)


def _paged(
    pages: Sequence[PageName], key_of: Mapping[str, str], pages_of: Callable[[str], Sequence[PageSpan]]
) -> Gold:
    """Pages by the names that a person gave them. Of sheets with the same label any one answers."""
    unit_of: dict[str, str] = {}
    missing: list[str] = []
    for page in pages:
        key = key_of.get(page.document, page.document)
        spans = pages_of(page.document)
        found = sheets_of(page.page, spans)
        for sheets in found:
            unit_of |= {page_id(key, sheet): page_id(key, sheets[0]) for sheet in sheets}
        if not found:
            labels = ", ".join(dict.fromkeys(span.label for span in spans))
            missing.append(
                f"there is no page {page.page!r} in {page.document!r} as read "
                f"(its pages: {labels[:80] or 'none'})"
            )
    return Gold(
        dict.fromkeys(unit_of.values(), 1),
        lambda piece: tuple(dict.fromkeys(unit_of.get(unit, unit) for unit in _page_ids(piece, key_of))),
        tuple(missing),
    )


def rank_units(pieces: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """The units of pieces in their order, each once, where it first came. A unit that comes again neither
    gains nor costs a rank (as with the best passage of a document; Dai & Callan 2019, MaxP)."""
    return tuple(dict.fromkeys(unit for units in pieces for unit in units))


def is_expected(question: LabelledQuestion, piece: Piece) -> bool | None:
    """Whether a piece comes from an expected document or holds an expected keyword; None where the set names
    neither. Where it names keywords, they decide: the right document is not yet the right place."""
    if question.keywords:
        return _holds_keyword(piece.text, question.keywords)
    if question.sources:
        return piece.document in question.sources
    return None


def find_quote(quote: str, text: str) -> tuple[tuple[int, int], ...]:
    """Every place of a quote in a stored text, white space, normal form and what cleaning removes aside, and
    the shapes of apostrophes, quotation marks and dashes, which spreadsheets change while one types. Capitals
    count only where the quote stands with its own somewhere.

    Where it stands as whole words, places inside other words do not count: `5 days` is not in `15 days`.
    """
    # A stored text is clean, and so must be what is looked for in it.
    words = [_shape(word) for word in clean(SourceText(quote, "", "", ())).text.split()]
    if not words:
        return ()
    pattern = r"\s*".join(words)
    spans = _spans(pattern, text, 0) or _spans(pattern, text, re.IGNORECASE)
    return tuple(span for span in spans if _is_whole(span, text)) or spans


def _spans(pattern: str, text: str, flags: int) -> tuple[tuple[int, int], ...]:
    return tuple(match.span() for match in re.finditer(pattern, text, flags))


def _shape(word: str) -> str:
    """A pattern for a word in which marks may have any of their shapes."""
    return "".join(
        next((f"[{re.escape(shapes)}]" for shapes in MARKS if letter in shapes), re.escape(letter))
        for letter in word
    )


def _is_whole(span: tuple[int, int], text: str) -> bool:
    """Whether no word goes on at either end."""
    start, end = span
    return not any(
        0 < at < len(text) and _in_word(text[at - 1]) and _in_word(text[at]) for at in (start, end)
    )


def _in_word(letter: str) -> bool:
    """Letters, digits, and the marks that many scripts write vowels with."""
    return unicodedata.category(letter)[0] in "LMN"


def _quoted(question: LabelledQuestion, key_of: Mapping[str, str], text_of: Callable[[str], str]) -> Gold:
    places: dict[str, list[Span]] = {}
    missing: list[str] = []
    for quote in question.quotes:
        documents = [quote.document] if quote.document else question.sources or list(key_of)
        spans = [
            Span(document, start, end)
            for document in documents
            for start, end in find_quote(quote.text, text_of(document))
        ]
        if spans:
            places[f"{spans[0].document}@{spans[0].start}-{spans[0].end}"] = spans
        else:
            missing.append(f"its quote does not stand in the document as read: {quote.text[:80]!r}")

    if question.any_quote and places:
        # Either answers: whoever finds one has found what there is to find.
        places = {next(iter(places)): [span for spans in places.values() for span in spans]}
        missing = []

    def units_of(piece: Piece) -> tuple[str, ...]:
        held = tuple(unit for unit, spans in places.items() if any(_holds(piece, span) for span in spans))
        return held or (_own_name(piece),)

    return Gold(dict.fromkeys(places, 1), units_of, tuple(missing))


def _holds(piece: Piece, span: Span) -> bool:
    if piece.document != span.document:
        return False
    shared = min(piece.end, span.end) - max(piece.start, span.start)
    return shared > 0 and shared >= HELD_SHARE * min(span.end - span.start, piece.end - piece.start)


def _by_keyword(keywords: Sequence[str], key_of: Mapping[str, str], text_of: Callable[[str], str]) -> Gold:
    def units_of(piece: Piece) -> tuple[str, ...]:
        return (KEYWORD_UNIT,) if _holds_keyword(piece.text, keywords) else (_own_name(piece),)

    if keywords and not any(_holds_keyword(text_of(name), keywords) for name in key_of):
        named = ", ".join(map(repr, keywords))
        return Gold({}, units_of, (f"none of its keywords stands in any document as read: {named}",))
    return Gold({KEYWORD_UNIT: 1} if keywords else {}, units_of)


def _holds_keyword(text: str, keywords: Sequence[str]) -> bool:
    """Whether one of the keywords stands in the text as whole words: `15 rupees` is not in `115 rupees`."""
    return any(any(_is_whole(span, text) for span in find_quote(keyword, text)) for keyword in keywords)


def _own_name(piece: Piece) -> str:
    return f"{piece.document}@{piece.start}-{piece.end}"
