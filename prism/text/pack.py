"""Cut a text into chunks of bounded length, level within level, without losing a character's place.

Sentences are packed whole. One that is longer than a chunk is cut between words, a word that is longer
between graphemes, a grapheme that is longer is passed whole. Chunks of a level are as even as they can be
without being more: filling each to the brim leaves a stump at the end of every parent.

All spans are half-open character offsets into the text; a chunk's span starts and ends at a visible
character, and chunks with none are left out.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from prism.text.sentences import grapheme_spans, sentence_spans, word_spans

Spans = Sequence[tuple[int, int]]
SpanFunction = Callable[[str], Spans]

MAX_CHARS_PER_TOKEN: Final = 8
"""A text never counts for fewer tokens than one per this many visible characters.

A WordPiece vocabulary reads any word of more than 100 letters, such as a line of Thai, as a single unknown
token; without a floor, such a text would be one chunk however long it is. English has four to five."""

_INVISIBLE: Final = frozenset({"Zs", "Zl", "Zp", "Cc", "Cf"})


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


def chunk_levels(
    text: str,
    sizes: Sequence[int],
    count_tokens: Callable[[str], int],
    *,
    sentences: SpanFunction = sentence_spans,
    overlap: int = 0,
) -> tuple[tuple[Chunk, ...], ...]:
    """Chunks of every level, largest size first, each level in document order.

    Args:
        sizes: upper bounds in tokens, from the top level down to the leaves.
        count_tokens: length of a text in tokens; called about once per sentence.
        sentences: spans that cover a text without gaps, in order.
        overlap: up to this many tokens of whole sentences are repeated from leaf to leaf, within a parent.
    """
    measure = _remembered(count_tokens)
    above: list[tuple[int | None, list[Unit]]] = [(None, _measured(text, sentences(text), 0, measure))]
    levels: list[tuple[Chunk, ...]] = []
    for depth, size in enumerate(sizes):
        is_leaf_level = depth == len(sizes) - 1
        chunks: list[Chunk] = []
        below: list[tuple[int | None, list[Unit]]] = []
        for parent, units in above:
            fitting = list(_fitting(text, units, size, measure))
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
    groups = _fill(units, size, overlap)
    low, high = max((unit.tokens for unit in units), default=0), size
    while len(groups) > 1 and low < high:
        middle = (low + high) // 2
        evener = _fill(units, middle, overlap)
        if len(evener) > len(groups):
            low = middle + 1
        else:
            groups, high = evener, middle
    return groups


def visible_span(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The span without white space and invisible marks at its ends; None when nothing is left."""
    while start < end and unicodedata.category(text[start]) in _INVISIBLE:
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return (start, end) if start < end else None


def _fill(units: Sequence[Unit], size: int, overlap: int) -> list[list[Unit]]:
    groups: list[list[Unit]] = []
    group: list[Unit] = []
    length = 0
    for unit in units:
        if group and length + unit.tokens > size:
            groups.append(group)
            group = _tail(group, min(overlap, size - unit.tokens))
            length = sum(kept.tokens for kept in group)
        group.append(unit)
        length += unit.tokens
    return [*groups, group] if group else groups


def _tail(group: Sequence[Unit], tokens: int) -> list[Unit]:
    """The last units of at most `tokens` together, the first unit never among them."""
    first = len(group)
    while first > 1 and group[first - 1].tokens <= tokens:
        first -= 1
        tokens -= group[first].tokens
    return list(group[first:])


def _fitting(text: str, units: Iterable[Unit], size: int, measure: Callable[[str], int]) -> Iterator[Unit]:
    """The units, those longer than `size` cut into even pieces between words."""
    for unit in units:
        if unit.tokens <= size:
            yield unit
            continue
        spans = word_spans(text[unit.start : unit.end])
        words = _measured(text, spans, unit.start, measure)
        pieces = [piece for word in words for piece in _hard_cut(text, word, size, measure)]
        for group in pack(pieces, size):
            yield Unit(group[0].start, group[-1].end, sum(piece.tokens for piece in group))


def _hard_cut(text: str, unit: Unit, size: int, measure: Callable[[str], int]) -> Iterator[Unit]:
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
        (graphemes[first][0], graphemes[min(first + step, len(graphemes)) - 1][1])
        for first in range(0, len(graphemes), step)
    ]
    for piece in _measured(text, pieces, unit.start, measure):
        yield from _hard_cut(text, piece, size, measure)


def _measured(text: str, spans: Spans, offset: int, measure: Callable[[str], int]) -> list[Unit]:
    return [
        Unit(offset + start, offset + end, measure(text[offset + start : offset + end].strip()))
        for start, end in spans
    ]


def _remembered(count_tokens: Callable[[str], int]) -> Callable[[str], int]:
    """`count_tokens` with its floor, each distinct text counted once."""
    known: dict[str, int] = {"": 0}

    def measure(text: str) -> int:
        length = known.get(text)
        if length is None:
            visible_chars = len(text) - sum(map(str.isspace, text))
            length = max(count_tokens(text), math.ceil(visible_chars / MAX_CHARS_PER_TOKEN))
            known[text] = length
        return length

    return measure
