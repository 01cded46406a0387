"""What is usual in a document's print: sizes, bold type, and how its words are spelt."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from prism.ingest.readers.pdf_line import HYPHEN_AT_END, Line

HEADING_SIZE = 1.15
"""How much larger than body text a heading is at least."""

_COMMON_BOLD_SHARE = 0.4
_UNSPACED = re.compile("[\u2e80-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef]")
"""Chinese and Japanese, which put no space where a line ends."""

_WORDS = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Typography:
    """What is usual in a document: the size of its body text, whether bold marks headings, how words
    split at line ends are spelt elsewhere, and which sizes head sections (largest first)."""

    body_size: float
    bold_is_rare: bool
    words: Mapping[str, int]
    heading_sizes: tuple[float, ...]


def typography(pages: Sequence[Sequence[Line]]) -> Typography:
    """Measure a document's lines."""
    sizes: Counter[float] = Counter()
    words: Counter[str] = Counter()
    bold = total = 0
    for line in (line for lines in pages for line in lines):
        if line.paragraph is None:
            sizes[rounded_size(line.size)] += len(line.text)
        words.update(re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", line.text.lower().replace(HYPHEN_AT_END, " ")))
        bold += len(line.text) * line.is_bold
        total += len(line.text) * (line.paragraph is None)
    body = sizes.most_common(1)[0][0] if sizes else 1.0
    larger = sorted((size for size in sizes if size >= HEADING_SIZE * body), reverse=True)
    return Typography(body, bold < _COMMON_BOLD_SHARE * max(total, 1), words, tuple(larger[:3]))


def join_lines(before: str, after: str, words: Mapping[str, int]) -> str:
    """Two lines as one, with a word split at the line end made whole.

    A compound keeps its hyphen when the document writes it with one elsewhere, or writes both halves as
    words and never the joined word.
    """
    if before.endswith(HYPHEN_AT_END):
        stem = before[:-1]
        left = (_WORDS.findall(stem) or [""])[-1].lower()
        right = (_WORDS.match(after) or re.match("", after) or [""])[0].lower()
        return stem + ("-" if _keeps_hyphen(left, right, after, words) else "") + after
    if is_unspaced(before[-1:]) and is_unspaced(after[:1]):
        return before + after
    if re.search(r"[^\W_]-$", before) and re.match(r"[^\W_]", after):
        return before + after
    return f"{before} {after}"


def _keeps_hyphen(left: str, right: str, after: str, words: Mapping[str, int]) -> bool:
    if not left or not right or not after[0].islower():
        return True
    if words.get(left + right):
        return False
    return bool(words.get(f"{left}-{right}")) or (words.get(left, 0) > 1 and words.get(right, 0) > 1)


def is_unspaced(letter: str) -> bool:
    """Whether a letter belongs to a script that writes words without spaces between them."""
    return _UNSPACED.match(letter) is not None


def rounded_size(size: float) -> float:
    """A size in points to the nearest half, in which a document's sizes are told apart."""
    return round(size * 2) / 2
