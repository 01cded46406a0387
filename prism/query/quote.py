"""Quote: answer without a language model, by the best sentences as written.

On two hundred questions over unseen articles the best sentence quoted held the expected answer far more
often than a small model's own words did (docs/answering.md). Every quote is verbatim, with its [n].
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import regex
from numpy.typing import NDArray

from prism.query.cite import disarm
from prism.query.copies import same_words
from prism.text.sentences import sentence_spans
from prism.types import Passage

MAX_QUOTE_CHARS = 420
RANK_WEIGHT = 0.25
HANDED_ON = 0.95
HANDED_ON_SENTENCES = 3

MAX_TITLE_WORDS = 10
_SAYS_SOMETHING = regex.compile(
    r"\p{Nd}| \| |: |\b(?:is|are|was|were|has|have|must|may|shall|can|will|does|do|not|cannot|applies)\b"
    r"|(?<!\p{L})(?:है|हैं|था|थी|थे|होगा|होगी|होंगे|नहीं|करें|दें|लें)(?!\p{L}|\p{M})",
    regex.IGNORECASE,
)
_NUMBERING = regex.compile(r"^\s*\(?(?:\p{Nd}{1,3}(?:\.\p{Nd}{1,3})*|[a-z]|[ivx]+)[.)]*\s+", regex.IGNORECASE)
_ENDS_IN_A_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]$")
_SUBJECT_LINE = regex.compile(r"(?:subject|sub|re|विषय)\s*[:.]\s", regex.IGNORECASE)

Coverage = Callable[[str], float]
"""IDF-weighted share of the question's terms that a text holds, in [0, 1]."""


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of a passage worth quoting. `start:end` are document offsets; `ranks` the passages that hold
    these very words, best first; `clause` the numbered clauses they belong to."""

    text: str
    start: int
    end: int
    ranks: tuple[int, ...]
    header: str
    clause: str
    score: float


@dataclass(frozen=True, slots=True)
class Meaning:
    """How near sentences come to what the question means.

    `nearness`: in [-1, 1] for each sentence, shape (n,). `weight`: what it counts where the share of terms
    counts 1. `most`: how many sentences it is asked of, those that hold most terms; the others count 0.
    """

    nearness: Callable[[Sequence[Quote]], NDArray[np.floating]]
    weight: float
    most: int | None = None


def score_sentences(
    passages: Sequence[Passage],
    *,
    coverage: Coverage,
    references: Callable[[Passage, int, int], str],
    meaning: Meaning | None,
    headings: Collection[str],
) -> tuple[Quote, ...]:
    """Every sentence of the passages that could be quoted, best first.

    Args:
        references: the clauses (`7(b)`) that a stretch of document offsets belongs to.
        meaning: None when the embedder cannot read the question.
        headings: texts that are titles or headings, wherever they stand.
    """
    pieces = [piece for passage in passages for piece in _sentences(passage, references)]
    columns = {_reading(line) for passage in passages for line in passage.header.splitlines()}
    rows = [piece for piece in pieces if _reading(piece.text) not in columns]
    scored = _score(rows, coverage, meaning, frozenset(map(_reading, headings)))
    return tuple(sorted(scored, key=lambda item: (-item.score, item.ranks, item.start)))


def choose_quotes(scored: Sequence[Quote], *, max_quotes: int, ratio: float) -> tuple[Quote, ...]:
    """The sentences to quote, best first; the same words in two passages are one quote with two marks.

    Args:
        scored: best first.
        ratio: a further quote must score at least this share of the best one.
    """
    chosen: list[Quote] = []
    letters_of: list[str] = []
    for quote in scored:
        # Reading words takes ten times as long, and nearly all sentences differ in their letters.
        letters = "".join(filter(str.isalnum, quote.text.casefold()))
        alike = (index for index, other in enumerate(letters_of) if other == letters)
        twin = next((index for index in alike if same_words(chosen[index].text, quote.text)), None)
        if twin is not None:
            ranks = tuple(dict.fromkeys((*chosen[twin].ranks, *quote.ranks)))
            chosen[twin] = replace(chosen[twin], ranks=ranks)
        elif not chosen or (len(chosen) < max_quotes and quote.score >= ratio * chosen[0].score):
            chosen.append(quote)
            letters_of.append(letters)
    return tuple(chosen)


def write_quotes(quotes: Sequence[Quote]) -> str:
    """The answer: one quote a line, each followed by its marks."""
    lines = []
    for quote in quotes:
        marks = "".join(f"[{rank}]" for rank in quote.ranks)
        shown = disarm(" ".join(quote.text.split()))
        columns = f"({disarm(quote.header)}) " if quote.header else ""
        lines.append(f"{columns}{shown} {marks}")
    return "\n".join(lines)


def quote_spans(quotes: Sequence[Quote]) -> Mapping[int, tuple[tuple[int, int], ...]]:
    """Document offsets of the words quoted, by citation number, best quote first."""
    spans: dict[int, tuple[tuple[int, int], ...]] = {}
    for quote in quotes:
        rank = quote.ranks[0]
        spans[rank] = (*spans.get(rank, ()), (quote.start, quote.end))
    return spans


def _sentences(passage: Passage, references: Callable[[Passage, int, int], str]) -> list[Quote]:
    found = []
    for start, end in sentence_spans(passage.text):
        piece = passage.text[start:end]
        lead = len(piece) - len(piece.lstrip())
        words = piece.strip()
        if any(character.isalnum() for character in words):
            begin = passage.start + start + lead
            header = _columns_at(passage, start) if " | " in words else ""
            clause = references(passage, begin, begin + len(words))
            found.append(Quote(words, begin, begin + len(words), (passage.rank,), header, clause, 0.0))
    return found


def _columns_at(passage: Passage, position: int) -> str:
    """The column names of the table that a row at `position` of the passage's text belongs to: those written
    last above it, else the passage's first, whose table began before it."""
    columns = passage.header.splitlines()
    return max(columns, key=lambda line: passage.text.rfind(line, 0, position), default="")


def _score(
    pieces: Sequence[Quote], coverage: Coverage, meaning: Meaning | None, headings: frozenset[str]
) -> list[Quote]:
    terms = [coverage(f"{piece.clause}\n{piece.header}\n{piece.text}") for piece in pieces]
    first = sorted(range(len(pieces)), key=lambda index: (-terms[index], pieces[index].ranks, index))
    meant = dict.fromkeys(range(len(pieces)), 0.0)
    if meaning is not None and pieces:
        near = first[: meaning.most]
        found = meaning.nearness([pieces[index] for index in near])
        meant |= {index: meaning.weight * float(value) for index, value in zip(near, found, strict=True)}
    own = [
        replace(piece, score=meant[index] + terms[index] + RANK_WEIGHT / piece.ranks[0])
        for index, piece in enumerate(pieces)
    ]
    return [_window(piece, coverage) for piece in _hand_on(own, headings) or own]


def _hand_on(pieces: Sequence[Quote], headings: frozenset[str]) -> list[Quote]:
    """The pieces without headings and printed questions: what those are about is said in the sentences after
    them, which take over their score."""
    kept: list[Quote] = []
    handed_on, sentences_left = 0.0, 0
    for index, piece in enumerate(pieces):
        if not sentences_left or pieces[index - 1].ranks != piece.ranks:
            handed_on = 0.0
        is_heading = _reading(piece.text) in headings or _asks_or_titles(piece.text)
        is_last = index + 1 == len(pieces) or pieces[index + 1].ranks != piece.ranks
        if is_heading and not is_last:
            handed_on, sentences_left = HANDED_ON * max(piece.score, handed_on), HANDED_ON_SENTENCES
            continue
        kept.append(replace(piece, score=max(piece.score, handed_on)))
        handed_on, sentences_left = HANDED_ON * handed_on, max(0, sentences_left - 1)
    return kept


def _asks_or_titles(text: str) -> bool:
    if text.endswith(("?", "？", "؟", ":", "：")) or _SUBJECT_LINE.match(text):
        return True
    says_something = _SAYS_SOMETHING.search(_NUMBERING.sub("", text)) is not None
    return not says_something and bool(_ENDS_IN_A_WORD.search(text)) and len(text.split()) <= MAX_TITLE_WORDS


def _window(quote: Quote, coverage: Coverage) -> Quote:
    """A very long sentence cut to the stretch that holds most of the question, at blanks."""
    if len(quote.text) <= MAX_QUOTE_CHARS:
        return quote
    starts = [0, *(index + 1 for index, char in enumerate(quote.text) if char.isspace())]
    step = max(1, len(starts) // 40)
    windows = [(begin, _cut(quote.text, begin)) for begin in starts[::step]]
    begin, end = max(windows, key=lambda span: (coverage(quote.text[span[0] : span[1]]), -span[0]))
    return replace(quote, text=quote.text[begin:end], start=quote.start + begin, end=quote.start + end)


def _cut(text: str, begin: int) -> int:
    limit = begin + MAX_QUOTE_CHARS
    if limit >= len(text):
        return len(text.rstrip())
    blank = text.rfind(" ", begin + MAX_QUOTE_CHARS // 2, limit)
    return blank if blank > 0 else limit


def _reading(text: str) -> str:
    return " ".join(text.casefold().split())
