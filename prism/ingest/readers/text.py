"""Plain text: the text as it stands, one page."""

from __future__ import annotations

from prism.ingest.kinds import Kind
from prism.ingest.readers.encoding import decode
from prism.ingest.readers.protocol import SourceFile
from prism.types import PageSpan, SourceText


def read(file: SourceFile) -> SourceText:
    """Read a plain text file. Raises `UnreadableError` when the bytes are not text."""
    decoded = decode(file.data, file.name)
    return SourceText(
        text=decoded.text,
        title=file.title,
        media_type=Kind.TEXT.value,
        pages=(PageSpan(1, "1", 0, len(decoded.text)),),
        warnings=decoded.warnings,
    )
