"""Select: score the sentences of the passages found against the question.

By meaning, by words and by the rank of their passage. What a sentence means is told by the token vectors that
late interaction ranked its leaf by; where there are none, by embedding the sentences that hold most of the
question's words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from prism.query.align import Alignment
from prism.query.condense import Standalone
from prism.query.ground import facts
from prism.query.late_interaction import relevance
from prism.query.parts import Found, QueryParts
from prism.query.quote import Coverage, Meaning, Quote, score_sentences
from prism.text.clauses import clauses, references_between
from prism.text.tokens import tokenize
from prism.types import Passage

TOKENS_WEIGHT: Final = 6.0
VECTORS_WEIGHT: Final = 2.0
"""What meaning counts where holding all of the question's words counts 1 (docs/answering.md)."""

UNRELATED: Final = 0.3
"""Relevance by token vectors that says nothing: every word meets some other, so three of four sentences of
the passages found reach it whatever is asked. With it taken off, further quotes are as near to the best as by
embedding, and answers as long."""

LEAST_WEIGHT: Final = 0.6
"""Of a token of the question, where the rarest weighs 1. *Who*, *when* and *how many* say little of which
leaf to look in, and much of which of its sentences answers (docs/answering.md)."""

MAX_EMBEDDED: Final = 24
"""Sentences that are embedded where there are no token vectors: each costs the model's time."""


def select(
    question: Standalone,
    found: Found,
    parts: QueryParts,
    alignment: Alignment | None,
    *,
    tokens_weight: float = TOKENS_WEIGHT,
) -> tuple[Quote, ...]:
    """Every sentence that could be quoted, best first.

    Args:
        alignment: the passages beside the question; None where there are no token vectors.
        tokens_weight: what they count where the share of terms counts 1.
    """
    meaning = (
        by_embedding(question, parts)
        if alignment is None
        else by_tokens(question, alignment, weight=tokens_weight)
    )
    return score_sentences(
        found.passages,
        coverage=_coverage(question, parts),
        references=_references(found.passages, parts),
        meaning=meaning,
        headings=found.headings,
    )


def by_tokens(question: Standalone, alignment: Alignment, *, weight: float) -> Meaning:
    """How well a sentence's own tokens meet the question's: the relevance of late interaction above what any
    sentence reaches."""
    weights = _weights(question, alignment)

    def nearness(sentences: Sequence[Quote]) -> NDArray[np.float64]:
        matches = np.zeros((len(sentences), len(weights)), dtype=np.float32)
        for row, sentence in enumerate(sentences):
            if (meeting := alignment.meetings.get(sentence.ranks[0])) is not None:
                matches[row] = meeting.best_between(sentence.start, sentence.end)
        return np.maximum(np.array(relevance(matches, weights)) - UNRELATED, 0.0)

    return Meaning(nearness, weight)


def by_embedding(question: Standalone, parts: QueryParts) -> Meaning | None:
    """The cosine of a sentence with the question. None where the embedder cannot read the question.

    A follow-up means what it asks itself and what it was joined to: the mean of both.
    """
    readable = [text for text in dict.fromkeys(_asked(question)) if parts.embedder.can_read(text)]
    if not readable:
        return None
    query = sum(map(parts.embedder.embed_query, readable)) / len(readable)
    return Meaning(
        lambda sentences: parts.embedder.embed([sentence.text for sentence in sentences]) @ query,
        VECTORS_WEIGHT,
        most=MAX_EMBEDDED,
    )


def _asked(question: Standalone) -> tuple[str, str]:
    """What was searched and what this turn asks itself; the same where nothing was joined."""
    return (question.text if question.joined else question.focus, question.focus)


def _weights(question: Standalone, alignment: Alignment) -> NDArray[np.float64]:
    """Of the question's tokens. Those that this turn asks itself count beside all of them, as in `_asked`."""
    counts = alignment.weights > 0
    weights = np.where(counts, np.maximum(alignment.weights, LEAST_WEIGHT), 0.0)
    begin = max(0, question.text.rfind(question.focus))
    starts = np.array([start for start, _ in alignment.question.spans], dtype=np.intp)
    own = np.where(starts >= begin, weights, 0.0)
    return weights / weights.sum() + own / own.sum() if own.any() else weights


def _coverage(question: Standalone, parts: QueryParts) -> Coverage:
    """The share of the question's terms that a text holds, and of its figures where it names any."""
    shares = [parts.snapshot.keywords.coverage_of(text) for text in dict.fromkeys(_asked(question))]
    figures = facts(question.focus)

    def coverage(text: str) -> float:
        tokens = [tokenize(text)]
        terms = sum(share(tokens) for share in shares) / len(shares)
        return (terms + len(figures & facts(text)) / len(figures)) / 2 if figures else terms

    return coverage


def _references(passages: Sequence[Passage], parts: QueryParts) -> Callable[[Passage, int, int], str]:
    """What clauses (`7(b)`) a stretch of a passage's document belongs to."""
    numbered = {
        passage.document_id: clauses(parts.catalogue.text(passage.document_id, passage.generation))
        for passage in passages
    }
    return lambda passage, start, end: " ".join(references_between(numbered[passage.document_id], start, end))
