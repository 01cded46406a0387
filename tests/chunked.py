"""Documents to cut, and arithmetic to cut them by: a token is a word."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import regex

from prism.ingest.chunkers.protocol import Tools
from prism.settings import ChunkSettings
from prism.text.pack import Chunk, Levels, visible_span
from prism.types import PageSpan, SourceText
from tests.fakes import LetterEmbedder


def words(text: str) -> int:
    return len(text.split())


TOOLS = Tools(count_tokens=words, window_tokens=30, embed=LetterEmbedder().embed)


def plain(text: str, **structure) -> SourceText:
    """A text document, with the structure given."""
    pages = structure.pop("pages", (PageSpan(1, "1", 0, len(text)),))
    return SourceText(text, "title", "text/plain", pages, **structure)


def leaves(cut, source: SourceText, tools: Tools = TOOLS, **settings) -> list[str]:
    """The texts of the leaves that a chunker cuts."""
    return texts(source, cut(source, ChunkSettings(**settings), tools))


def texts(source: SourceText, levels: Levels, level: int = -1) -> list[str]:
    return [source.text[chunk.start : chunk.end] for chunk in levels[level]]


def sheet(rows: Sequence[str]) -> SourceText:
    """A table file as the readers give it: a page for each row."""
    text = "\n".join(rows)
    pages, start = [], 0
    for number, row in enumerate(rows, 1):
        pages.append(PageSpan(1, f"row {number}", start, start + len(row)))
        start += len(row) + 1
    return plain(text, pages=tuple(pages))


def check_spans(text: str, levels: Levels) -> None:
    """Every chunk begins and ends at something visible and in no grapheme, chunks are in order, and nothing
    visible is left out."""
    boundaries = {0, *(match.end() for match in regex.finditer(r"\X", text))}
    for level in levels:
        for chunk in level:
            assert visible_span(text, chunk.start, chunk.end) == (chunk.start, chunk.end)
            # Marks that stand on white space at an end may be left out, or it.
            assert chunk.end in boundaries or text[chunk.end].isspace() or text[chunk.end - 1].isspace()
        assert all(one.start < two.start and one.end <= two.end for one, two in pairwise(level))
    seen_to = 0
    for leaf in levels[-1]:
        assert visible_span(text, seen_to, leaf.start) is None
        seen_to = max(seen_to, leaf.end)
    assert visible_span(text, seen_to, len(text)) is None
    for above, below in pairwise(levels):
        for chunk in below:
            assert chunk.parent is not None
            assert above[chunk.parent].start <= chunk.start < chunk.end <= above[chunk.parent].end


def is_one_grapheme(text: str, chunk: Chunk) -> bool:
    return regex.fullmatch(r"\X", text[chunk.start : chunk.end]) is not None
