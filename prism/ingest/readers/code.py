"""Source code: the text as it stands, with its classes and functions as sections.

What is outermost is a block down to the next of its kind, so that a function stays whole where it fits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from prism.ingest.kinds import Kind
from prism.ingest.readers.code_names import Definition, definitions
from prism.ingest.readers.encoding import decode
from prism.ingest.readers.protocol import SourceFile
from prism.types import BlockSpan, PageSpan, SectionSpan, SourceText

_CODING = re.compile(rb"coding[:=]\s*([-\w.]+)")


def read(file: SourceFile) -> SourceText:
    """Read a source file. Raises `UnreadableError` when the bytes are not text."""
    declared = _CODING.search(b"\n".join(file.data.split(b"\n", 2)[:2]))
    decoded = decode(file.data, file.name, declared=declared[1].decode("ascii") if declared else "")
    # Offsets are those of the text that is stored, so line ends become one kind before names are sought.
    text = decoded.text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    found = definitions(text, file.name)
    return SourceText(
        text=text,
        title=PurePosixPath(file.name).name,
        media_type=Kind.CODE.value,
        pages=(PageSpan(1, "1", 0, len(text)),),
        sections=tuple(_sections(found)),
        blocks=tuple(_blocks(found, text)),
        warnings=decoded.warnings,
    )


def _sections(found: Sequence[Definition]) -> Iterator[SectionSpan]:
    above: list[Definition] = []
    for definition in found:
        above = [outer for outer in above if outer.depth < definition.depth]
        above.append(definition)
        yield SectionSpan(definition.start, tuple(outer.name for outer in above))


def _blocks(found: Sequence[Definition], text: str) -> Iterator[BlockSpan]:
    outermost = min((definition.depth for definition in found), default=0)
    starts = [definition.start for definition in found if definition.depth == outermost]
    for start, end in zip([0, *starts], [*starts, len(text)], strict=True):
        length = len(text[start:end].rstrip())
        if length:
            yield BlockSpan(start, start + length, "code")
