"""Texts to measure with: real sentences whose words are partly replaced by a generated vocabulary.

BM25 depends on how often words occur. Frequencies of a language fall as 1/rank (Zipf 1949), so the words put
in are drawn that way, from a vocabulary large enough that it goes on growing with the corpus. A document
keeps to one topic, which gives some of its words. Everything follows from the seed and a document's number,
so that a small corpus is the beginning of a large one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from prism.errors import UsageError
from prism.text.sentences import sentence_spans

VOCABULARY_WORDS = 50_000
TOPICS = 40
WORDS_PER_DOCUMENT = 2600
"""About fifty leaves of 128 tokens."""

REPLACED_SHARE = 0.35
"""Share of the words of four letters and more that give way to generated ones."""

TOPIC_SHARE = 0.4
"""Share of the generated words that come from the document's topic."""

_WORD = re.compile(r"[A-Za-z]{4,}")
_ONSETS = (
    "b",
    "br",
    "c",
    "d",
    "dr",
    "f",
    "g",
    "gr",
    "h",
    "k",
    "l",
    "m",
    "n",
    "p",
    "r",
    "s",
    "st",
    "t",
    "tr",
    "v",
)
_VOWELS = ("a", "e", "i", "o", "u", "ai", "ea", "ou")
_CODAS = ("", "", "", "l", "m", "n", "r", "s", "t")


def read_sentences(folder: Path, *, least_words: int = 6, most_words: int = 40) -> tuple[str, ...]:
    """The different sentences of a folder's text files, in order of file and place.

    Raises:
        UsageError: the folder holds none.
    """
    found: dict[str, None] = {}
    for file in sorted(folder.glob("*.txt")) + sorted(folder.glob("*.md")):
        text = file.read_text(encoding="utf-8")
        for start, end in sentence_spans(text):
            sentence = " ".join(text[start:end].split())
            if sentence.isascii() and least_words <= len(sentence.split()) <= most_words:
                found[sentence] = None
    if not found:
        raise UsageError(f"{folder}: no sentences to make a corpus of. Give a folder of .txt or .md files.")
    return tuple(found)


def make_vocabulary(size: int, seed: int) -> tuple[str, ...]:
    """So many different pronounceable words, commonest first."""
    draw = np.random.default_rng([seed, 1])
    words: dict[str, None] = {}
    while len(words) < size:
        syllables = int(draw.integers(2, 5))
        words[
            "".join(
                _ONSETS[draw.integers(len(_ONSETS))]
                + _VOWELS[draw.integers(len(_VOWELS))]
                + _CODAS[draw.integers(len(_CODAS))]
                for _ in range(syllables)
            )
        ] = None
    return tuple(words)


def zipf_ranks(count: int, vocabulary: int, draw: np.random.Generator) -> NDArray[np.int64]:
    """So many ranks from 0, rank r with a probability in proportion to 1/(r + 1)."""
    cumulated = np.cumsum(1.0 / np.arange(1, vocabulary + 1))
    ranks: NDArray[np.int64] = np.searchsorted(cumulated, draw.random(count) * cumulated[-1], side="right")
    return ranks


def make_document(number: int, sentences: Sequence[str], vocabulary: Sequence[str], seed: int) -> str:
    """The text of one document: paragraphs of three to seven sentences."""
    draw = np.random.default_rng([seed, 2, number])
    paragraphs: list[str] = []
    words = 0
    while words < WORDS_PER_DOCUMENT:
        chosen = [sentences[index] for index in draw.integers(len(sentences), size=draw.integers(3, 8))]
        paragraphs.append(" ".join(chosen))
        words += sum(sentence.count(" ") + 1 for sentence in chosen)
    return _reworded("\n\n".join(paragraphs), number % TOPICS, vocabulary, draw)


def _reworded(text: str, topic: int, vocabulary: Sequence[str], draw: np.random.Generator) -> str:
    matches = list(_WORD.finditer(text))
    is_replaced = draw.random(len(matches)) < REPLACED_SHARE
    is_topical = draw.random(len(matches)) < TOPIC_SHARE
    ranks = zipf_ranks(len(matches), len(vocabulary), draw)
    # A topic reads the same list from another place: its commonest words are rare elsewhere.
    begin = (topic + 1) * (len(vocabulary) // (TOPICS + 1))
    ranks = np.where(is_topical, (ranks + begin) % len(vocabulary), ranks)
    pieces: list[str] = []
    position = 0
    for match, replaced, rank in zip(matches, is_replaced, ranks, strict=True):
        if replaced:
            word = vocabulary[rank]
            pieces += (text[position : match.start()], word.capitalize() if match[0][0].isupper() else word)
            position = match.end()
    return "".join((*pieces, text[position:]))
