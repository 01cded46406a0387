"""The values of a JSON text one by one, each with its path, as written.

Unlike `json.loads` this keeps numbers as they stand (no rounding, no `1e22`), keeps every one of several
equal keys, goes as deep as the text does, and gives what stands before a fault. Comments and commas before
a closing bracket, which settings files of editors have, are allowed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Path = tuple[str | int, ...]

_TOKEN = re.compile(
    r'(?P<mark>[{}\[\],:])|(?P<string>"(?:[^"\\]+|\\.)*+")|(?P<word>[^\s{}\[\],:"/]+)|(?P<note>//[^\n]*|/\*.*?\*/)',
    re.S,
)
_BLANK = re.compile(r"[\s\ufeff\x00\x1e]*")
_UNKNOWN_ESCAPE = re.compile(r'(?<!\\)((?:\\\\)*)\\(?!["\\/bfnrtu])')
_WORD = re.compile(r"-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|true|false|null|-?Infinity|NaN")

_Wanted = Literal["value", "value or end", "key", "key or end", "colon", "comma", "document"]


class BrokenJsonError(ValueError):
    """The text stops being JSON at `at`."""

    def __init__(self, at: int, what: str) -> None:
        super().__init__(what)
        self.at = at


@dataclass(frozen=True, slots=True)
class Value:
    """A string, number, word or empty container. `at` is where it stands in the text, `document` counts the
    values at the top: a text may hold several, one after the other."""

    path: Path
    text: str
    at: int
    document: int = 0


def values(text: str) -> Iterator[Value]:
    """Every value of a text in order.

    Raises:
        BrokenJsonError: after the values that stand before the fault.
    """
    path: list[str | int] = []
    opened: list[str] = []
    wanted: _Wanted = "document"
    document = -1
    is_empty = False
    at = _skip(text, 0)
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise BrokenJsonError(at, "a string is not closed" if text[at] == '"' else "no JSON")
        piece, kind = found[0], found.lastgroup
        if kind == "note":
            at = _skip(text, found.end())
            continue
        if wanted == "document":
            document += 1
        if kind == "mark" and piece in "}]" and _may_end(wanted, piece, opened):
            opened.pop()
            path.pop()
            if is_empty:
                yield Value(tuple(path), "[]" if piece == "]" else "{}", at, document)
            wanted = "comma" if opened else "document"
        elif wanted in ("value", "value or end", "document") and (kind != "mark" or piece in "{["):
            if kind == "mark":
                opened.append(piece)
                path.append("" if piece == "{" else 0)
                wanted = "key or end" if piece == "{" else "value or end"
            else:
                yield Value(tuple(path), _scalar(piece, at), at, document)
                wanted = "comma" if opened else "document"
        elif wanted in ("key", "key or end") and kind == "string":
            path[-1] = _string(piece)
            wanted = "colon"
        elif wanted == "colon" and piece == ":":
            wanted = "value"
        elif wanted == "comma" and piece == ",":
            last = path[-1]
            if isinstance(last, int):
                path[-1] = last + 1
            wanted = "key or end" if opened[-1] == "{" else "value or end"
        else:
            raise BrokenJsonError(at, f"{piece[:20]!r} where a {wanted.partition(' ')[0]} should be")
        is_empty = piece in ("{", "[")
        at = _skip(text, found.end())
    if opened:
        raise BrokenJsonError(len(text), "it breaks off")


def _skip(text: str, at: int) -> int:
    blank = _BLANK.match(text, at)
    return blank.end() if blank else at


def _may_end(wanted: _Wanted, piece: str, opened: list[str]) -> bool:
    if not opened or opened[-1] != {"}": "{", "]": "["}[piece]:
        return False
    return wanted in ("comma", "value or end", "key or end")


def _scalar(piece: str, at: int) -> str:
    if piece.startswith('"'):
        return _string(piece)
    if _WORD.fullmatch(piece) is None:
        raise BrokenJsonError(at, f"{piece[:20]!r} where a value should be")
    return piece


def _string(piece: str) -> str:
    if "\\" not in piece:
        return piece[1:-1]
    try:
        return str(json.loads(_UNKNOWN_ESCAPE.sub(r"\1\\\\", piece), strict=False))
    except ValueError:  # half an escape
        return piece[1:-1]
