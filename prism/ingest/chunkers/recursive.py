"""Recursive: paragraphs while they fit, else lines, else sentences, else words, else graphemes.

Sizes are in characters. Neighbouring pieces are joined as long as they fit; the pieces of what was too long
are never joined with what stands beside it. Each chunk repeats the last words of the one before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from prism.ingest.chunkers.protocol import Tools
from prism.ingest.chunkers.structure import divide, line_places, paragraph_places, sentence_places
from prism.settings import ChunkSettings
from prism.text.division import Division
from prism.text.pack import Chunk, Levels, Measure, Unit, floored, hard_cut, visible_span
from prism.types import SourceText

Span = tuple[int, int]


def cut(source: SourceText, settings: ChunkSettings, tools: Tools) -> Levels:
    """Leaves of `chunk.recursive_chars` that share up to `chunk.recursive_overlap_chars`."""
    text = source.text
    measure = floored(tools.count_tokens)
    paragraphs = paragraph_places(text)
    lines = sorted({*paragraphs, *line_places(text)})
    sentences = sorted({*lines, *sentence_places(text)})
    division = divide(source, [paragraphs, lines, sentences], measure, tools.window_tokens)
    size, overlap = settings.recursive_chars, settings.recursive_overlap_chars
    leaves: list[Chunk] = []
    previous: Span | None = None
    for start, end in _joined(division, list(division.pieces()), size - overlap, measure):
        span = visible_span(text, start, end)
        if span is None:
            continue
        first, last = span
        if previous is not None and last - first <= size - overlap:
            first = _overlap_start(division, previous, first, overlap)
        leaves.append(Chunk(first, last, None, measure(text[first:last])))
        previous = span
    return (tuple(leaves),)


def _joined(division: Division, spans: Sequence[Span], limit: int, measure: Measure) -> Iterator[Span]:
    """Runs of neighbouring spans that fit the limit; the pieces of those that do not."""
    run: Span | None = None
    for start, end in spans:
        if _chars(division.text, start, end) > limit:
            if run is not None:
                yield run
            run = None
            yield from _pieces(division, start, end, limit, measure)
        elif run is not None and _chars(division.text, run[0], end) <= limit:
            run = (run[0], end)
        else:
            if run is not None:
                yield run
            run = (start, end)
    if run is not None:
        yield run


def _pieces(division: Division, start: int, end: int, limit: int, measure: Measure) -> Iterator[Span]:
    text = division.text
    if division.is_one_row(start, end) and division.keeps_whole(start, end, measure(text[start:end].strip())):
        yield start, end
        return
    spans = division.finer(start, end)
    if len(spans) > 1:
        yield from _joined(division, spans, limit, measure)
        return
    for unit in hard_cut(text, Unit(start, end, _chars(text, start, end)), limit, partial(len)):
        yield unit.start, unit.end


def _overlap_start(division: Division, previous: Span, start: int, overlap: int) -> int:
    """The first word of the chunk before, at most `overlap` characters back, that a chunk may begin with."""
    begins = (word for word, _ in division.words(*previous))
    return next(
        (
            word
            for word in begins
            if previous[0] < word and start - word <= overlap and division.may_begin(word)
        ),
        start,
    )


def _chars(text: str, start: int, end: int) -> int:
    return len(text[start:end].strip())
