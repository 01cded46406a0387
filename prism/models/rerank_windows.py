"""Passages longer than a cross-encoder reads, cut into windows that overlap by half.

A passage is as relevant as its best window (MaxP, Dai & Callan 2019): what answers a question is seldom
spread over a whole passage, and cutting its end off would lose every answer that comes late.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class PairTokens(Protocol):
    """The model's own tokenizer."""

    def count(self, text: str) -> int:
        """Number of tokens, special ones not counted."""
        ...

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """Character span [start, end) of each token."""
        ...

    @property
    def special_tokens_of_pair(self) -> int:
        """How many tokens the model adds around a question and a passage (3 for BERT)."""
        ...


@dataclass(frozen=True, slots=True)
class Windows:
    """What a model reads of a question and some texts.

    `texts[i]` is a window of the text at place `owners[i]` and has `tokens[i]` tokens; every text has at
    least one window. `question` is what is read of the question.
    """

    question: str
    texts: tuple[str, ...]
    owners: tuple[int, ...]
    tokens: tuple[int, ...]

    def longest_first(self) -> list[int]:
        """The windows' places, by tokens: neighbours of one length need no padding."""
        return sorted(range(len(self.texts)), key=lambda place: -self.tokens[place])

    def best(self, scores: NDArray[np.float64]) -> tuple[float, ...]:
        """Each text's score: its best window's. `scores[i]` is the score of `texts[i]`."""
        best = np.full(max(self.owners, default=-1) + 1, -np.inf)
        np.maximum.at(best, np.array(self.owners, dtype=np.intp), scores)
        return tuple(best.tolist())


def cut_windows(question: str, texts: Sequence[str], tokens: PairTokens, *, limit_tokens: int) -> Windows:
    """Cut what is too long to be read at once.

    A question over half of `limit_tokens` is cut to that half, its beginning kept: a passage has to fit
    beside it. A text over what is left becomes windows of that length, each half a window after the one
    before, the last one ending with the text.

    Args:
        limit_tokens: what the model reads of question, passage and special tokens together.
    """
    spans = tokens.offsets(question)[: limit_tokens // 2]
    question = question[: spans[-1][1]] if spans else question
    room = max(1, limit_tokens - tokens.special_tokens_of_pair - len(spans))
    pieces = [(place, piece) for place, text in enumerate(texts) for piece in _cut(text, tokens, room)]
    return Windows(
        question=question,
        texts=tuple(piece for _, (piece, _) in pieces),
        owners=tuple(place for place, _ in pieces),
        tokens=tuple(count for _, (_, count) in pieces),
    )


def _cut(text: str, tokens: PairTokens, room: int) -> Iterator[tuple[str, int]]:
    spans = tokens.offsets(text)
    if len(spans) <= room:
        yield text, len(spans)
        return
    last = len(spans) - room
    for start in range(0, last, max(1, room // 2)):
        yield _fit(text, spans[start : start + room], tokens, room, keep_end=False)
    yield _fit(text, spans[last:], tokens, room, keep_end=True)


def _fit(
    text: str, spans: list[tuple[int, int]], tokens: PairTokens, room: int, *, keep_end: bool
) -> tuple[str, int]:
    """The text of `spans`. Half a word may have more tokens than it had within the whole word: then tokens
    are given up at the side that a neighbouring window covers, so that the model never has to cut."""
    while True:
        piece = text[spans[0][0] : spans[-1][1]]
        count = tokens.count(piece)
        if count <= room or len(spans) == 1:
            return piece, count
        spans = spans[1:] if keep_end else spans[:-1]
