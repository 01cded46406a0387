"""Print whose letters cannot be read: fonts that draw one letter and name another, or none.

Such a font names codes that no letter has, or (the Hindi fonts from before Unicode) Latin letters for Indic
ones. What it draws a person reads and text recognition reads; the text layer does not say it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from prism.ingest.readers.pdf_line import Line

HARD_TO_READ = 0.4
"""From this share of unreadable letters on, a line says nothing. Broken vowel signs stay well below."""

_MIN_LETTERS = 4
_LEGACY_FONT = re.compile(
    r"kruti|devlys|chanakya|walkman|shusha|shivaji|kundli|akruti|aps[-_]?dv|dv[bw]*[-_]?(?:w)?tt|isfoc|shree[-_]?"
    r"(?:dev|\d)|preeti|kantipur|sutonny|bijoy|nudi|baraha|bamini|4cgandhi|terafont|gopika|lmg[-_]|ml[-_]tt|"
    r"mithi|marathi[-_]?lekhani|hindi[-_]?(?:saral|lekhani)",
    re.I,
)
_INDIC = re.compile("[\u0900-\u0dff]")
_NO_LETTER = re.compile("[\x03-\x08\x0e-\x1f\x7f-\x9f\ufffd\ue000-\uf8ff]")


def is_legacy(font: str, text: str) -> bool:
    """Whether this text is drawn with a font that shows Indic letters for Latin codes."""
    return _LEGACY_FONT.search(font) is not None and _INDIC.search(text) is None


def without_meaning(text: str) -> int:
    """How many characters of a text are no letters outside their font. White space and bullets are none of
    them."""
    return len(_NO_LETTER.findall(text))


def is_unreadable(line: Line) -> bool:
    """Whether a line says nothing, for its letters cannot be read."""
    return line.unreadable >= HARD_TO_READ and len(line.text) >= _MIN_LETTERS


def legible(lines: Sequence[Line]) -> list[Line]:
    """The lines without those whose letters have no names at all: they hold nothing that could be found.
    Wrong names (a legacy font's) stay, for whoever can tell what they stand for."""
    return [line for line in lines if not is_unreadable(line) or without_meaning(line.text) == 0]


def unreadable_share(lines: Sequence[Line]) -> float:
    """The share of a page's letters that stand in lines which cannot be read, from 0 to 1."""
    letters = sum(len(line.text) for line in lines)
    return sum(len(line.text) for line in lines if is_unreadable(line)) / letters if letters else 0.0
