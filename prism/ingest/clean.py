"""Make a loaded text uniform without moving anything its spans point at.

What is done, in this order:
1. Unicode NFC, so that `é` typed as one character or as two is found alike.
2. Line ends become `\\n`; other control characters go; every kind of wide or non-breaking space becomes a
   plain space; soft hyphens and zero-width debris go. Zero-width joiners stay where they shape what is
   read: next to Indic letters and inside emoji.
3. Spaces before a line end go, and more than one empty line becomes one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

import regex

from prism.ingest.edits import Edit, apply_edits
from prism.types import SourceText

CLEANER_VERSION = "1"
"""Part of a version's recipe: raise it when the cleaned text of any file may change."""

_CLUSTER = regex.compile(r"\X")
_COMPOSABLE = re.compile("[\x00-\x7f]?[^\x00-\x7f]+")
"""What NFC may change: ASCII characters compose with nothing but what follows them."""

_NEW_LINE = "\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029"
_SPACE = "\xa0\u1680\u2000-\u200a\u202f\u205f\u3000"
_DEBRIS = (
    "\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\xad\u180e\u200b\u2060-\u2064\ufeff\ufff9-\ufffb\ufffe\uffff"
)
_BIDI_MARKS = "\u200e\u200f\u202a-\u202e\u2066-\u2069\u061c"
_JOINER = "\u200c\u200d"
_ODD = re.compile(f"[{_NEW_LINE}{_SPACE}{_DEBRIS}{_BIDI_MARKS}{_JOINER}]")
_KINDS = [(re.compile(f"[{kind}]"), new) for kind, new in ((_NEW_LINE, "\n"), (_SPACE, " "))]
_MEANS_JOINER = regex.compile(
    r"[\p{Script=Deva}\p{Script=Beng}\p{Script=Guru}\p{Script=Gujr}\p{Script=Orya}\p{Script=Taml}"
    r"\p{Script=Telu}\p{Script=Knda}\p{Script=Mlym}\p{Script=Sinh}\p{Script=Arab}\p{Script=Syrc}"
    r"\p{Script=Mong}\p{Script=Khmr}\p{Script=Mymr}\p{Script=Tibt}\p{Extended_Pictographic}\ufe0f"
    r"\p{Emoji_Modifier}]"
)


def clean(loaded: SourceText) -> SourceText:
    """`loaded` with uniform characters and white space; pages, sections and tables moved exactly."""
    for find in (_compose, _characters, _trailing_space, _blank_lines):
        loaded = apply_edits(loaded, find(loaded.text))
    return loaded


def _compose(text: str) -> Iterator[Edit]:
    if unicodedata.is_normalized("NFC", text):
        return
    for run in _COMPOSABLE.finditer(text):
        if unicodedata.is_normalized("NFC", run[0]):
            continue
        for found in _CLUSTER.finditer(run[0]):
            composed = unicodedata.normalize("NFC", found[0])
            if composed != found[0]:
                yield Edit(run.start() + found.start(), run.start() + found.end(), composed)


def _characters(text: str) -> Iterator[Edit]:
    for match in _ODD.finditer(text):
        odd, start = match[0], match.start()
        if odd in _JOINER and _shapes(text, start):
            continue
        if odd == "\r" and text.startswith("\n", start + 1):
            yield Edit(start, start + 1, "")
        else:
            yield Edit(start, start + 1, next((new for kind, new in _KINDS if kind.match(odd)), ""))


def _shapes(text: str, at: int) -> bool:
    """Whether the joiner at `at` changes how the characters before and after it are read."""
    return 0 < at < len(text) - 1 and _MEANS_JOINER.match(text, at - 1) is not None


def _trailing_space(text: str) -> Iterator[Edit]:
    # From each line's end backwards: looking forward from each space takes a time that grows with the square
    # of how many stand in a row.
    done = 0
    while done < len(text):
        end = text.find("\n", done)
        end = len(text) if end < 0 else end
        start = end
        while start > done and text[start - 1] in " \t":
            start -= 1
        if start < end:
            yield Edit(start, end, "")
        done = end + 1


def _blank_lines(text: str) -> Iterator[Edit]:
    first, last = len(text) - len(text.lstrip("\n")), len(text.rstrip("\n"))
    if first:
        yield Edit(0, first, "")
    start = first
    while (start := text.find("\n\n\n", start, last)) >= 0:
        end = start + 3
        while text[end] == "\n":
            end += 1
        yield Edit(start, end, "\n\n")
        start = end
    if last < len(text) and first < len(text):
        yield Edit(last, len(text), "")
