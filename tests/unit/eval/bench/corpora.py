"""A small corpus made of sixty sentences by a model of letters, for the tests of whatever reads one."""

from __future__ import annotations

from pathlib import Path

import pytest

from eval.bench import prepare as module
from eval.bench.prepare import prepare
from tests.fakes import LetterTokenEmbedder

WORDS = ["fund", "treasury", "member", "quarter", "vault", "interest", "harbour", "ledger", "penalty", "dues"]
SENTENCES = " ".join(
    f"The {WORDS[n % 10]} of the {WORDS[(n * 3 + 1) % 10]} pays the {WORDS[n // 10]} of case {n} in full."
    for n in range(60)
)
LEAVES = 140


class LetterModel(LetterTokenEmbedder):
    """Counts how many texts it was asked to embed."""

    def __init__(self) -> None:
        self.embedded = 0

    def embed(self, texts, on_batch=None):  # type: ignore[no-untyped-def]
        self.embedded += len(texts)
        return super().embed(texts, on_batch)


def make_small(leaves: int, sentences: Path, cache: Path) -> Path:
    """The material of a corpus with a vocabulary of 500 words."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "VOCABULARY_WORDS", 500)
        return prepare(leaves, sentences, cache, LetterModel())
