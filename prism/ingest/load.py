"""One file in, text with structure out: `load(source, settings)`."""

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

READER_VERSION = "1"
"""Part of a version's recipe: raise it when the text read from any file may change."""

_READERS: dict[Kind, Callable[[bytes, str, str], Loaded]] = {
    Kind.TEXT: text.read,
    Kind.MARKDOWN: markdown.read,
    Kind.CSV: csv.read,
    Kind.HTML: html.read,
    Kind.DOCX: docx.read,
}


def load(source: Source, settings: ReadSettings) -> Loaded:
    """Read a file by what it is. An empty file gives an empty text, which the pipeline skips.

    Raises:
        UnreadableError: missing, locked, damaged, or not what its name says.
        UnsupportedError: no reader for this kind of file.
        TooLargeError: over `read.max_file_mb` or `read.max_pages`.
    """
    data = _bytes(source, settings.max_file_mb)
    kind = kind_of(data, source.name)
    title = unicodedata.normalize("NFC", PurePosixPath(source.name).stem)
    if not data:
        return Loaded("", title, kind.value, (PageSpan(1, "1", 0, 0),))
    if kind is Kind.PDF:
        return repair(pdf.read(data, source.name, title, max_pages=settings.max_pages))
    return repair(_READERS[kind](data, source.name, title))


def _bytes(source: Source, max_file_mb: float) -> bytes:
    try:
        size_mb = source.path.stat().st_size / 1_000_000
        if size_mb > max_file_mb:
            raise TooLargeError(
                f"{source.name}: {size_mb:.1f} MB is over the limit of {max_file_mb:g} MB. "
                "Raise read.max_file_mb or split the file."
            )
        return _regular(source.path).read_bytes()
    except OSError as error:
        raise UnreadableError(f"{source.name}: cannot be opened ({error.strerror}).") from None


def _regular(path: Path) -> Path:
    """Refuse pipes and devices, which could be read for ever."""
    if not path.is_file():
        raise UnreadableError(f"{path.name}: not a regular file.")
    return path
