"""Make a loaded text uniform without moving anything its spans point at.

What is done, in this order:
1. Unicode NFC, so that `é` typed as one character or as two is found alike.
2. Line ends become `\\n`; other control characters go; every kind of wide or non-breaking space becomes a
   plain space; soft hyphens and zero-width debris go. Zero-width joiners stay where they shape what is
   read: next to Indic letters and inside emoji.
3. Spaces before a line end go, and more than one empty line becomes one.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

import regex

from prism.ingest.edits import Edit, apply_edits
from prism.types import SourceText

CLEANER_VERSION = "1"
"""Part of a version's recipe: raise it when the cleaned text of any file may change."""

_CLUSTER = regex.compile(r"\X")
_NEW_LINE = regex.compile("\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_SPACE = regex.compile("[\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_DEBRIS = regex.compile(
    "[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\xad\u180e\u200b\u2060-\u2064\ufeff\ufff9-\ufffb\ufffe\uffff]"
)
_BIDI_MARKS = regex.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069\u061c]")
_JOINER = regex.compile("[\u200c\u200d]")
_MEANS_JOINER = regex.compile(
    r"[\p{Script=Deva}\p{Script=Beng}\p{Script=Guru}\p{Script=Gujr}\p{Script=Orya}\p{Script=Taml}"
    r"\p{Script=Telu}\p{Script=Knda}\p{Script=Mlym}\p{Script=Sinh}\p{Script=Arab}\p{Script=Syrc}"
    r"\p{Script=Mong}\p{Script=Khmr}\p{Script=Mymr}\p{Script=Tibt}\p{Extended_Pictographic}\ufe0f"
    r"\p{Emoji_Modifier}]"
)
_TRAILING = regex.compile(r"[ \t]+(?=\n|\Z)")
_BLANK_LINES = regex.compile(r"\A\n+|\n{3,}|\n+\Z")


def clean(loaded: SourceText) -> SourceText:
    """`loaded` with uniform characters and white space; pages, sections and tables moved exactly."""
    for find in (_compose, _characters, _trailing_space, _blank_lines):
        loaded = apply_edits(loaded, find(loaded.text))
    return loaded


def _compose(text: str) -> Iterator[Edit]:
    if unicodedata.is_normalized("NFC", text):
        return
    for found in _CLUSTER.finditer(text):
        if len(found[0]) > 1 or not found[0].isascii():
            yield Edit(found.start(), found.end(), unicodedata.normalize("NFC", found[0]))


def _characters(text: str) -> Iterator[Edit]:
    edits = [*_replaced(_NEW_LINE, text, "\n"), *_replaced(_SPACE, text, " ")]
    edits += [*_replaced(_DEBRIS, text, ""), *_replaced(_BIDI_MARKS, text, "")]
    edits += [edit for edit in _replaced(_JOINER, text, "") if not _shapes(text, edit.start)]
    yield from sorted(edits, key=lambda edit: edit.start)


def _replaced(pattern: regex.Pattern[str], text: str, new: str) -> Iterator[Edit]:
    return (Edit(match.start(), match.end(), new) for match in pattern.finditer(text))


def _shapes(text: str, at: int) -> bool:
    """Whether the joiner at `at` changes how the characters before and after it are read."""
    return 0 < at < len(text) - 1 and _MEANS_JOINER.match(text, at - 1) is not None


def _trailing_space(text: str) -> Iterator[Edit]:
    return _replaced(_TRAILING, text, "")


def _blank_lines(text: str) -> Iterator[Edit]:
    for edit in _replaced(_BLANK_LINES, text, "\n\n"):
        at_an_end = edit.start == 0 or edit.end == len(text)
        yield Edit(edit.start, edit.end, "") if at_an_end else edit
