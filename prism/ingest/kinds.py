"""What kind of file this is: by its content first, then by the ending of its name."""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from enum import Enum
from pathlib import PurePosixPath

import olefile

from prism.errors import UnreadableError, UnsupportedError


class Kind(Enum):
    """The kinds of file Prism knows; the value is the media type."""

    PDF = "application/pdf"
    DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
    XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    ODT = "application/vnd.oasis.opendocument.text"
    ODP = "application/vnd.oasis.opendocument.presentation"
    ODS = "application/vnd.oasis.opendocument.spreadsheet"
    DOC = "application/msword"
    PPT = "application/vnd.ms-powerpoint"
    XLS = "application/vnd.ms-excel"
    RTF = "application/rtf"
    EPUB = "application/epub+zip"
    HTML = "text/html"
    XML = "application/xml"
    MARKDOWN = "text/markdown"
    RST = "text/x-rst"
    CSV = "text/csv"
    JSON = "application/json"
    JSON_LINES = "application/jsonl"
    NOTEBOOK = "application/x-ipynb+json"
    EML = "message/rfc822"
    MSG = "application/vnd.ms-outlook"
    CODE = "text/x-source"
    TEXT = "text/plain"
    IMAGE = "image"


_ENDINGS = {
    Kind.PDF: ".pdf",
    Kind.DOCX: ".docx .docm .dotx .dotm",
    Kind.PPTX: ".pptx .pptm .ppsx .ppsm .potx .potm",
    Kind.XLSX: ".xlsx .xlsm .xltx",
    Kind.ODT: ".odt .ott",
    Kind.ODP: ".odp .otp",
    Kind.ODS: ".ods .ots",
    Kind.DOC: ".doc .dot",
    Kind.PPT: ".ppt .pps .pot",
    Kind.XLS: ".xls",
    Kind.RTF: ".rtf",
    Kind.EPUB: ".epub",
    Kind.HTML: ".html .htm .xhtml",
    Kind.XML: ".xml .nxml",
    Kind.MARKDOWN: ".md .markdown",
    Kind.RST: ".rst .rest",
    Kind.CSV: ".csv .tsv .tab .psv",
    Kind.JSON: ".json .geojson",
    Kind.JSON_LINES: ".jsonl .ndjson",
    Kind.NOTEBOOK: ".ipynb",
    Kind.EML: ".eml",
    Kind.MSG: ".msg",
    Kind.CODE: ".py .pyi .js .mjs .ts .tsx .jsx .java .kt .kts .scala .c .h .cc .cpp .cxx .hpp .hh .cs .go "
    ".rs .rb .php .swift .m .r .jl .lua .pl .pm .sh .bash .zsh .ps1 .sql .yaml .yml .toml .ini .cfg .conf "
    ".properties .gradle .groovy .dart .ex .exs .erl .hs .ml .clj .f90 .vb .css .scss .tex .proto .graphql "
    ".vue .svelte .tf .asm .s .pas .lisp .el",
    Kind.TEXT: ".txt .text .log",
    Kind.IMAGE: ".png .jpg .jpeg .tif .tiff .bmp .webp .gif",
}

EXTENSIONS = {ending: kind for kind, endings in _ENDINGS.items() for ending in endings.split()} | {
    "": Kind.TEXT
}
"""File name endings, in lower case. A name without one is tried as plain text."""

SUPPORTED = (
    "PDF, Word, PowerPoint, Excel, OpenDocument, RTF, EPUB, HTML, XML, Markdown, reStructuredText, CSV/TSV, "
    "JSON, e-mail, source code, pictures and plain text"
)

_WRITTEN = frozenset(
    (Kind.TEXT, Kind.MARKDOWN, Kind.RST, Kind.CSV, Kind.HTML, Kind.XML, Kind.JSON, Kind.JSON_LINES,
     Kind.NOTEBOOK, Kind.EML, Kind.CODE)
)  # fmt: skip
"""Kinds whose files are written in letters, so that other content under their names is a mistake."""

_PICTURES = {
    b"\x89PNG\r\n\x1a\n": "PNG picture",
    b"\xff\xd8\xff": "JPEG picture",
    b"GIF8": "GIF picture",
    b"II*\x00": "TIFF picture",
    b"MM\x00*": "TIFF picture",
}
_BINARY_SIGNATURES = {
    b"\x7fELF": "program",
    b"MZ\x90\x00": "program",
    b"\x1f\x8b": "gzip archive",
    b"7z\xbc\xaf\x27\x1c": "7-Zip archive",
    b"Rar!\x1a\x07": "RAR archive",
    b"SQLite format 3\x00": "SQLite database",
    b"RIFF": "media file",
    b"ID3": "sound file",
    b"OggS": "media file",
}
_OLE_SIGNATURE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLE_STREAMS = {
    "__properties_version1.0": Kind.MSG,
    "WordDocument": Kind.DOC,
    "PowerPoint Document": Kind.PPT,
    "Workbook": Kind.XLS,
    "Book": Kind.XLS,
}
_OLE_BROKEN = (OSError, ValueError, IndexError, TypeError, AttributeError, KeyError, struct.error)
_ZIP_SIGNATURES = (b"PK\x03\x04", b"PK\x05\x06")
_HTML_START = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html[\s>])", re.I | re.S
)
_ZIP_PARTS = {"word/": Kind.DOCX, "xl/": Kind.XLSX, "ppt/": Kind.PPTX, "META-INF/container.xml": Kind.EPUB}
_OPEN_DOCUMENTS = (Kind.ODT, Kind.ODP, Kind.ODS)
_ZIP_MEDIA_TYPES = {kind.value: kind for kind in (*_OPEN_DOCUMENTS, Kind.EPUB)} | {
    kind.value + "-template": kind for kind in _OPEN_DOCUMENTS
}
_OFFICE_MAIN_TYPES = {
    b"wordprocessingml.": Kind.DOCX, b"ms-word.": Kind.DOCX, b"presentationml.": Kind.PPTX,
    b"ms-powerpoint.": Kind.PPTX, b"spreadsheetml.": Kind.XLSX, b"ms-excel.": Kind.XLSX,
}  # fmt: skip
_MAX_TYPES_BYTES = 1_000_000
_MAX_MEDIA_TYPE_CHARS = 200


def kind_of(data: bytes, name: str) -> Kind:
    """The kind of a file from its bytes and its name.

    Raises:
        UnreadableError: the content is not what the name says and nothing Prism reads.
        UnsupportedError: there is no reader for it.
    """
    ending = PurePosixPath(name).suffix.lower()
    named = EXTENSIONS.get(ending)
    if data[:1024].lstrip().startswith(b"%PDF-") or (named is Kind.PDF and b"%PDF-" in data[:1024]):
        return Kind.PDF
    if data.startswith(_ZIP_SIGNATURES):
        return _zip_kind(data, name)
    if data.startswith(_OLE_SIGNATURE):
        return _ole_kind(data, name)
    if data.startswith(b"{\\rtf"):
        return Kind.RTF
    if picture := _picture(data, named):
        if named in _WRITTEN and ending:
            raise _not_text(name, picture)
        return Kind.IMAGE
    for signature, description in _BINARY_SIGNATURES.items():
        if data.startswith(signature):
            raise _binary_error(name, named, description)
    if named is None:
        raise UnsupportedError(f"{name}: no reader for {ending} files. Prism reads {SUPPORTED}.")
    if not data:
        return named
    if _HTML_START.match(_ascii_view(data[:4096])) and named in (Kind.TEXT, Kind.HTML, Kind.XML, Kind.CSV):
        return Kind.HTML
    if named in (Kind.XLS, Kind.XLSX) and (written := _exported(data)):
        return written
    if named is Kind.DOC and (written := _written_as_word(data)):
        return written
    if named not in _WRITTEN:
        raise UnreadableError(
            f"{name}: not a {ending[1:].upper()} file, or damaged. Save it again from its program."
        )
    return named


def _exported(data: bytes) -> Kind | None:
    """What programs write that name a web page or a table of text `.xls`, so that Excel opens it."""
    start = _ascii_view(data[:4096]).lstrip()
    if _HTML_START.match(start) or re.match(rb"<(?:table|meta|style|head|body|div)\b", start, re.I):
        return Kind.HTML
    lines = start.splitlines()[:20]
    is_text = not re.search(rb"[\x01-\x08\x0e-\x1a\x1c-\x1f<]", start)
    is_table = len(lines) > 1 and any(all(sign in line for line in lines[:2]) for sign in (b"\t", b",", b";"))
    return Kind.CSV if is_text and is_table else None


def _written_as_word(data: bytes) -> Kind | None:
    """A web page, alone or packed as mail, or plain text that a program names `.doc` for Word to open."""
    start = _ascii_view(data[:4096]).lstrip()
    if start[:13].lower() == b"mime-version:":
        return Kind.EML
    if _HTML_START.match(start) or re.match(rb"<(?:meta|style|head|body|div|p)\b", start, re.I):
        return Kind.HTML
    return None if re.search(rb"[\x01-\x08\x0e-\x1a\x1c-\x1f<]", start) else Kind.TEXT


def _ascii_view(data: bytes) -> bytes:
    """The bytes with UTF-16's padding and any byte order mark taken out, to look for markup."""
    return data.lstrip(b"\xff\xfe\xef\xbb\xbf").replace(b"\x00", b"")


def _picture(data: bytes, named: Kind | None) -> str:
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "WebP picture"
    if data.startswith(b"BM") and named is Kind.IMAGE:  # two letters alone say little
        return "BMP picture"
    return next((found for signature, found in _PICTURES.items() if data.startswith(signature)), "")


def _zip_kind(data: bytes, name: str) -> Kind:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.namelist()
            media_type = _head(archive, "mimetype", _MAX_MEDIA_TYPE_CHARS)
            types = _head(archive, "[Content_Types].xml", _MAX_TYPES_BYTES)
            manifest = _head(archive, "META-INF/manifest.xml", _MAX_TYPES_BYTES)
    except (zipfile.BadZipFile, zlib.error, ValueError, RuntimeError, EOFError, OSError):
        raise UnreadableError(f"{name}: damaged (a broken ZIP container). Save or copy it again.") from None
    if kind := _ZIP_MEDIA_TYPES.get(media_type.decode("ascii", "replace").strip()):
        return kind
    for part, kind in _ZIP_PARTS.items():
        if any(member.startswith(part) for member in members):
            return kind
    # Office programs find the main part by its type, wherever it lies; some writers of OpenDocument leave the
    # file `mimetype` out.
    main = re.search(
        rb"application/vnd\.(?:openxmlformats-officedocument\.)?([\w-]+\.)[\w.]*main\+xml", types
    )
    if main and main[1].lower() in _OFFICE_MAIN_TYPES:
        return _OFFICE_MAIN_TYPES[main[1].lower()]
    for media_type_name, kind in _ZIP_MEDIA_TYPES.items():
        if f'"{media_type_name}"'.encode() in manifest:
            return kind
    raise UnsupportedError(f"{name}: no reader for ZIP archives. Unpack it first; Prism reads {SUPPORTED}.")


def _head(archive: zipfile.ZipFile, member: str, most: int) -> bytes:
    """The first bytes of a member, nothing where there is none."""
    return archive.open(member).read(most) if member in archive.namelist() else b""


def _ole_kind(data: bytes, name: str) -> Kind:
    if "EncryptedPackage".encode("utf-16-le") in data:
        raise UnreadableError(f"{name}: password protected. Remove the password and add the file again.")
    try:
        with olefile.OleFileIO(io.BytesIO(data)) as ole:
            # A workbook may hold a Word document further down.
            if kind := next((kind for stream, kind in _OLE_STREAMS.items() if ole.exists(stream)), None):
                return kind
    except _OLE_BROKEN:
        pass  # Its directory is damaged; the names may be there.
    for stream, kind in _OLE_STREAMS.items():
        if stream.encode("utf-16-le") + b"\x00\x00" in data:
            return kind
    raise UnsupportedError(f"{name}: no reader for this kind of old Office file. Prism reads {SUPPORTED}.")


def _binary_error(name: str, named: Kind | None, description: str) -> Exception:
    if named in _WRITTEN:
        return _not_text(name, description)
    return UnsupportedError(f"{name}: no reader for this {description}. Prism reads {SUPPORTED}.")


def _not_text(name: str, description: str) -> UnreadableError:
    return UnreadableError(f"{name}: not a text file but a {description}. Prism reads {SUPPORTED}.")
