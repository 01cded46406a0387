"""Plain text: the text as it stands, one page."""

from __future__ import annotations

from prism.ingest.kinds import Kind
from prism.ingest.readers.encoding import decode
from prism.types import Loaded, PageSpan


def read(data: bytes, name: str, title: str) -> Loaded:
    """Read a plain text file. Raises `UnreadableError` when the bytes are not text."""
    decoded = decode(data, name)
    return Loaded(
        text=decoded.text,
        title=title,
        media_type=Kind.TEXT.value,
        pages=(PageSpan(1, "1", 0, len(decoded.text)),),
        warnings=decoded.warnings,
    )
