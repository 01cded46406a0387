"""One pool scored each way, with an embedder whose vectors count letters."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from eval.rerank_speed.rerank import Desk, full_scores, rerank_each_way
from prism.errors import PrismError
from prism.models.token_projection import TokenProjection
from prism.stores.keyword_view import KeywordView
from prism.stores.token_vectors import WorkspaceTokens
from tests.fakes import LetterTokenEmbedder
from tests.unit.eval.rerank_speed.made import make_pool

TEXTS = {"a": "cap", "b": "dog pap", "c": "cat"}
POOL = make_pool({"a": 0.5, "b": 0.4, "c": 0.3}, texts=TEXTS)
# By letters: "cap" in "cap" 1; in "pap" 3 of √3 · √5; in "cat" 2 of 3.
BY_HAND = (1.0, 3 / 15**0.5, 2 / 3)


@dataclass
class Batch:
    rows: list[int]
    states: np.ndarray
    spans: list[tuple[tuple[int, int], ...]]


class Letters(LetterTokenEmbedder):
    """Gives its states as the network does: texts of a batch out of order, all their tokens in one array."""

    def __init__(self) -> None:
        self.llama_index = SimpleNamespace(with_states=self.with_states)

    def with_states(self, texts, prompt_name):
        order = list(reversed(range(len(texts))))
        states = np.concatenate([self._words(texts[row]) for row in order])
        yield Batch(order, states, [tuple(self.token_offsets(texts[row])) for row in order])


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    embedder = Letters()
    tokens = WorkspaceTokens(tmp_path / "tokens")
    tokens.keep(embedder.token_recipe)
    tokens.add("doc", 1, list(TEXTS), embedder.embed_with_tokens(list(TEXTS.values()))[1])
    tokens.finish("doc", 1)
    return Desk(
        embedder,
        TokenProjection("identity-26", np.eye(26, dtype=np.float32)),
        tokens,
        KeywordView([], {}, k1=1.5, b=0.75),
    )


def test_all_ways_are_the_same_formula_over_the_same_leaves(desk: Desk) -> None:
    timed = rerank_each_way(POOL, desk, rounds=1)
    for scores in (timed.stored, timed.fresh, timed.projected, timed.states):
        assert scores == pytest.approx(BY_HAND)
    assert timed.stored_ms > 0
    assert timed.fresh_ms > 0


def test_the_states_of_a_text_are_its_own_in_whatever_order_a_batch_has_them(desk: Desk) -> None:
    assert full_scores(POOL, desk)[1] == pytest.approx(BY_HAND)


def test_a_projection_tells_the_projected_scores_from_those_of_the_states(desk: Desk) -> None:
    # Of "cap" and its matches the letters c and p alone: 1; "pap" 2 of √2 · 2; "cat" 1 of √2.
    kept = np.eye(26, dtype=np.float32)[:, [2, 15]]
    projected, states = full_scores(POOL, replace(desk, projection=TokenProjection("cp", kept)))
    assert projected == pytest.approx((1.0, 0.5**0.5, 0.5**0.5))
    assert states == pytest.approx(BY_HAND)


def test_stored_vectors_are_read_and_not_made(desk: Desk) -> None:
    dog = desk.embedder.embed_with_tokens(["dog"])[1]
    desk.tokens.add("doc", 2, ["a"], dog)
    desk.tokens.finish("doc", 2)
    (leaf,) = make_pool({"a": 0.5}, texts=TEXTS).leaves
    pool = make_pool({"a": 0.5}, texts=TEXTS)
    object.__setattr__(pool, "leaves", (type(leaf)("a", "doc", 2, 0, 0, None, 0, 3, "cap", context=""),))
    timed = rerank_each_way(pool, desk, rounds=1)
    assert (timed.stored, timed.fresh) == ((0.0,), pytest.approx((1.0,)))


def test_a_pool_whose_vectors_are_lacking_is_not_timed(desk: Desk) -> None:
    with pytest.raises(PrismError, match=r"1 leaves of the pool of 'q1' lack token vectors"):
        rerank_each_way(make_pool({"a": 0.5, "new": 0.4}), desk, rounds=1)
