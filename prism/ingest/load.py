"""One file in, text with structure out: `load(source, read(source, settings), settings)`."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from prism.errors import TooLargeError, UnreadableError
from prism.ingest.kinds import Kind, kind_of
from prism.ingest.readers import csv, docx, html, markdown, pdf, text
from prism.ingest.repair import repair
from prism.settings import ReadSettings
from prism.types import Loaded, PageSpan, Source

READER_VERSION = "2"
"""Part of a version's recipe: raise it when the text read from any file may change."""

_READERS: dict[Kind, Callable[[bytes, str, str], Loaded]] = {
    Kind.TEXT: text.read,
    Kind.MARKDOWN: markdown.read,
    Kind.CSV: csv.read,
    Kind.HTML: html.read,
    Kind.DOCX: docx.read,
}


def read(source: Source, settings: ReadSettings) -> bytes:
    """A file's bytes, read once: what is hashed, indexed and kept is the same, even of a file that somebody
    is writing.

    Raises:
        UnreadableError: missing, locked, or not a regular file.
        TooLargeError: over `read.max_file_mb`; more than that is never read.
    """
    limit_bytes = int(settings.max_file_mb * 1_000_000)
    try:
        size_bytes = source.path.stat().st_size
        data = b""
        if size_bytes <= limit_bytes:
            with _regular(source.path).open("rb") as file:
                # A file may grow after it was measured: one byte over the limit is enough to know.
                data = file.read(limit_bytes + 1)
    except OSError as error:
        raise UnreadableError(
            f"{source.name}: {source.path} cannot be opened ({error.strerror}). "
            "Check that it is a file, and its permissions."
        ) from None
    size_bytes = max(size_bytes, len(data))
    if size_bytes > limit_bytes:
        raise TooLargeError(
            f"{source.name}: {size_bytes / 1_000_000:.1f} MB is over the limit of "
            f"{settings.max_file_mb:g} MB. Raise read.max_file_mb or split the file."
        )
    return data


def load(source: Source, data: bytes, settings: ReadSettings) -> Loaded:
    """The text of a file's bytes, by what they are. No bytes give an empty text, which the pipeline skips.

    Raises:
        UnreadableError: damaged, or not what its name says.
        UnsupportedError: no reader for this kind of file.
        TooLargeError: over `read.max_pages`.
    """
    kind = kind_of(data, source.name)
    title = unicodedata.normalize("NFC", PurePosixPath(source.name).stem)
    if not data:
        return Loaded("", title, kind.value, (PageSpan(1, "1", 0, 0),))
    if kind is Kind.PDF:
        return repair(pdf.read(data, source.name, title, max_pages=settings.max_pages))
    return repair(_READERS[kind](data, source.name, title))


def _regular(path: Path) -> Path:
    """Refuse pipes and devices, which could be read for ever."""
    if not path.is_file():
        raise UnreadableError(f"{path.name}: not a regular file.")
    return path
