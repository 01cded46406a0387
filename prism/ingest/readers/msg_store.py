"""What an Outlook message file (MSG) holds: its properties by number, within an OLE compound file.

Layout as in [MS-OXMSG]: a stream per property, named by its number and type; numbers and dates stand in a
table of fixed-size entries. Texts are UTF-16 or, in older files, bytes of a code page the message names.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final

import olefile

from prism.errors import UnreadableError
from prism.ingest.readers.encoding import decode

MAX_STREAM_BYTES: Final = 200_000_000

_TEXT, _BYTE_TEXT, _BINARY, _WHOLE, _TIME, _OBJECT = 0x1F, 0x1E, 0x102, 0x03, 0x40, 0x0D
_TABLE = "__properties_version1.0"
_HEADER_BYTES = {"message": 32, "embedded": 24, "other": 8}
_CODE_PAGES = (0x3FFD, 0x3FDE)
_NAMES = {65001: "utf-8", 20127: "ascii", 28591: "iso-8859-1", 28592: "iso-8859-2", 28605: "iso-8859-15",
          20866: "koi8-r", 21866: "koi8-u", 50220: "iso-2022-jp", 51949: "euc-kr", 51932: "euc-jp",
          936: "gb18030", 54936: "gb18030", 28595: "iso-8859-5", 28597: "iso-8859-7", 28598: "iso-8859-8",
          28599: "iso-8859-9", 38598: "iso-8859-8"}  # fmt: skip
_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)


class Storage:
    """One object of the file: the message, a recipient, an attachment, a message in an attachment."""

    def __init__(
        self, ole: olefile.OleFileIO, name: str, path: tuple[str, ...] = (), charset: str = ""
    ) -> None:
        self._ole = ole
        self._name = name
        self._path = path
        kind = "message" if not path else "embedded" if path[-1].endswith("000D") else "other"
        self._fixed = self._table(_HEADER_BYTES[kind])
        self._charset = self._code_page() or charset

    def text(self, number: int) -> str:
        """A text property, or nothing."""
        if (data := self._stream(number, _TEXT)) is not None:
            return data.decode("utf-16-le", "replace").rstrip("\x00")
        data = self._stream(number, _BYTE_TEXT)
        return self._decoded(data.rstrip(b"\x00")) if data else ""

    def markup(self, number: int) -> bytes:
        """A property of bytes in which a text is written, whatever type it was given."""
        return self.binary(number) or self._stream(number, _BYTE_TEXT) or self.text(number).encode()

    def binary(self, number: int) -> bytes:
        """A property of bytes, or nothing."""
        return self._stream(number, _BINARY) or b""

    def whole(self, number: int) -> int | None:
        """A whole number, None where there is none."""
        value = self._fixed.get((number, _WHOLE))
        return struct.unpack("<i", value[:4])[0] if value is not None else None

    def time(self, number: int) -> str:
        """A date and time in UTC, or nothing."""
        value = self._fixed.get((number, _TIME))
        ticks = struct.unpack("<Q", value)[0] if value is not None else 0
        try:
            moment = _EPOCH + timedelta(microseconds=ticks // 10)
        except OverflowError:
            return ""
        return f"{moment:%Y-%m-%d %H:%M} UTC" if ticks else ""

    def parts(self, prefix: str) -> Iterator[Storage]:
        """The objects below this one whose name begins so, in order."""
        depth = len(self._path)
        names = {
            entry[depth]
            for entry in self._ole.listdir(streams=False, storages=True)
            if len(entry) == depth + 1
            and tuple(entry[:depth]) == self._path
            and entry[depth].startswith(prefix)
        }
        for name in sorted(names):
            yield Storage(self._ole, self._name, (*self._path, name), self._charset)

    def embedded(self, number: int) -> Storage | None:
        """The message that a property holds, None where there is none."""
        return next(self.parts(_stream_name(number, _OBJECT)), None)

    @property
    def charset(self) -> str:
        """The code page of texts that are bytes."""
        return self._charset

    def _decoded(self, data: bytes) -> str:
        try:
            return decode(data, self._name, declared=self._charset).text
        except UnreadableError:
            return data.decode("ascii", "replace")

    def _code_page(self) -> str:
        number = next((found for code in _CODE_PAGES if (found := self.whole(code))), None)
        return _NAMES.get(number, f"cp{number}") if number is not None else ""

    def _stream(self, number: int, kind: int) -> bytes | None:
        return self._read(_stream_name(number, kind))

    def _read(self, name: str) -> bytes | None:
        path = [*self._path, name]
        if not self._ole.exists(path) or self._ole.get_size(path) > MAX_STREAM_BYTES:
            return None
        with self._ole.openstream(path) as stream:
            return bytes(stream.read())

    def _table(self, header_bytes: int) -> dict[tuple[int, int], bytes]:
        data = (self._read(_TABLE) or b"")[header_bytes:]
        entries = (data[place : place + 16] for place in range(0, len(data) - 15, 16))
        found: dict[tuple[int, int], bytes] = {}
        for entry in entries:
            kind, number = struct.unpack("<HH", entry[:4])
            found[number, kind] = entry[8:]
        return found


def _stream_name(number: int, kind: int) -> str:
    return f"__substg1.0_{number:04X}{kind:04X}"
