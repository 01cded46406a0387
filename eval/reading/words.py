"""The words of a stored text and of a reference, made comparable."""

from __future__ import annotations

import html
import re
import unicodedata
from typing import Final

import regex

_WORD: Final = regex.compile(
    # One character each where no spaces stand between words.
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]\p{M}*|[\w\p{M}]+"
)
_IMAGE: Final = re.compile(r"!\[[^\]]*\]\([^)]*\)|<!--.*?-->", re.S)
_LINK: Final = re.compile(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\((?:[^()]|\([^()]*\))*\)")
_FENCE: Final = re.compile(r"^```.*$", re.M)
_ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")


def words_of(text: str) -> list[str]:
    """The words in their order: NFKC, lower case, vowel signs with their letters."""
    return _WORD.findall(unicodedata.normalize("NFKC", text).lower())


def reference_words(markdown: str) -> list[str]:
    """The words that a reference in Markdown says stand in the file: without images, link targets and the
    names of code languages. Its other marks (headings, emphasis, table rules) hold no word."""
    text = _IMAGE.sub(" ", _FENCE.sub(" ", markdown))
    text = _LINK.sub(r"\1", text)
    return words_of(html.unescape(_ESCAPE.sub(r"\1", text)))
