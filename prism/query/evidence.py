"""Evidence: what the best leaves have to say to a question, as features that the gate judges by.

- `sentence`: how well the best sentence meets the question, by late interaction;
- `weakest`: how well that sentence meets the word of weight that it meets worst;
- `cosine`: the best of the dense search;
- `coverage`: the IDF-weighted share of the question's terms that the best leaves hold;
- `missing_names`, `missing_figures`: shares of the names and figures asked for that the leaf of the best
  sentence does not hold: right subject, wrong person or year;
- `negated`: 1 where something is asked for that is *not* so, to which a cosine is blind, and the best
  sentence negates nothing.

What could not be had is None: without late interaction, or for a script the embedder does not read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import regex
from numpy.typing import NDArray

from prism.models.protocols import TokenEmbedder
from prism.query.ground import facts, missing_facts
from prism.query.late_interaction import Interaction, best_matches, relevance
from prism.text.question_language import question_language
from prism.text.sentences import sentence_spans
from prism.text.tokens import LANGUAGE_MARK, query_tokens, tokenize
from prism.types import Node

WEIGHTY: Final = 0.3
"""Weight from which a token of the question counts for `weakest`: above the floor of function words."""

_NAME = regex.compile(r"\b\p{Lu}(?:[\p{L}\p{M}]|['’-](?=\p{L}))+")
_WITHOUT_CAPITAL = regex.compile(r"(?<![\p{L}\p{M}\p{N}'’])\p{Ll}")
_NOUNS_IN_CAPITALS = frozenset({"de"})
_LETTER_OR_DIGIT = regex.compile(r"[\p{L}\p{N}]")
_NEGATED = regex.compile(
    r"\b(?:never|nor|neither|none|nothing|nobody|nowhere|without|except|cannot|unable|lack(?:s|ed|ing)?)\b"
    r"|\b(?<!\bor )not\b(?! (?:only|least)\b)"
    r"|\bno\b(?!\.\s?\S|\s?\d|\sof\b)"  # `Circular No. 7`, `no of days`
    r"|\bfail(?:s|ed|ing)? to\b|\bother than\b|n['’]t\b"
    r"|(?<![\p{L}\p{M}])(?:(?<!या )(?:नहीं|नहीँ|नही)|न(?! केवल)|बिना|सिवाय|सिवा)(?![\p{L}\p{M}])",
    regex.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SentenceRows:
    """A sentence of a leaf: characters [start, end) of the leaf's text, and its rows among the leaf's token
    vectors."""

    start: int
    end: int
    rows: slice


@dataclass(frozen=True, slots=True)
class Best:
    """The sentence that meets the question best: the leaf it stands in, its text, its relevance, and the
    cosine of each of the question's tokens with its best match there."""

    leaf: Node
    text: str
    score: float
    matches: NDArray[np.float32]


def features(
    question: str,
    best: Best | None,
    *,
    weights: NDArray[np.float64] | None,
    cosine: float | None,
    coverage: float,
) -> Mapping[str, float | None]:
    """The features by name.

    Args:
        best: None without late interaction; then what rests on it is None, too.
        weights: of the question's tokens.
    """
    read = best.leaf.indexed_text if best else ""
    return {
        "sentence": best.score if best else None,
        "weakest": _weakest(best.matches, weights) if best and weights is not None else None,
        "cosine": cosine,
        "coverage": coverage,
        "missing_names": _missing_names(question, read) if best else None,
        "missing_figures": _missing_figures(question, read) if best else None,
        "negated": float(_negates(question) and not (best and _negates(best.text))),
    }


def best_sentence(leaves: Sequence[Node], interaction: Interaction, embedder: TokenEmbedder) -> Best | None:
    """The sentence of these leaves that meets the question best; of equal ones the first. None where no leaf
    has token vectors."""
    best: Best | None = None
    for leaf in leaves:
        rows = interaction.leaves.get(leaf.node_id)
        if rows is None:
            continue
        sentences = list(sentences_of(leaf, embedder.token_spans(leaf.indexed_text)))
        if not sentences:
            continue
        matches = best_matches(interaction.question, [rows[sentence.rows] for sentence in sentences])
        scores = relevance(matches, interaction.weights)
        place = int(np.argmax(scores))
        if best is None or scores[place] > best.score:
            text = leaf.text[sentences[place].start : sentences[place].end]
            best = Best(leaf, text, scores[place], matches[place])
    return best


def sentences_of(leaf: Node, spans: Sequence[tuple[int, int]]) -> Iterator[SentenceRows]:
    """The sentences of a leaf that have rows; those cut off by the embedder's limit have none.

    Args:
        spans: characters [start, end) of each row in the leaf's indexed text, in order.
    """
    before = len(leaf.indexed_text) - len(leaf.text)
    row = 0
    while row < len(spans) and spans[row][0] < before:
        row += 1
    for start, end in sentence_spans(leaf.text):
        first = row
        while row < len(spans) and spans[row][0] < before + end:
            row += 1
        if row > first:
            yield SentenceRows(start, end, slice(first, row))


def _negates(text: str) -> bool:
    return _NEGATED.search(text) is not None


def _weakest(matches: NDArray[np.float32], weights: NDArray[np.float64]) -> float:
    """The worst match of a word of weight; in a question of function words alone, of any word."""
    weighty = weights >= WEIGHTY
    return float(matches[weighty if weighty.any() else weights > 0].min(initial=1.0))


def _missing_names(question: str, read: str) -> float:
    tokens = tokenize(read)
    languages = frozenset(
        token.removeprefix(LANGUAGE_MARK) for token in tokens if token.startswith(LANGUAGE_MARK)
    )
    # A name alone does not tell its language: it is stemmed as what was read is.
    asked = [stems for name in _names(question) if (stems := query_tokens(name, languages))]
    return sum(set(tokens).isdisjoint(stems) for stems in asked) / len(asked) if asked else 0.0


def _names(question: str) -> frozenset[str]:
    """Words written with a capital: but none that only begins a sentence, and none at all where every word
    has one, or every noun as in German."""
    if not _WITHOUT_CAPITAL.search(question) or question_language(question) in _NOUNS_IN_CAPITALS:
        return frozenset()
    names: set[str] = set()
    for start, end in sentence_spans(question):
        first = _LETTER_OR_DIGIT.search(question, start, end)
        names.update(
            name.group()
            for name in _NAME.finditer(question, start, end)
            if first is None or name.start() > first.start()
        )
    return frozenset(names)


def _missing_figures(question: str, read: str) -> float:
    asked = facts(question)
    return len(missing_facts(asked, facts(read))) / len(asked) if asked else 0.0
