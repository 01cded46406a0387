"""Word, Excel and PowerPoint files of before 2007: LibreOffice writes them in the new format, whose reader
reads that. Without LibreOffice they are refused with a word on what to do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from io import BytesIO
from typing import Final, cast

import olefile

from prism.errors import UnreadableError, UnsupportedError
from prism.ingest.kinds import Kind, kind_of
from prism.ingest.readers.libreoffice import converted, program
from prism.ingest.readers.protocol import Reader, SourceFile
from prism.types import SourceText


@dataclass(frozen=True, slots=True)
class _Format:
    """An old format: its program, the ending of the new format, and who reads that."""

    program: str
    ending: str
    new_ending: str
    reader: str


_FORMATS: Final[Mapping[Kind, _Format]] = {
    Kind.DOC: _Format("Word", ".doc", ".docx", "docx"),
    Kind.XLS: _Format("Excel", ".xls", ".xlsx", "xlsx"),
    Kind.PPT: _Format("PowerPoint", ".ppt", ".pptx", "pptx"),
}

_WORD_IS_ENCRYPTED: Final = 0x01
"""Bit of byte 11 of a Word document's first block (MS-DOC, 2.5.2)."""

_EXCEL_PASSWORD, _EXCEL_ENDS = 0x002F, 0x000A
"""Records of an Excel workbook (MS-XLS, 2.3)."""

_POWERPOINT_IS_ENCRYPTED: Final = b"\xdf\xc4\xd1\xf3"
"""At byte 12 of `Current User` (MS-PPT, 2.3.2)."""


def read(file: SourceFile) -> SourceText:
    """Read a DOC, XLS or PPT file.

    Raises:
        UnsupportedError: LibreOffice is not installed.
        UnreadableError: damaged, password protected, or LibreOffice cannot open it.
        TooLargeError: LibreOffice takes too long, or it is over a limit of the new format.
    """
    kind = kind_of(file.data, file.name)
    form = _FORMATS[kind]
    if _is_encrypted(file.data):
        raise UnreadableError(f"{file.name}: password protected. Remove the password and add the file again.")
    office = program()
    if office is None:
        raise UnsupportedError(
            f"{file.name}: an old {form.program} file. Install LibreOffice, or save it as {form.new_ending}."
        )
    data = converted(file, office, form.ending, form.new_ending)
    reader = cast(Reader, import_module(f"prism.ingest.readers.{form.reader}").read)
    return replace(reader(replace(file, data=data)), media_type=kind.value)


def _is_encrypted(data: bytes) -> bool:
    """Whether the file says that it is encrypted; one too damaged to say so is left to LibreOffice."""
    try:
        with olefile.OleFileIO(BytesIO(data)) as ole:
            if ole.exists("WordDocument"):
                head = ole.openstream("WordDocument").read(12)
                return len(head) == 12 and bool(head[11] & _WORD_IS_ENCRYPTED)
            if ole.exists("Current User"):
                return bool(ole.openstream("Current User").read(16)[12:] == _POWERPOINT_IS_ENCRYPTED)
            book = next((name for name in ("Workbook", "Book") if ole.exists(name)), None)
            return book is not None and _has_excel_password(ole.openstream(book).read(65536))
    except (OSError, ValueError, IndexError, TypeError, AttributeError, KeyError):
        return False


def _has_excel_password(stream: bytes) -> bool:
    """Whether a password stands among the first records: before anything that is encrypted."""
    place = 0
    while place + 4 <= len(stream):
        record = int.from_bytes(stream[place : place + 2], "little")
        if record == _EXCEL_PASSWORD:
            return True
        if record == _EXCEL_ENDS:
            return False
        place += 4 + int.from_bytes(stream[place + 2 : place + 4], "little")
    return False
