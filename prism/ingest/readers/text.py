"""Plain text: the text as it stands. A form feed ends a page; an underlined line of its own is a heading."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from prism.ingest.kinds import Kind
from prism.ingest.readers.encoding import decode
from prism.ingest.readers.protocol import SourceFile
from prism.types import PageSpan, SectionSpan, SourceText

MAX_HEADING_CHARS: Final = 100

_UNDERLINED = re.compile(
    r"(?:\A|(?<=\n\n)|(?<=\r\n\r\n))([^\s=\-~][^\r\n]*?)[ \t]*\r?\n(={3,}|-{3,}|~{3,})[ \t]*(?=\r?\n|\Z)"
)
_LEVELS = {"=": 1, "-": 2, "~": 3}


def read(file: SourceFile) -> SourceText:
    """Read a plain text file. Raises `UnreadableError` when the bytes are not text."""
    decoded = decode(file.data, file.name)
    return SourceText(
        text=decoded.text,
        title=file.title,
        media_type=Kind.TEXT.value,
        pages=tuple(_pages(decoded.text)),
        sections=tuple(_sections(decoded.text)),
        warnings=decoded.warnings,
    )


def _pages(text: str) -> Iterator[PageSpan]:
    """Text between form feeds; a last one with nothing after it ends the last page."""
    start, number = 0, 1
    for piece in text.rstrip("\f \r\n\t").split("\f")[:-1]:
        yield PageSpan(number, str(number), start, start + len(piece))
        start += len(piece) + 1
        number += 1
    yield PageSpan(number, str(number), start, len(text))


def _sections(text: str) -> Iterator[SectionSpan]:
    """Headings by the line drawn under them, as long as they are."""
    open_headings: list[tuple[int, str]] = []
    for found in _UNDERLINED.finditer(text):
        title = found[1].strip()
        if len(title) > MAX_HEADING_CHARS or abs(len(title) - len(found[2])) > 1:
            continue
        level = _LEVELS[found[2][0]]
        open_headings = [(outer, name) for outer, name in open_headings if outer < level]
        open_headings.append((level, title))
        yield SectionSpan(found.start(1), tuple(name for _, name in open_headings))
