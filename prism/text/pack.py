"""Cut a text into chunks of bounded length, level within level, without losing a character's place.

Sentences are packed whole. One that is longer than a chunk is cut between words, a word that is longer
between graphemes, a grapheme that is longer is passed whole; so is a row of a table, within bounds of its own
(`division.py`). Chunks of a level are as even as they can be without being more: filling each to the brim
leaves a stump at the end of every parent.

All spans are half-open character offsets into the text; a chunk's span starts and ends at a visible
character, and chunks with none are left out.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from prism.text.division import Division
from prism.text.sentences import grapheme_spans

Measure = Callable[[str], int]

MAX_CHARS_PER_TOKEN: Final = 8
"""A text never counts for fewer tokens than one per this many visible characters.

A WordPiece vocabulary reads any word of more than 100 letters, such as a line of Thai, as a single unknown
token; without a floor, such a text would be one chunk however long it is. English has four to five."""

_INVISIBLE: Final = frozenset({"Zs", "Zl", "Zp", "Cc", "Cf"})
_REMEMBERED: Final = 1 << 14
"""Distinct short texts whose length is kept: words come again, sentences hardly."""

_SHORT_CHARS: Final = 32


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of text that is packed as a whole; `tokens` is its length."""

    start: int
    end: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Chunk:
    """A span of one level. `parent` is its place in the level above, None at the top; `tokens` the length of
    the units it was packed from."""

    start: int
    end: int
    parent: int | None
    tokens: int


Levels = tuple[tuple[Chunk, ...], ...]
"""Chunks of every level, largest size first, each level in document order; the last are the leaves."""


def chunk_levels(division: Division, sizes: Sequence[int], measure: Measure, *, overlap: int = 0) -> Levels:
    """The chunks of a text.

    Args:
        sizes: upper bounds in tokens, from the top level down to the leaves.
        measure: length of a text in tokens, see `floored`; called about once per sentence.
        overlap: up to this many tokens of whole sentences are repeated from leaf to leaf, within a parent.
    """
    text = division.text
    above: list[tuple[int | None, list[Unit]]] = [(None, measured(text, division.pieces(), measure))]
    levels: list[tuple[Chunk, ...]] = []
    for depth, size in enumerate(sizes):
        is_leaf_level = depth == len(sizes) - 1
        chunks: list[Chunk] = []
        below: list[tuple[int | None, list[Unit]]] = []
        for parent, units in above:
            fitting = list(fit(units, size, division, measure))
            for group in pack(fitting, size, overlap if is_leaf_level else 0):
                span = visible_span(text, group[0].start, group[-1].end)
                if span is not None:
                    below.append((len(chunks), group))
                    chunks.append(Chunk(*span, parent, sum(unit.tokens for unit in group)))
        levels.append(tuple(chunks))
        above = below
    return tuple(levels)


def pack(units: Sequence[Unit], size: int, overlap: int = 0) -> list[list[Unit]]:
    """Units grouped in order into the fewest groups of at most `size` tokens, as even as possible.

    A unit longer than `size` is a group by itself. With an `overlap`, a group starts with the last units of
    the one before, never with all of it.
    """
    groups = list(fill(units, size, overlap))
    low, high = max((unit.tokens for unit in units if unit.tokens <= size), default=size), size
    while len(groups) > 1 and low < high:
        middle = (low + high) // 2
        evener = list(fill(units, middle, overlap))
        if len(evener) > len(groups):
            low = middle + 1
        else:
            groups, high = evener, middle
    return groups


def fill(units: Iterable[Unit], size: int, overlap: int = 0) -> Iterator[list[Unit]]:
    """Units grouped in order, each group as full as `size` tokens allow."""
    group: list[Unit] = []
    length = 0
    for unit in units:
        if group and length + unit.tokens > size:
            yield group
            group = _tail(group, min(overlap, size - unit.tokens))
            length = sum(kept.tokens for kept in group)
        group.append(unit)
        length += unit.tokens
    if group:
        yield group


def fit(units: Iterable[Unit], size: int, division: Division, measure: Measure) -> Iterator[Unit]:
    """The units, those longer than `size` cut into even pieces at the coarsest places that do."""
    for unit in units:
        if unit.tokens <= size or division.keeps_whole(unit.start, unit.end, unit.tokens):
            yield unit
            continue
        spans = division.finer(unit.start, unit.end)
        if len(spans) == 1:
            yield from hard_cut(division.text, unit, size, measure)
            continue
        pieces = list(fit(measured(division.text, spans, measure), size, division, measure))
        for group in pack(pieces, size):
            yield Unit(group[0].start, group[-1].end, sum(piece.tokens for piece in group))


def hard_cut(text: str, unit: Unit, size: int, measure: Measure) -> Iterator[Unit]:
    """A word as it is, or in pieces of equally many graphemes, cut again until each fits."""
    if unit.tokens <= size:
        yield unit
        return
    graphemes = grapheme_spans(text[unit.start : unit.end])
    step = math.ceil(len(graphemes) / math.ceil(unit.tokens / size))
    if step == len(graphemes):
        yield unit
        return
    pieces = [
        (unit.start + graphemes[first][0], unit.start + graphemes[min(first + step, len(graphemes)) - 1][1])
        for first in range(0, len(graphemes), step)
    ]
    for piece in measured(text, pieces, measure):
        yield from hard_cut(text, piece, size, measure)


def measured(text: str, spans: Iterable[tuple[int, int]], measure: Measure) -> list[Unit]:
    """Spans of a text with their lengths, white space around them not counted."""
    return [Unit(start, end, measure(text[start:end].strip())) for start, end in spans]


def visible_span(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The span without white space and invisible marks at its ends; None when nothing is left."""
    while start < end and unicodedata.category(text[start]) in _INVISIBLE:
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return (start, end) if start < end else None


def floored(count_tokens: Measure) -> Measure:
    """`count_tokens` with its floor. Short texts are counted once as long as they are remembered, of which
    there is a bound: a long document must not be held a second time."""

    def measure(text: str) -> int:
        if not text:
            return 0
        visible_chars = len(text) - sum(map(str.isspace, text))
        return max(count_tokens(text), math.ceil(visible_chars / MAX_CHARS_PER_TOKEN))

    remembered = lru_cache(maxsize=_REMEMBERED)(measure)
    return lambda text: remembered(text) if len(text) <= _SHORT_CHARS else measure(text)


def _tail(group: Sequence[Unit], tokens: int) -> list[Unit]:
    """The last units of at most `tokens` together, the first unit never among them."""
    first = len(group)
    while first > 1 and group[first - 1].tokens <= tokens:
        first -= 1
        tokens -= group[first].tokens
    return list(group[first:])
