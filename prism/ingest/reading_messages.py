"""What passes between an ingest and the process that reads files for it.

A message is a letter, a length, and so many bytes of JSON or of text. Nothing of it can run code or make
objects of other kinds: whoever takes over a parser with a hostile file gets no further than that process, and
what it says is held to the limits and the types of a `SourceText`.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from prism.text.storable import BROKEN
from prism.types import BlockSpan, Box, PageSpan, SectionSpan, SourceText, TableSpan

REQUEST: Final = b"Q"
"""JSON: name, settings, password. The file's bytes follow as `DATA`."""

DATA: Final = b"D"
READY: Final = b"R"
PAGE: Final = b"P"
"""JSON: the page at hand and how many there are."""

RECOGNIZING: Final = b"O"
TEXT: Final = b"T"
"""The text in UTF-8; `STRUCTURE` follows and ends the reply."""

STRUCTURE: Final = b"S"
REFUSAL: Final = b"E"
"""JSON: the name of a `SourceError` and what it says."""

NO_MEMORY: Final = b"M"
FAULT: Final = b"F"
"""JSON: an error that no reader should raise: its kind, what it says, and where it was raised."""

FRAME: Final = struct.Struct("!cQ")

Value = TypeVar("Value")

MAX_SAID_BYTES: Final = 100_000
MAX_STRUCTURE_BYTES: Final = 512_000_000
MAX_UTF8_BYTES: Final = 4
"""A character takes no more."""

_UNSOUND = "a text holds what no store can"


class MessageError(ValueError):
    """A message is not what a reader says."""


def frame(kind: bytes, payload: bytes = b"") -> tuple[bytes, bytes]:
    """A message, in two pieces so that a long payload is not copied."""
    return FRAME.pack(kind, len(payload)), payload


def as_json(value: Any) -> bytes:
    """A value as JSON, in ASCII: whatever a reader's message holds, it can be sent."""
    return json.dumps(value, separators=(",", ":")).encode("ascii")


def from_json(payload: bytes | bytearray) -> Any:
    """The value of a payload. Raises `MessageError`."""
    try:
        return json.loads(payload, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise MessageError(f"not JSON: {error}") from None


def most_bytes(kind: bytes, max_chars: int) -> int:
    """How long a message of this kind may be. Raises `MessageError` when there is no such kind."""
    match kind:
        case b"R" | b"O" | b"M":
            return 0
        case b"P" | b"E" | b"F":
            return MAX_SAID_BYTES
        case b"T":
            return max_chars * MAX_UTF8_BYTES
        case b"S":
            return MAX_STRUCTURE_BYTES
        case _:
            raise MessageError(f"no such message: {kind!r}")


def structure_of(loaded: SourceText) -> bytes:
    """All of a text but its text."""
    return as_json(
        {
            "title": loaded.title,
            "media_type": loaded.media_type,
            "pages": [[page.sheet, page.label, page.start, page.end] for page in loaded.pages],
            "sections": [[section.start, section.path] for section in loaded.sections],
            "tables": [[table.start, table.end, table.header] for table in loaded.tables],
            "blocks": [[block.start, block.end, block.kind] for block in loaded.blocks],
            "boxes": [[box.start, box.end, box.left, box.top, box.right, box.bottom] for box in loaded.boxes],
            "unread_sheets": loaded.unread_sheets,
            "warnings": loaded.warnings,
        }
    )


def source_text(text: str, structure: bytes | bytearray) -> SourceText:
    """A text with the structure that was sent with it.

    Raises:
        MessageError: something in it is missing, of another type, or outside the text.
    """
    said = from_json(structure)
    if not isinstance(said, dict):
        raise MessageError("the structure is not an object")
    length = len(text)
    if "\x00" in text or "\ufeff" in text:  # half characters cannot be in what was sent as UTF-8
        raise MessageError(_UNSOUND)

    def spans(name: str) -> list[Any]:
        return _list(said.get(name))

    def place(start: Any, end: Any) -> tuple[int, int]:
        if not 0 <= _whole(start) <= _whole(end) <= length:
            raise MessageError(f"a span lies outside the text: {start} to {end} of {length}")
        return start, end

    try:
        return SourceText(
            text=text,
            title=_text(said.get("title")),
            media_type=_text(said.get("media_type")),
            pages=tuple(
                PageSpan(_whole(sheet), _text(label), *place(start, end))
                for sheet, label, start, end in spans("pages")
            ),
            sections=tuple(
                SectionSpan(place(start, start)[0], _each(path, _text)) for start, path in spans("sections")
            ),
            tables=tuple(
                TableSpan(*place(start, end), _text(header)) for start, end, header in spans("tables")
            ),
            blocks=tuple(BlockSpan(*place(start, end), _kind(kind)) for start, end, kind in spans("blocks")),
            boxes=tuple(
                Box(*place(start, end), *(_number(side) for side in (left, top, right, bottom)))
                for start, end, left, top, right, bottom in spans("boxes")
            ),
            unread_sheets=_each(said.get("unread_sheets"), _whole),
            warnings=_each(said.get("warnings"), _text),
        )
    except (TypeError, ValueError, OverflowError) as error:
        raise error if isinstance(error, MessageError) else MessageError(str(error)) from None


def said_texts(payload: bytes | bytearray, count: int) -> Sequence[str]:
    """So many texts out of a list. Raises `MessageError`."""
    found = _each(from_json(payload), _text)
    if len(found) != count:
        raise MessageError(f"{len(found)} values instead of {count}")
    return found


def said_page(payload: bytes | bytearray) -> tuple[int, int]:
    """The page at hand and how many there are. Raises `MessageError`."""
    numbers = _each(from_json(payload), _whole)
    if len(numbers) != 2 or min(numbers) < 0:
        raise MessageError(f"no page numbers: {numbers}")
    return numbers[0], numbers[1]


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise MessageError("a list is missing")
    return value


def _each(value: Any, held_to: Callable[[Any], Value]) -> tuple[Value, ...]:
    return tuple(held_to(item) for item in _list(value))


def _whole(value: Any) -> int:
    if type(value) is not int:  # True is an int, too
        raise MessageError(f"not a whole number: {value!r:.40}")
    return value


def _number(value: Any) -> float:
    if type(value) not in (int, float) or not math.isfinite(value):
        raise MessageError(f"not a number: {value!r:.40}")
    return float(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise MessageError(f"not a text: {value!r:.40}")
    return _sound(value)


def _sound(text: str) -> str:
    if BROKEN.search(text):
        raise MessageError(_UNSOUND)
    return text


def _kind(value: Any) -> Any:
    if value not in ("code", "list"):
        raise MessageError(f"no kind of block: {value!r:.40}")
    return value


def _refuse(constant: str) -> None:
    raise MessageError(f"not a number: {constant}")
