"""A document's structure as places where it may be cut: what chunkers of every kind respect.

- A heading stays with the text that follows it.
- A row of a table or sheet stays whole as long as the embedder reads all of it.
- A block of code or a list stays whole where it fits, and is cut between its lines where it does not.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, TypeVar

import regex

from prism.text.division import Division, Rows
from prism.text.sentences import sentence_spans
from prism.types import BlockSpan, PageSpan, SourceText, TableSpan

Places = Iterable[int]
_Span = TypeVar("_Span", Rows, BlockSpan)

MAX_ROW_TOKENS: Final = 1024
"""However much an embedder reads, a row is no longer than this: the vector of a leaf says one thing."""

_ROW_LABEL = regex.compile(r"(?:.*\s)?row \d+$")
_LINE_START = regex.compile(r"(?<=\n)[^\S\n]*+(?=\S)")
_NEXT_VISIBLE = regex.compile(r"(?:\s|\p{Cf}++(?=\s))*+")
_GRAPHEME = regex.compile(r"\X")
_PARAGRAPH = regex.compile(r"\n[^\S\n]*+\n\s*+(?=\S)")

_HEAD_SLACK_CHARS = 40
_GRAPHEME_REACH = 32


def sentence_places(text: str) -> list[int]:
    """Where sentences, list items, headings and rows begin, but for the first."""
    return [start for start, _ in sentence_spans(text)[1:]]


def line_places(text: str) -> list[int]:
    """Where lines begin, at their first visible character."""
    return [match.end() for match in _LINE_START.finditer(text) if _is_boundary(text, match.end())]


def paragraph_places(text: str) -> list[int]:
    """Where paragraphs begin, which empty lines divide."""
    return [match.end() for match in _PARAGRAPH.finditer(text) if _is_boundary(text, match.end())]


def divide(
    source: SourceText,
    prose: Sequence[Sequence[int]],
    count_tokens: Callable[[str], int],
    window_tokens: int,
) -> Division:
    """The division of a document.

    Args:
        prose: places to cut running text at, coarse ones first, each list holding all of the one before.
        window_tokens: what the embedder reads of a leaf and its table's header.
    """
    text = source.text
    tables = [*_tables(source.tables, count_tokens, window_tokens), *_sheets(source.pages, window_tokens)]
    rows = _apart(sorted(tables, key=lambda item: (item.start, item.end)))
    blocks = _apart_from(rows, _apart(source.blocks))
    edges = {*_edges(text, rows), *_edges(text, blocks), *_row_starts(text, rows, source.pages)}
    inside = [(block.start, block.end) for block in blocks]
    regions = sorted([*((item.start, item.end) for item in rows), *inside])
    levels = [_merged(_outside(places, regions), edges) for places in prose]
    if blocks:
        levels.append(_merged(levels[-1], _inside(line_places(text), inside)))
        lists = [(block.start, block.end) for block in blocks if block.kind == "list"]
        levels.append(_merged(levels[-1], _inside(prose[-1], lists)))
    starts = frozenset(_NEXT_VISIBLE.match(text, block.start).end() for block in blocks)
    return Division(text, tuple(levels), heads=_heads(source), rows=rows, blocks=starts)


def _tables(
    tables: Iterable[TableSpan], count_tokens: Callable[[str], int], window_tokens: int
) -> Iterator[Rows]:
    for table in tables:
        left = window_tokens - count_tokens(table.header)
        yield Rows(table.start, table.end, max(1, min(left, MAX_ROW_TOKENS)))


def _sheets(pages: Sequence[PageSpan], window_tokens: int) -> Iterator[Rows]:
    """Runs of pages that are rows of a sheet."""
    most = max(1, min(window_tokens, MAX_ROW_TOKENS))
    start: int | None = None
    end = 0
    for page in pages:
        is_row = _ROW_LABEL.match(page.label) is not None
        if is_row and start is None:
            start = page.start
        elif not is_row and start is not None:
            yield Rows(start, end, most, is_labelled=True)
            start = None
        end = page.end
    if start is not None:
        yield Rows(start, end, most, is_labelled=True)


def _row_starts(text: str, rows: Iterable[Rows], pages: Sequence[PageSpan]) -> Iterator[int]:
    labelled = [(item.start, item.end) for item in rows if item.is_labelled]
    lined = [(item.start, item.end) for item in rows if not item.is_labelled]
    if lined:
        yield from _inside(line_places(text), lined)
    if labelled:
        starts = (_NEXT_VISIBLE.match(text, page.start).end() for page in pages)
        yield from _inside((place for place in starts if _is_boundary(text, place)), labelled)


def _edges(text: str, spans: Iterable[Rows | BlockSpan]) -> Iterator[int]:
    """Where spans begin and where what follows them does, at visible characters."""
    for span in spans:
        for place in (span.start, span.end):
            visible = _NEXT_VISIBLE.match(text, place).end()
            if 0 < visible < len(text) and _is_boundary(text, visible):
                yield visible


def _heads(source: SourceText) -> list[tuple[int, int]]:
    """Headings with the place where the text under them begins; headings in a row are one."""
    text = source.text
    heads: list[tuple[int, int]] = []
    for section in source.sections:
        start = _NEXT_VISIBLE.match(text, section.start).end()
        if heads and start < heads[-1][1]:
            continue
        end = _heading_end(text, start, section.path[-1] if section.path else "")
        below = _NEXT_VISIBLE.match(text, end).end()
        if (
            end == start
            or below == len(text)
            or not (_is_boundary(text, start) and _is_boundary(text, below))
        ):
            continue
        if heads and heads[-1][1] == start:
            heads[-1] = (heads[-1][0], below)
        else:
            heads.append((start, below))
    return heads


def _heading_end(text: str, start: int, title: str) -> int:
    """Where the heading that begins here ends; here, when the section's name is not what stands here."""
    wanted = "".join(title.split()).casefold()
    if not wanted:
        return start
    most_chars = len(title) + _HEAD_SLACK_CHARS
    limit = min(len(text), start + 2 * most_chars)
    end, read = start, ""
    while len(read) < len(wanted) and end < limit:
        line_end = text.find("\n", end + 1, limit)
        end = line_end if line_end >= 0 else limit
        read = "".join(text[start:end].split()).casefold()
    return end if wanted in read and len(read) <= len(wanted) + _HEAD_SLACK_CHARS else start


def _apart(spans: Iterable[_Span]) -> list[_Span]:
    """Spans without those that are empty or begin in the one before."""
    kept: list[_Span] = []
    for span in spans:
        if span.start < span.end and (not kept or kept[-1].end <= span.start):
            kept.append(span)
    return kept


def _apart_from(rows: Sequence[Rows], blocks: Iterable[BlockSpan]) -> list[BlockSpan]:
    """Blocks without those that share text with a table."""
    starts = [item.start for item in rows]
    ends = [item.end for item in rows]
    return [block for block in blocks if bisect_right(ends, block.start) >= bisect_left(starts, block.end)]


def _outside(places: Places, regions: Sequence[tuple[int, int]]) -> Iterator[int]:
    """Rising places that lie within no region; regions are in order and apart."""
    return (place for place, is_inside in _sorted_out(places, regions) if not is_inside)


def _inside(places: Places, regions: Sequence[tuple[int, int]]) -> Iterator[int]:
    return (place for place, is_inside in _sorted_out(places, regions) if is_inside)


def _sorted_out(places: Places, regions: Sequence[tuple[int, int]]) -> Iterator[tuple[int, bool]]:
    index = 0
    for place in places:
        while index < len(regions) and regions[index][1] <= place:
            index += 1
        yield place, index < len(regions) and regions[index][0] < place


def _merged(some: Places, others: Iterable[int]) -> Sequence[int]:
    more = set(others)
    return sorted({*some, *more}) if more else list(some)


def _is_boundary(text: str, place: int) -> bool:
    """Whether a grapheme ends here: structure may be noted within one."""
    if place in (0, len(text)) or text[place - 1] == "\n" or text[place - 1 : place + 1].isascii():
        return text[place - 1 : place + 1] != "\r\n"
    reach = max(text.rfind("\n", 0, place) + 1, place - _GRAPHEME_REACH)
    while reach < place:
        reach = _GRAPHEME.match(text, reach).end()
    return reach == place
