"""Which writing systems a text uses, by Unicode's script property.

Names are Unicode's long script names (`Latin`, `Devanagari`, `Han`, `Hiragana`, `Thai`, `Arabic`…).
Digits, punctuation, emoji and combining marks shared between scripts belong to no script.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Set
from functools import lru_cache

import regex

# fmt: off
SCRIPT_NAMES = (
    "Latin", "Devanagari", "Han", "Hiragana", "Katakana", "Hangul", "Arabic", "Cyrillic", "Greek", "Hebrew",
    "Thai", "Bengali", "Tamil", "Telugu", "Gujarati", "Gurmukhi", "Kannada", "Malayalam", "Oriya",
    "Sinhala", "Khmer", "Lao", "Myanmar", "Tibetan", "Armenian", "Georgian", "Ethiopic", "Mongolian",
    "Thaana", "Syriac", "Bopomofo", "Yi", "Cherokee", "Javanese", "Balinese", "Sundanese", "Meetei_Mayek",
    "Ol_Chiki", "Tifinagh", "Nko", "Vai", "Adlam", "Tai_Le", "New_Tai_Lue", "Tai_Tham", "Tai_Viet", "Cham",
    "Lepcha", "Limbu", "Buginese", "Canadian_Aboriginal", "Coptic",
)
# fmt: on
"""Every script we tell apart, the most used first. A letter of another script counts as `Other`."""

_LETTER_OR_MARK = regex.compile(r"[\p{L}\p{M}]")
_MATCHERS = tuple((name, regex.compile(rf"\p{{Script={name}}}")) for name in SCRIPT_NAMES)
_SHARED = regex.compile(r"[\p{Script=Common}\p{Script=Inherited}]")


@lru_cache(maxsize=16_384)
def script_of(character: str) -> str | None:
    """The script of one character; None for what scripts share (digits, punctuation, accents)."""
    if not _LETTER_OR_MARK.match(character) or _SHARED.match(character):
        return None
    return next((name for name, matcher in _MATCHERS if matcher.match(character)), "Other")


def script_shares(text: str) -> Mapping[str, float]:
    """The fraction of the text's letters in each script, largest first; empty when it has no letters."""
    counts = Counter(script for script in map(script_of, text) if script is not None)
    total = counts.total()
    return {script: count / total for script, count in counts.most_common()}


def scripts(text: str) -> frozenset[str]:
    """Every script that occurs in the text."""
    return frozenset(script_shares(text))


def dominant_script(text: str) -> str | None:
    """The script of most of the text's letters; None when it has no letters."""
    return next(iter(script_shares(text)), None)


def share_of_scripts(text: str, readable: Set[str]) -> float:
    """The fraction, 0 to 1, of the text's letters whose script is in `readable`.

    A text without letters (`0x80070005` has one, `4.2.1` has none) can be read by anyone: 1.0.
    """
    shares = script_shares(text)
    return sum(share for script, share in shares.items() if script in readable) if shares else 1.0
