"""Documents to cut, and arithmetic to cut them by: a token is a word."""

from __future__ import annotations

from collections.abc import Sequence

from prism.ingest.chunkers.protocol import Tools
from prism.settings import ChunkSettings
from prism.text.pack import Levels
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
