"""The compression Outlook puts on rich text, as in [MS-OXRTFCP]: runs copied from the last 4096 bytes."""

from __future__ import annotations

import struct
from typing import Final

MAX_UNPACKED_BYTES: Final = 50_000_000

_COMPRESSED, _PLAIN = b"LZFu", b"MELA"
_WINDOW = 4096
_KNOWN = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript "
    b"\\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par "
    b"\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)


def decompressed(data: bytes) -> bytes:
    """The rich text; nothing where it is not in this form, and as much as is whole where it is damaged."""
    if len(data) < 16:
        return b""
    size, raw_size, kind = struct.unpack("<II4s", data[:12])
    if kind == _PLAIN:
        return data[16 : 16 + raw_size]
    if kind != _COMPRESSED or raw_size > MAX_UNPACKED_BYTES:
        return b""
    return _unpacked(data[16 : size + 4], raw_size)


def _unpacked(packed: bytes, raw_size: int) -> bytes:
    window = bytearray(_KNOWN.ljust(_WINDOW, b"\x00"))
    place = len(_KNOWN)
    text = bytearray()
    at = 0
    while at < len(packed) and len(text) < raw_size:
        flags = packed[at]
        at += 1
        for bit in range(8):
            width = 2 if flags >> bit & 1 else 1
            if at + width > len(packed):
                return bytes(text)
            if width == 1:
                run = packed[at : at + 1]
            else:
                reference = packed[at] << 8 | packed[at + 1]
                start, length = reference >> 4, (reference & 0xF) + 2
                if start == place:  # the end, as the format marks it
                    return bytes(text)
                copied = bytearray()
                for step in range(length):  # a run may reach into what it writes itself
                    byte = window[(start + step) % _WINDOW]
                    window[(place + step) % _WINDOW] = byte
                    copied.append(byte)
                run = bytes(copied)
            at += width
            for step, byte in enumerate(run):
                window[(place + step) % _WINDOW] = byte
            place = (place + len(run)) % _WINDOW
            text += run
    return bytes(text)
