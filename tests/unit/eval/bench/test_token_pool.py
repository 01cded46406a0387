"""Each token gets a real row of the same token, as many as the model would give, alike every time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from eval.bench.token_pool import TokenPool, read_spans, read_tokens
from tests.fakes import LetterTokenEmbedder

ROWS = np.array([[1, 0], [2, 0], [0, 3]], dtype=np.int8)


@pytest.fixture
def pool() -> TokenPool:
    """Two rows of `fee`, one of `cap`."""
    return TokenPool(["fee", "fee", "cap"], ROWS)


def test_rows_of_a_token_are_taken_in_turns(pool: TokenPool) -> None:
    assert pool.places(["fee", "fee", "cap"]).tolist() == [0, 1, 2]
    assert pool.places(["fee", "fee", "cap"], turn=1).tolist() == [1, 0, 2]


def test_a_token_without_a_row_always_gets_the_same_one(pool: TokenPool) -> None:
    first, second = pool.places(["zebra", "zebra"]).tolist()
    assert first == second == pool.places(["fee", "zebra"], turn=7)[1]
    assert first in range(3)


def test_no_tokens_have_no_rows(pool: TokenPool) -> None:
    assert pool.rows[pool.places([])].shape == (0, 2)


def test_rows_come_from_sentences_that_were_read() -> None:
    pool = TokenPool.of(["ab b", "b"], LetterTokenEmbedder())
    assert pool.tokens == ("ab", "b", "b")
    assert pool.rows[:, :2].tolist() == [[1, 1], [0, 1], [0, 1]]


def test_it_comes_back_from_the_disk(pool: TokenPool, tmp_path: Path) -> None:
    pool.save(tmp_path)
    again = TokenPool.load(tmp_path)
    assert again.tokens == pool.tokens
    assert np.array_equal(again.rows, pool.rows)
    assert again.rows.dtype == np.int8
    assert again.places(["fee", "zebra"]).tolist() == pool.places(["fee", "zebra"]).tolist()


def test_what_the_model_does_not_read_gets_no_row() -> None:
    class Short(LetterTokenEmbedder):
        max_tokens = 4

    assert read_tokens("one two three", Short()) == ["one", "two"]
    assert read_spans("one two three", Short()) == [(0, 3), (4, 7)]
