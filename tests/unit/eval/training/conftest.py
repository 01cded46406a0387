"""Collections over invented documents, as the runs are tested with, and a network that does arithmetic."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from eval.runs.cache import Kept, kept
from prism.models.embedding import StateBatch
from tests.unit.eval.runs.conftest import embedder, make_dataset, opened  # noqa: F401


class WordNetwork:
    """A token is a word or a mark; its state has sin(place · code) at each place from 1, `code` adding up the
    codes of its letters. Gives two texts a batch, the last ones first, and keeps what it was asked for."""

    def __init__(self, hidden: int = 4) -> None:
        self.hidden = hidden
        self.asked: list[tuple[str, str]] = []

    def state(self, word: str) -> list[float]:
        code = sum(map(ord, word))
        return [float(np.sin(place * code)) for place in range(1, self.hidden + 1)]

    def with_states(self, texts: Sequence[str], prompt_name: str) -> Iterator[StateBatch]:
        rows = list(range(len(texts)))[::-1]
        for batch in (rows[start : start + 2] for start in range(0, len(rows), 2)):
            words = [list(re.finditer(r"\w+|[^\w\s]", texts[row])) for row in batch]
            states = [self.state(word.group()) for each in words for word in each]
            self.asked += [(prompt_name, texts[row]) for row in batch]
            yield StateBatch(
                rows=batch,
                vectors=np.zeros((len(batch), 1), dtype=np.float32),
                states=np.array(states, dtype=np.float32).reshape(-1, self.hidden),
                spans=[tuple(word.span() for word in each) for each in words],
            )


@pytest.fixture
def network() -> WordNetwork:
    return WordNetwork()


@pytest.fixture
def values(tmp_path: Path) -> Iterator[Kept]:
    with kept(tmp_path / "training.sqlite") as found:
        yield found
