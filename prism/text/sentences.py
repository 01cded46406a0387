"""Sentences, words and graphemes as spans that cover a text without gap or overlap.

All functions here return half-open character spans in order; joined, the pieces are the text again.
White space belongs to the piece before it. Sentence ends follow Unicode's Sentence_Terminal property
(UAX #29) and add what it leaves open: abbreviations, numbering, ellipses, and the lines of lists and
tables. A pair of offsets is always a pair of grapheme boundaries.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise

import regex

from prism.text import abbreviations as words
from prism.text.lines import LineBreaks, line_breaks

Spans = tuple[tuple[int, int], ...]

LONG_SENTENCE_CHARS = 160
"""A sentence of a script that writes no stops (Thai, Lao) is cut at spaces beyond this length."""

MIN_PHRASE_CHARS = 60
"""How long such a piece is at least."""

MAX_WHOLE_ROW_CHARS = 600
"""A table or CSV row up to this length stays whole whatever stops its cells hold."""

_STRONG = r"[[\p{SB=STerm}།༎༏༐༑\u037e๚๛]--[!?‼⁇⁈⁉‽၊]]"
_WEAK = r"[.!?…‼⁇⁈⁉‽․﹒．]"
_ANY = rf"(?:{_STRONG}|{_WEAK})"
_CLOSERS = r"""(?:[\p{Pe}\p{Pf}]|["'“‘«‹*_`]++(?=[\s\p{Pe}\p{Pf}]|\Z))*+"""
_STOP = regex.compile(
    rf"(?<!{_ANY})(?!\.[0-9A-Za-z])(?P<run>(?:{_ANY}[\p{{GCB=Extend}}\p{{GCB=ZWJ}}]*+)++)"
    rf"(?P<verse>(?<=[।॥])\s?\d{{1,4}}\s?[।॥]++)?(?P<closers>{_CLOSERS})(?:[ \t]?\[\d{{1,3}}\])*+",
    regex.V1,
)
_HAS_STRONG = regex.compile(_STRONG, regex.V1)
_SPACE = regex.compile(r"\s*+")
_EXTENDS = regex.compile(r"[\p{GCB=Extend}\p{GCB=SpacingMark}\p{GCB=ZWJ}]")
_IS_STOP = regex.compile(_ANY, regex.V1)
_CASELESS = regex.compile(r"\p{Lo}")
_IDEOGRAPHIC = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}]")
_UPPER_NEXT = regex.compile(r"[\p{Pi}\p{Ps}\"'*_¿¡]*[\p{Lu}\p{Lt}]")
_LOWER_NEXT = regex.compile(r"[\p{Pi}\p{Ps}\"'*_]*\p{Ll}(?!\p{Ll}?\p{Lu}|[.)]\s+\p{Lu})")
_LAST_TOKEN = regex.compile(r"[\p{Ps}\p{Pi}\"'*_#]*(\S+)$")
_NEXT_WORD = regex.compile(r"[\p{Ps}\p{Pi}\"'*_#]*([\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}'’\-/.]*)")
_MARKER = regex.compile(r"(?:\d{1,3}(?:\.\d{1,3})*|\p{L}\p{M}*|[ivxlIVXL]{1,5})$")
_ROMAN = regex.compile(r"[IVXLC]+(?![\p{L}])|[ivxlc]+(?![\p{L}])")
_DOTTED = regex.compile(r"(?:\p{L}\p{M}*\.-?)+\p{L}\p{M}*(?:ech|om|sc)?$")
_INITIAL = regex.compile(
    r"(?:\p{Lu}|\p{Ll}|[\p{Lo}--[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}]])\p{M}*$", regex.V1
)
_LABELLED = regex.compile(r"(\p{L}+)\s\d{1,4}(?:\.\d{1,3})*$")
_GREEK_QUESTION = regex.compile(r"(?<=\p{Greek}\p{M}*);(?=\s)")
_PHRASE_SPACE = regex.compile(r"(?<=[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}])\s+(?=\S)")

_SPACELESS = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"
_GRAPHEME = regex.compile(r"\X")
_CLUSTER = rf"[เแโใไເແໂໃໄ]?(?={_SPACELESS})\X[ะาำๅະາຳ]*+"
_WORD = regex.compile(
    rf"(?=\s)(?:(?=\s)\X)++|(?:{_CLUSTER}|(?:(?!\s|{_SPACELESS})\X)++)(?:(?=\s)\X)*+",
)

_CONTEXT_CHARS = 40
_NOT_AN_OPENING = frozenset(",;:)]}%&=/-–—、，；：，")


def sentence_spans(text: str) -> Spans:
    """Cut `text` into sentences, list items, headings and table rows. Linear in its length."""
    lines = line_breaks(text)
    cuts = sorted({0, *lines.cuts, *_stop_cuts(text, lines)} - {len(text)})
    spans = tuple(pairwise((*cuts, len(text)))) if text else ()
    return tuple(piece for span in spans for piece in _at_phrases(text, *span))


def grapheme_spans(text: str) -> Spans:
    """Cut `text` into what a reader sees as characters (extended grapheme clusters)."""
    return tuple(match.span() for match in _GRAPHEME.finditer(text))


def word_spans(text: str) -> Spans:
    """Cut `text` into words with their trailing white space; scripts without spaces by grapheme, in Thai and
    Lao with the vowels that are written around it."""
    return tuple(match.span() for match in _WORD.finditer(text))


def _stop_cuts(text: str, lines: LineBreaks) -> Iterator[int]:
    row_starts = [start for start, _ in lines.rows]
    sentence_start, next_line = 0, 0
    for match in _STOP.finditer(text):
        stop = match.start()
        while next_line < len(lines.cuts) and lines.cuts[next_line] <= stop:
            sentence_start = max(sentence_start, lines.cuts[next_line])
            next_line += 1
        row = bisect_right(row_starts, stop) - 1
        if row >= 0 and _lies_in_short_row(stop, lines.rows[row]):
            continue
        cut = _SPACE.match(text, match.end()).end()
        if cut < len(text) and _ends_sentence(text, sentence_start, match, cut):
            sentence_start = cut
            yield cut
    for match in _GREEK_QUESTION.finditer(text):
        yield _SPACE.match(text, match.end()).end()


def _lies_in_short_row(stop: int, row: tuple[int, int]) -> bool:
    return stop < row[1] and row[1] - row[0] <= MAX_WHOLE_ROW_CHARS


def _ends_sentence(text: str, sentence_start: int, match: regex.Match[str], cut: int) -> bool:
    run, following = match["run"], text[cut]
    if _EXTENDS.match(following) or following in ",;、，；":
        return False
    if _HAS_STRONG.search(run):
        return bool(_SPACE.match(text, sentence_start).end() < match.start())
    if _IS_STOP.match(following):
        return False
    before = text[match.start() - 1] if match.start() else ""
    if cut == match.end():
        if run in (".", "．"):
            return bool(_IDEOGRAPHIC.match(before) and _IDEOGRAPHIC.match(following))
        return "…" not in run and "." not in run and bool(_CASELESS.match(following) or following in "¿¡")
    if before and before in "([{（":
        return False
    if any(mark in run for mark in "!?‼⁇⁈⁉‽"):
        return not (match["closers"] and _LOWER_NEXT.match(text, cut)) and following != ":"
    if len(run) > 1 or run == "…":
        return bool(_UPPER_NEXT.match(text, cut))
    return _full_stop_ends(text, sentence_start, match.start(), cut)


def _full_stop_ends(text: str, sentence_start: int, stop: int, cut: int) -> bool:
    """Whether the single full stop at `stop` ends the sentence, `cut` being where the next would begin."""
    if text[cut] in _NOT_AN_OPENING or _LOWER_NEXT.match(text, cut):
        return False
    head = text[max(sentence_start, stop - _CONTEXT_CHARS) : stop]
    found = _LAST_TOKEN.search(head)
    if found is None:
        return True
    token = found[1]
    follower = _NEXT_WORD.match(text, cut, cut + _CONTEXT_CHARS)
    next_word = follower[1].rstrip("./'’-") if follower else ""
    if _is_numbering(head, token, is_first=len(head) == stop - sentence_start):
        return False
    if not any(character.isalpha() for character in token):
        return next_word.casefold() not in words.GERMAN_MONTHS
    return _token_ends(token, next_word)


def _is_numbering(head: str, token: str, *, is_first: bool) -> bool:
    """Whether `token` numbers what follows: `1.` or `(a).` at a start or after a colon, `Section 4.`"""
    before = head[: len(head) - len(token)].rstrip()
    if _MARKER.match(token.rstrip(")")) and (
        (is_first and not before.strip("#*_([\"'> ")) or before.endswith(":")
    ):
        return True
    labelled = _LABELLED.match(head.strip("#*_ ")) if is_first else None
    return labelled is not None and labelled[1].casefold() in words.LABELS


def _token_ends(token: str, next_word: str) -> bool:
    """Whether a full stop after `token` ends a sentence, by what kind of abbreviation it is."""
    lower, opens = token.casefold(), next_word.casefold() in words.OPENERS
    if lower in words.NEVER_LAST or lower in words.TITLES:
        return False
    if lower in ("a.m", "p.m"):
        return not next_word.isupper() and next_word[:3].casefold() not in words.MONTHS_AND_DAYS
    if _INITIAL.match(token) or _DOTTED.match(token):
        return opens and len(next_word) > 1
    if lower in words.REFERENCES:
        return _reference_ends(token, next_word, opens=opens)
    if lower in words.MONTHS_AND_DAYS and (token[0].isupper() or next_word[:1].isdigit()):
        return opens
    if lower in words.OTHERS:
        return opens
    return True


def _reference_ends(token: str, next_word: str, *, opens: bool) -> bool:
    lower = token.casefold()
    if any(character.isdigit() for character in next_word):
        return False
    if lower not in words.REFERENCES_ALSO_WORDS:
        return opens and len(next_word) > 1
    if len(next_word) == 1:
        return lower in ("no", "nos") or not token[0].isupper()
    return _ROMAN.fullmatch(next_word) is None


def _at_phrases(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Cut an overlong piece of Thai, Lao, Khmer or Burmese at its spaces, which divide phrases there."""
    if end - start > LONG_SENTENCE_CHARS:
        for match in _PHRASE_SPACE.finditer(text, start, end):
            cut = match.end()
            if cut - start >= MIN_PHRASE_CHARS and cut < end and not _EXTENDS.match(text[cut]):
                yield start, cut
                start = cut
    yield start, end
