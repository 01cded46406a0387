"""Where a text may be cut into chunks: the places in order of preference, and those that are held together.

`Division` knows sentences, the rows of tables, blocks that read as one, and headings, which stay with what
follows them. Chunkers ask it for the next finer pieces of a stretch that is too long for them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import regex

from prism.text.sentences import sentence_spans, word_spans

Spans = Sequence[tuple[int, int]]
SpanFunction = Callable[[str], Spans]
Offsets = Sequence[int]

_LABELLED_CELL = regex.compile(r";\s+(?=[^:;|\s][^:;|]{0,80}:\s)")
_CELL = regex.compile(r"\s\|\s+(?=\S)|\t\s*(?=\S)")


@dataclass(frozen=True, slots=True)
class Rows:
    """A stretch of a text whose lines are rows of one table. A row of up to `most_tokens` is never cut, a
    longer one between its cells: `Fee | 12`, or labelled ones, `item: Fee; amount: 12`."""

    start: int
    end: int
    most_tokens: int
    is_labelled: bool = False


@dataclass(frozen=True, slots=True)
class Division:
    """The places at which a text may be cut.

    `cuts` are offsets in rising order, coarse places first: each list holds all of the one before. `heads`
    are spans in order, from a heading's first character to the first of the text it stands over: there is no
    cut in them, nor at their end, as long as that can be helped. `rows` are in order and apart. `blocks` are
    where code and lists begin, whose lines belong together.
    """

    text: str
    cuts: tuple[Offsets, ...]
    heads: Spans = ()
    rows: Sequence[Rows] = ()
    blocks: frozenset[int] = frozenset()
    _head_starts: Offsets = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_head_starts", [start for start, _ in self.heads])

    def pieces(self) -> Iterator[tuple[int, int]]:
        """The whole text in its coarsest pieces."""
        yield from pairwise((0, *self._allowed(self.cuts[0], splits_heads=False), len(self.text)))

    def finer(self, start: int, end: int) -> Spans:
        """A stretch in the coarsest pieces that are shorter than it, down to words; by itself when it is a
        word. Headings are torn from their text only when nothing else is left to do."""
        head_end = self._head_end(start)
        if head_end != start and self.is_one_row(head_end, end):
            return [(start, head_end), (head_end, end)]
        for splits_heads in (False, True) if self.heads else (False,):
            for cuts in self._cuts_within(start, end):
                places = list(self._allowed(cuts, splits_heads=splits_heads))
                if places:
                    return list(pairwise((start, *places, end)))
        return _moved(word_spans(self.text[start:end]), start)

    def words(self, start: int, end: int) -> Spans:
        """A stretch in words, a heading with the first word under it as one."""
        places = [word for word, _ in _moved(word_spans(self.text[start:end]), start)[1:]]
        return list(pairwise((start, *self._allowed(places, splits_heads=False), end)))

    def keeps_whole(self, start: int, end: int, tokens: int) -> bool:
        """Whether a stretch of so many tokens is a row that must not be cut: all of one or a part, or one
        with its heading."""
        rows = self._rows_at(self._head_end(start))
        return rows is not None and tokens <= rows.most_tokens and self.is_one_row(start, end)

    def is_one_row(self, start: int, end: int) -> bool:
        """Whether a stretch lies in a single row of a table, but for headings before it."""
        row_start = self._head_end(start)
        if row_start >= end or self._rows_at(row_start) is None:
            return False
        first = bisect_right(self.cuts[0], row_start)
        return first == len(self.cuts[0]) or self.cuts[0][first] >= end

    def is_block(self, start: int) -> bool:
        """Whether a block begins here, or a heading whose text it is."""
        return self._head_end(start) in self.blocks

    def may_begin(self, place: int) -> bool:
        """Whether a chunk may begin here: not inside a row of a table, nor inside a heading."""
        if self._rows_at(place) is not None and not _holds(self.cuts[0], place):
            return False
        return self._is_allowed(place, splits_heads=False)

    def _cuts_within(self, start: int, end: int) -> Iterator[Offsets]:
        for cuts in self.cuts:
            first, last = bisect_right(cuts, start), bisect_left(cuts, end)
            if first < last:
                yield cuts[first:last]
        stretch = self.text[start:end]
        rows = self._rows_at(start)
        if rows is not None:
            cell = _LABELLED_CELL if rows.is_labelled else _CELL
            yield [start + match.end() for match in cell.finditer(stretch)]
            yield [place for place, _ in _moved(sentence_spans(stretch), start)[1:]]
        yield [place for place, _ in _moved(word_spans(stretch), start)[1:]]

    def _allowed(self, places: Iterable[int], *, splits_heads: bool) -> Iterator[int]:
        if not self.heads:
            yield from places
            return
        yield from (place for place in places if self._is_allowed(place, splits_heads=splits_heads))

    def _is_allowed(self, place: int, *, splits_heads: bool) -> bool:
        index = bisect_left(self._head_starts, place) - 1
        if index < 0:
            return True
        head_end = self.heads[index][1]
        return place != head_end if splits_heads else place > head_end

    def _head_end(self, start: int) -> int:
        """Where the text begins if a heading does here; else here."""
        index = bisect_left(self._head_starts, start)
        is_head = index < len(self.heads) and self._head_starts[index] == start
        return self.heads[index][1] if is_head else start

    def _rows_at(self, place: int) -> Rows | None:
        index = bisect_right(self.rows, place, key=lambda rows: rows.start) - 1
        return self.rows[index] if index >= 0 and place < self.rows[index].end else None


def plain_division(text: str, sentences: SpanFunction = sentence_spans) -> Division:
    """The division of a text of whose structure nothing is known: between sentences."""
    return Division(text, ([start for start, _ in sentences(text)[1:]],))


def _holds(rising: Offsets, place: int) -> bool:
    index = bisect_left(rising, place)
    return index < len(rising) and rising[index] == place


def _moved(spans: Spans, by: int) -> Spans:
    return [(by + start, by + end) for start, end in spans]
