"""What kind of file this is: by its content first, then by the ending of its name."""

from __future__ import annotations

import io
import re
import zipfile
from enum import Enum
from pathlib import PurePosixPath

from prism.errors import UnreadableError, UnsupportedError


class Kind(Enum):
    """The formats Prism reads; the value is the media type."""

    PDF = "application/pdf"
    DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    HTML = "text/html"
    MARKDOWN = "text/markdown"
    CSV = "text/csv"
    TEXT = "text/plain"


EXTENSIONS = {
    ".pdf": Kind.PDF,
    ".docx": Kind.DOCX,
    ".docm": Kind.DOCX,
    ".html": Kind.HTML,
    ".htm": Kind.HTML,
    ".xhtml": Kind.HTML,
    ".md": Kind.MARKDOWN,
    ".markdown": Kind.MARKDOWN,
    ".csv": Kind.CSV,
    ".tsv": Kind.CSV,
    ".tab": Kind.CSV,
    ".psv": Kind.CSV,
    ".txt": Kind.TEXT,
    ".text": Kind.TEXT,
    ".log": Kind.TEXT,
    "": Kind.TEXT,
}
"""File name endings, in lower case. A name without one is tried as plain text."""

SUPPORTED = "PDF, DOCX, HTML, Markdown, CSV/TSV and plain text (.txt)"

_BINARY_SIGNATURES = {
    b"\x89PNG\r\n\x1a\n": "PNG picture",
    b"\xff\xd8\xff": "JPEG picture",
    b"GIF8": "GIF picture",
    b"\x7fELF": "program",
    b"MZ\x90\x00": "program",
    b"\x1f\x8b": "gzip archive",
    b"7z\xbc\xaf\x27\x1c": "7-Zip archive",
    b"Rar!\x1a\x07": "RAR archive",
    b"SQLite format 3\x00": "SQLite database",
    b"RIFF": "media file",
    b"ID3": "sound file",
    b"OggS": "media file",
    b"{\\rtf": "RTF document",
}
_OLE_SIGNATURE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIP_SIGNATURES = (b"PK\x03\x04", b"PK\x05\x06")
_HTML_START = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html[\s>])", re.I | re.S
)
_ZIP_KINDS = {
    "word/": "",
    "xl/": "Excel workbook",
    "ppt/": "PowerPoint presentation",
    "META-INF/container.xml": "EPUB book",
    "content.xml": "OpenDocument file",
}


def kind_of(data: bytes, name: str) -> Kind:
    """The kind of a file from its bytes and its name.

    Raises:
        UnreadableError: the content is not what the name says and nothing Prism reads.
        UnsupportedError: there is no reader for it.
    """
    ending = PurePosixPath(name).suffix.lower()
    if data[:1024].lstrip().startswith(b"%PDF-") or (ending == ".pdf" and b"%PDF-" in data[:1024]):
        return Kind.PDF
    if data.startswith(_ZIP_SIGNATURES):
        return _zip_kind(data, name)
    if data.startswith(_OLE_SIGNATURE):
        raise _ole_error(data, name)
    for signature, description in _BINARY_SIGNATURES.items():
        if data.startswith(signature):
            raise _binary_error(name, ending, description)
    if ending not in EXTENSIONS:
        raise UnsupportedError(f"{name}: no reader for {ending} files. Prism reads {SUPPORTED}.")
    kind = EXTENSIONS[ending]
    if not data:
        return kind
    if _HTML_START.match(_ascii_view(data[:4096])) and kind is not Kind.MARKDOWN:
        return Kind.HTML
    if kind in (Kind.PDF, Kind.DOCX):
        raise UnreadableError(
            f"{name}: not a {ending[1:].upper()} file, or damaged. Save it again from its program."
        )
    return kind


def _ascii_view(data: bytes) -> bytes:
    """The bytes with UTF-16's padding and any byte order mark taken out, to look for markup."""
    return data.lstrip(b"\xff\xfe\xef\xbb\xbf").replace(b"\x00", b"")


def _zip_kind(data: bytes, name: str) -> Kind:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.namelist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError):
        raise UnreadableError(f"{name}: damaged (a broken ZIP container). Save or copy it again.") from None
    for prefix, description in _ZIP_KINDS.items():
        if any(member.startswith(prefix) for member in members):
            if not description:
                return Kind.DOCX
            raise UnsupportedError(f"{name}: no reader for this {description}. Prism reads {SUPPORTED}.")
    raise UnsupportedError(f"{name}: no reader for ZIP archives. Unpack it first; Prism reads {SUPPORTED}.")


def _ole_error(data: bytes, name: str) -> Exception:
    if "EncryptedPackage".encode("utf-16-le") in data:
        return UnreadableError(f"{name}: password protected. Remove the password and add the file again.")
    return UnsupportedError(f"{name}: an old Office file. Save it as .docx or PDF; Prism reads {SUPPORTED}.")


def _binary_error(name: str, ending: str, description: str) -> Exception:
    if EXTENSIONS.get(ending) in (Kind.TEXT, Kind.MARKDOWN, Kind.CSV, Kind.HTML):
        return UnreadableError(f"{name}: not a text file but a {description}. Prism reads {SUPPORTED}.")
    return UnsupportedError(f"{name}: no reader for this {description}. Prism reads {SUPPORTED}.")
