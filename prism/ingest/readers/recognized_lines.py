"""Recognized lines as lines and paragraphs of a document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from prism.ingest.readers.pdf_line import HYPHEN_AT_END
from prism.ingest.readers.recognized_page import RecognizedLine, RecognizedPage

LIST_MARK = re.compile(r"(?:[•●○▪■◦*·]|[–—-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxlcdm]{1,6})[.)])\s+\S")
_UNFINISHED = re.compile(r"[^\W\d_][,-]?$")
_BROKEN = re.compile(r"(?<=[^\W\d_])[-‐¬]$")


def paragraphs_of(page: RecognizedPage) -> Iterator[list[RecognizedLine]]:
    """The lines of each paragraph. List items are paragraphs of their own; a sentence Tesseract parts, as
    it does between lines that stand wide apart, goes on."""
    paragraph: list[RecognizedLine] = []
    for line in page.lines:
        if paragraph and _is_new(paragraph[-1], line):
            yield paragraph
            paragraph = []
        paragraph.append(line)
    if paragraph:
        yield paragraph


def line_texts(lines: Sequence[RecognizedLine], *, goes_on: bool = False) -> list[str]:
    """The lines' words; a word that goes on in the next line ends in `HYPHEN_AT_END`. `goes_on`: so may the
    last one."""
    texts = [line_text(line) for line in lines]
    marked = [
        _BROKEN.sub(HYPHEN_AT_END, before) if after[:1].islower() else before
        for before, after in pairwise(texts)
    ]
    return [*marked, _BROKEN.sub(HYPHEN_AT_END, texts[-1]) if goes_on else texts[-1]]


def _is_new(before: RecognizedLine, line: RecognizedLine) -> bool:
    text = line_text(line)
    if LIST_MARK.match(text):
        return True
    if before.paragraph == line.paragraph:
        return False
    return not (text[0].islower() and _UNFINISHED.search(line_text(before)))


def line_text(line: RecognizedLine) -> str:
    """The words of a line."""
    return " ".join(word.text for word in line.words)
