"""Which line breaks end a unit of text: those of lists, headings, tables and rows, and blank lines.

A plain line break inside a paragraph is only a wrapped line and ends nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

import regex

from prism.text.abbreviations import MID_PHRASE


class _Kind(Enum):
    PROSE = auto()
    BULLET = auto()
    MARKER = auto()
    LETTER_MARKER = auto()
    HEADING = auto()
    CAPITALS = auto()
    RULE = auto()
    ROW = auto()


_ENDS_BEFORE = (_Kind.HEADING, _Kind.ROW, _Kind.BULLET)
_ENDS_AFTER = (_Kind.HEADING, _Kind.ROW, _Kind.RULE)


@dataclass(frozen=True, slots=True)
class LineBreaks:
    """`cuts`: offsets where a new unit begins, rising. `rows`: half-open spans of table and CSV rows."""

    cuts: tuple[int, ...]
    rows: tuple[tuple[int, int], ...]


_ROMAN = r"(?=[ivxIVX])(?:x{0,3}(?:ix|iv|v?i{0,3})|X{0,3}(?:IX|IV|V?I{0,3}))"
_BULLET = regex.compile(r"[-*+•◦▪‣●○■□◆◇►➤✓✔·]\s|[–—]\s+[\p{Lu}\p{Lo}\p{N}]|[①-⑳]|\[[ xX]\]\s")
_MARKER = regex.compile(
    r"\(?\d{1,3}[.)]\s|\d{1,3}(?:\.\d{1,3})+[.)]?\s+\S|\((?:\d{1,3}|\p{L}\p{M}*|" + _ROMAN + r")\)\s*\S"
    r"|(?:\p{Ll}\p{M}*|" + _ROMAN + r")\)\s|\p{Lu}\)\s"
    r"|\p{Lu}\p{Ll}+\s\d{1,4}(?:\.\d+)*(?:\(\p{L}\))?\s?[.:)–—-]\s|§\s?\d|Q\d*[:.]\s|A\d*:\s"
    r"|第[\d一二三四五六七八九十百零]+[条條章节節款项項]|[一二三四五六七八九十]{1,3}、"
)
_LETTER_MARKER = regex.compile(r"(?:\p{L}\p{M}*|" + _ROMAN + r")\.\s")
_HEADING = regex.compile(r"#{1,6}\s|```|~~~|(?:\*\*|__)[^*_]{1,200}(?:\*\*|__):?$")
_RULE = regex.compile(r"(?:=\s?){3,}$|(?:-\s?){3,}$|(?:\*\s?){3,}$|(?:_\s?){3,}$")
_FIELDS_ROW = regex.compile(r"[^:;|]{1,80}:(?:\s[^;]*)?;\s+[^:;]{1,80}:(?:\s|$)")
_FIELD = regex.compile(r"[\p{Lu}\p{Lo}][^:;.!?]{0,40}:\s+\S")
_PHRASE_END = regex.compile(r"[.!?…:;\p{SB=STerm}][\p{Pe}\p{Pf}\"'*_]{0,8}$")
_INITIAL_END = regex.compile(r"(?:^|[\s.])\p{Lu}\.$")
_CONTINUED_REFERENCE = regex.compile(r"\([^)]{1,8}\)\W{0,3}\p{Ll}")
_LAST_WORD = regex.compile(r"(\S{1,24})$")

_MAX_SHAPE_CHARS = 1000
"""How much of a line decides its kind: unbounded lines must not cost more than one pass."""

_TAIL_CHARS = 40
_MAX_CAPITALS_CHARS = 100
_MIN_CAPITALS_LETTERS = 6


def line_breaks(text: str) -> LineBreaks:
    """Find the line breaks of `text` that end a unit. Linear in its length."""
    cuts: list[int] = []
    rows: list[tuple[int, int]] = []
    offset = 0
    previous, previous_kind, blank_before = "", _Kind.PROSE, False
    for line in text.splitlines(keepends=True):
        stripped = line.strip()
        if not stripped:
            blank_before = True
        else:
            start = offset + len(line) - len(line.lstrip())
            kind = _classify(stripped)
            if previous and (blank_before or _divides(previous, previous_kind, stripped, kind)):
                cuts.append(start)
            if kind is _Kind.ROW:
                rows.append((start, offset + len(line)))
            previous, previous_kind = stripped, kind
            blank_before = line.endswith("\u2029")
        offset += len(line)
    return LineBreaks(tuple(cuts), tuple(rows))


def _classify(line: str) -> _Kind:
    if line.startswith("|") or " | " in line or line.count("\t") >= 2:
        return _Kind.ROW
    line = line[:_MAX_SHAPE_CHARS]
    if _FIELDS_ROW.match(line):
        return _Kind.ROW
    if _RULE.match(line):
        return _Kind.RULE
    if _BULLET.match(line):
        return _Kind.BULLET
    if _HEADING.match(line):
        return _Kind.HEADING
    if _MARKER.match(line):
        return _Kind.MARKER
    if _LETTER_MARKER.match(line):
        return _Kind.LETTER_MARKER
    if line.isupper() and len(line) <= _MAX_CAPITALS_CHARS and " " in line:
        letters = sum(character.isalpha() for character in line)
        return _Kind.CAPITALS if letters >= _MIN_CAPITALS_LETTERS else _Kind.PROSE
    return _Kind.PROSE


def _divides(previous: str, previous_kind: _Kind, line: str, kind: _Kind) -> bool:
    """Whether the single line break between these two lines ends a unit."""
    if kind is _Kind.RULE:
        return previous_kind is _Kind.ROW
    if previous_kind in _ENDS_AFTER or kind in _ENDS_BEFORE:
        return True
    if kind is _Kind.MARKER:
        return previous_kind is not _Kind.PROSE or not _is_mid_phrase(previous, line)
    if kind is _Kind.LETTER_MARKER:
        if _INITIAL_END.search(previous[-_TAIL_CHARS:]):
            return False
        return previous_kind is not _Kind.PROSE or _PHRASE_END.search(previous[-_TAIL_CHARS:]) is not None
    if kind is _Kind.CAPITALS:
        return previous_kind is not _Kind.CAPITALS and _PHRASE_END.search(previous[-_TAIL_CHARS:]) is not None
    if previous_kind is _Kind.CAPITALS:
        return line[0].isupper() and not _is_mid_phrase(previous, line)
    return _FIELD.match(previous) is not None and _FIELD.match(line) is not None


def _is_mid_phrase(previous: str, line: str) -> bool:
    last = _LAST_WORD.search(previous[-_TAIL_CHARS:])
    word = last.group(1) if last else ""
    if word.rstrip(".").casefold() in MID_PHRASE:
        return True
    return word[-1:].isdigit() and _CONTINUED_REFERENCE.match(line) is not None
