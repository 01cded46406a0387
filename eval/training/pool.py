"""What one question teaches: leaves that the searches found for it, the right ones marked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Final

POOL_LEAVES: Final = 12
"""Leaves of a pool. Those that the searches put first are the ones that a reranker has to tell apart."""


@dataclass(frozen=True, slots=True)
class FoundLeaf:
    """A leaf that the searches found. `text` is what the embedder reads of it. `is_right` is None where
    nobody knows."""

    text: str
    is_right: bool | None


@dataclass(frozen=True, slots=True)
class Pool:
    """A question with what each of its tokens weighs (they add up to 1; punctuation has none) and its leaves,
    best first. `texts` is empty where there is nothing to learn."""

    question_id: str
    question: str
    weights: tuple[float, ...]
    texts: tuple[str, ...]
    is_right: tuple[bool, ...]

    @property
    def teaches(self) -> bool:
        """Whether there is anything to learn from it."""
        return bool(self.texts and self.weights)


def is_right(text: str, *, is_relevant: bool, answers: Sequence[str]) -> bool | None:
    """Whether a leaf is what a question asks for.

    Of a relevant document's leaves those that hold none of the answers are neither right nor wrong: they are
    about the same thing, and may say it in other words.

    Args:
        answers: strings of which the right leaf holds one, capitals aside; none where any leaf of a relevant
            document is right.
    """
    if not is_relevant:
        return False
    if not answers:
        return True
    read = text.casefold()
    return True if any(answer.casefold() in read for answer in answers) else None


def choose(found: Sequence[FoundLeaf], size: int = POOL_LEAVES) -> tuple[FoundLeaf, ...]:
    """The first `size` leaves, those left out of which nobody knows whether they are right.

    Where none of them is right the best right one takes the last place; where none was found there is
    nothing to learn, and no leaf is chosen.
    """
    best = next((leaf for leaf in found if leaf.is_right), None)
    if best is None:
        return ()
    first = list(found[:size])
    if not any(leaf.is_right for leaf in first):
        first[-1] = best
    return tuple(leaf for leaf in first if leaf.is_right is not None)


def to_bytes(pool: Pool) -> bytes:
    """A pool as it is kept."""
    return json.dumps(asdict(pool), ensure_ascii=False, allow_nan=False).encode()


def from_bytes(data: bytes) -> Pool:
    """A pool that was kept."""
    body = json.loads(data)
    return Pool(
        body["question_id"],
        body["question"],
        tuple(body["weights"]),
        tuple(body["texts"]),
        tuple(body["is_right"]),
    )
