"""Fixed: windows of so many tokens, each with the last words of the one before.

What a chunker has to beat (the usual baseline of the field). Windows end between words; rows, blocks and
headings with the first word under them are taken as one word, where they fit.
"""

from __future__ import annotations

from collections.abc import Iterator

from prism.ingest.chunkers.protocol import Tools
from prism.ingest.chunkers.structure import divide, sentence_places
from prism.settings import ChunkSettings
from prism.text.division import Division
from prism.text.pack import (
    Chunk,
    Levels,
    Measure,
    Unit,
    fill,
    fit,
    floored,
    measured,
    visible_span,
)
from prism.types import SourceText


def cut(source: SourceText, settings: ChunkSettings, tools: Tools) -> Levels:
    """Leaves of `chunk.fixed_tokens` that share `chunk.fixed_overlap_tokens`."""
    measure = floored(tools.count_tokens)
    division = divide(source, [sentence_places(source.text)], measure, tools.window_tokens)
    units = _units(division, settings.fixed_tokens, measure)
    leaves: list[Chunk] = []
    for group in fill(units, settings.fixed_tokens, settings.fixed_overlap_tokens):
        span = visible_span(source.text, group[0].start, group[-1].end)
        if span is not None:
            leaves.append(Chunk(*span, None, sum(unit.tokens for unit in group)))
    return (tuple(leaves),)


def _units(division: Division, size: int, measure: Measure) -> Iterator[Unit]:
    for start, end in division.pieces():
        if division.is_block(start) or division.is_one_row(start, end):
            (piece,) = measured(division.text, [(start, end)], measure)
            if piece.tokens <= size or division.keeps_whole(start, end, piece.tokens):
                yield piece
                continue
            spans = division.finer(start, end)
        else:
            spans = division.words(start, end)
        yield from fit(measured(division.text, spans, measure), size, division, measure)
