"""Plain text made safe: as HTML, as SVG, as Markdown.

Datasets hold anything: tags, pipes, backticks, line ends, control characters, halves of surrogate pairs.
"""

from __future__ import annotations

import html
import re
from typing import Final

# What neither XML 1.0 (section 2.2) nor UTF-8 can hold.
_UNWRITABLE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_SPACES: Final = re.compile(r"\s+")
# An underscore between two letters or digits opens no emphasis (CommonMark 0.31, section 6.2).
_MARKS: Final = re.compile(r"[\\`*\[\]<>|~&$]|(?<![^\W_])_|_(?![^\W_])")
# What begins a heading, a list or a rule at the start of a line (sections 4 and 5).
_OPENING: Final = re.compile(r"^(?:[#=]|[+-](?=[\s-]|$)|\d+(?=[.)](?:\s|$)))")


def one_line(text: str) -> str:
    """The text on one line, unwritable characters replaced by U+FFFD."""
    return _SPACES.sub(" ", _UNWRITABLE.sub("\ufffd", text)).strip()


def as_html(text: str) -> str:
    """The text on one line for HTML or SVG, within elements and within quoted attributes."""
    return html.escape(one_line(text), quote=True)


def as_markdown(text: str) -> str:
    """The text on one line for Markdown (CommonMark with GitHub's tables): no mark of it means anything.

    It may stand in a table's cell, a list's item or a paragraph.
    """
    escaped = _MARKS.sub(r"\\\g<0>", one_line(text))
    opening = _OPENING.match(escaped)
    if opening is None:
        return escaped
    # A number is escaped at the full stop or bracket after it: "1\." begins no list.
    place = opening.end() if opening[0].isdigit() else 0
    return f"{escaped[:place]}\\{escaped[place:]}"
