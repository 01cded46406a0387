"""Characters that no store, hash or terminal can take, and what stands for them.

NUL cuts strings short in C code and terminals; an unpaired surrogate cannot be encoded as UTF-8, so hashing
and SQLite refuse it; U+FEFF inside a text is a byte order mark that came along with a joined file. Two
surrogates that belong together are one character written in halves (PDF readers and tokenizers do it).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

BROKEN = re.compile("\x00|\ufeff|[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]")
"""One thing to mend; a pair of surrogates that belong together is one match."""


def mended(broken: str) -> str:
    """What stands for one match of `BROKEN`: nothing, the whole character, or U+FFFD."""
    if len(broken) == 2:
        return broken.encode("utf-16", "surrogatepass").decode("utf-16")
    return "" if broken in "\x00\ufeff" else REPLACEMENT


def storable(text: str) -> str:
    """`text` as it can be stored: a question from a command line or a web form may hold anything."""
    return BROKEN.sub(lambda found: mended(found[0]), text)


def storable_pieces(pieces: Iterable[str]) -> Iterator[str]:
    """`storable` for a text that comes in pieces, which may cut a character in two."""
    held = ""
    for piece in pieces:
        text = held + piece
        held = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
        yield storable(text[: len(text) - len(held)])
    if held:
        yield storable(held)
