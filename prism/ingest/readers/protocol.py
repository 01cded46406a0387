"""What a reader is: a function from one file to text with structure. One file of this folder per family of
formats has one, named `read`; `prism/ingest/load.py` says which reads what."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from prism.settings import ReadSettings
from prism.types import SourceText

OnPage = Callable[[int, int], None]


def untold(page: int, pages: int) -> None:
    """Nobody listens to the pages."""


def unrecognized() -> None:
    """Nobody listens to what is recognized."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file on its way to a reader, which gets its bytes: what is read is then what was hashed and is
    kept, even of a file that somebody is writing.

    `name` is the source key; `title` names a document whose format names none. `on_page(page, pages)` is to
    be told before each page of a long document, counted from 1; `on_recognizing()` before each page or
    picture that is recognized, which adds `read.ocr_timeout_s` to the time the file may take.
    """

    data: bytes
    name: str
    title: str
    settings: ReadSettings = field(default_factory=ReadSettings)
    password: str = ""
    on_page: OnPage = untold
    on_recognizing: Callable[[], None] = unrecognized


class Reader(Protocol):
    """Reads one family of formats."""

    def __call__(self, file: SourceFile) -> SourceText:
        """The text of a file.

        Raises:
            UnreadableError: damaged, locked, or not what its name says.
            TooLargeError: over one of the limits of `file.settings`.
            UnsupportedError: a kind or variant of file that cannot be read here.
        """
        ...
