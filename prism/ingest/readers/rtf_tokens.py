"""RTF's tokens (Rich Text Format specification 1.9.1)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_TOKEN = re.compile(
    rb"""\\([a-zA-Z]{1,32})(-?[0-9]{1,10})?[ ]?  # a word, its number, and the space that ends them
    | \\'([0-9a-fA-F]{2})                        # a byte
    | \\([^a-zA-Z])                              # a symbol
    | ([{}])
    | ([^\\{}\r\n]+)                             # text
    | [\r\n]+ | \\""",
    re.X,
)


class Token(NamedTuple):
    """A control word or symbol with its number (None without one), a brace; or, where `word` is empty, bytes
    of text."""

    word: str
    number: int | None
    text: bytes


def tokens(data: bytes) -> Iterator[Token]:
    """The tokens of a file; binary data after `\\bin` is passed over."""
    place = 0
    while found := _TOKEN.match(data, place):
        place = found.end()
        word, number, byte, symbol, brace, text = found.groups()
        if word is not None:
            value = None if number is None else int(number)
            if word == b"bin":
                place += max(value or 0, 0)
                continue
            yield Token(word.decode("ascii"), value, b"")
        elif byte is not None:
            yield Token("", None, bytes.fromhex(byte.decode("ascii")))
        elif symbol in (b"{", b"}", b"\\"):
            yield Token("", None, symbol)
        elif symbol is not None:
            yield Token(symbol.decode("latin-1"), None, b"")
        elif brace is not None:
            yield Token(brace.decode("ascii"), None, b"")
        elif text is not None:
            yield Token("", None, text)
