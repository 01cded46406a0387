"""One file in, text with structure out: `load(source, read(source, settings), settings)`."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import cast

from prism.errors import TooLargeError, UnreadableError, UnsupportedError
from prism.ingest.kinds import SUPPORTED, Kind, kind_of
from prism.ingest.readers.protocol import OnPage, Reader, SourceFile, unrecognized, untold
from prism.ingest.repair import repair
from prism.settings import ReadSettings
from prism.types import PageSpan, Source, SourceText

READER_VERSION = "3"
"""Part of a version's recipe: raise it when the text read from any file may change."""

READERS: Mapping[Kind, str] = {
    Kind.PDF: "pdf",
    Kind.DOCX: "docx",
    Kind.PPTX: "pptx",
    Kind.XLSX: "xlsx",
    Kind.ODT: "odt",
    Kind.ODP: "odp",
    Kind.DOC: "legacy",
    Kind.PPT: "legacy",
    Kind.XLS: "legacy",
    Kind.RTF: "rtf",
    Kind.ODS: "ods",
    Kind.EPUB: "epub",
    Kind.HTML: "html",
    Kind.XML: "xml",
    Kind.MARKDOWN: "markdown",
    Kind.RST: "rst",
    Kind.CSV: "csv",
    Kind.JSON: "json",
    Kind.JSON_LINES: "json_lines",
    Kind.NOTEBOOK: "notebook",
    Kind.EML: "mail",
    Kind.MSG: "msg",
    Kind.CODE: "code",
    Kind.TEXT: "text",
    Kind.IMAGE: "image",
}
"""Which module of `prism.ingest.readers` reads what. It is imported when the first such file comes:
nobody waits for the libraries of formats they do not have."""


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


def load(
    source: Source,
    data: bytes,
    settings: ReadSettings,
    *,
    password: str = "",
    on_page: OnPage = untold,
    on_recognizing: Callable[[], None] = unrecognized,
) -> SourceText:
    """The text of a file's bytes, by what they are. No bytes give an empty text, which the pipeline skips.

    This reads in the process that calls it; an ingest has a process of its own for it (`reading.py`).

    Args:
        password: tried when the file is locked.
        on_page: told the page at hand and how many there are.
        on_recognizing: told before each picture that is recognized.

    Raises:
        UnreadableError: damaged, locked, or not what its name says.
        UnsupportedError: no reader for this kind of file.
        TooLargeError: over `read.max_pages`, `read.max_chars` or `read.max_unpacked_mb`.
    """
    kind = kind_of(data, source.name)
    title = unicodedata.normalize("NFC", PurePosixPath(source.name).stem)
    if not data:
        return SourceText("", title, kind.value, (PageSpan(1, "1", 0, 0),))
    file = SourceFile(data, source.name, title, settings, password, on_page, on_recognizing)
    try:
        loaded = reader_of(kind, source.name)(file)
    except RecursionError:
        raise UnreadableError(
            f"{source.name}: damaged (nested more deeply than any program writes). Save it again."
        ) from None
    if len(loaded.text) > settings.max_chars:
        raise TooLargeError(
            f"{source.name}: {len(loaded.text):,} characters are over the limit of {settings.max_chars:,}. "
            "Raise read.max_chars or split the file."
        )
    return repair(loaded)


def reader_of(kind: Kind, name: str) -> Reader:
    """The reader of a kind of file. Raises `UnsupportedError` where there is none."""
    if kind not in READERS:
        raise UnsupportedError(f"{name}: no reader for {kind.value}. Prism reads {SUPPORTED}.")
    module = import_module(f"prism.ingest.readers.{READERS[kind]}")
    return cast(Reader, module.read)


def _regular(path: Path) -> Path:
    """Refuse pipes and devices, which could be read for ever."""
    if not path.is_file():
        raise UnreadableError(f"{path.name}: not a regular file.")
    return path
