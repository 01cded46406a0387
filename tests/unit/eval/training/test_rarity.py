"""What the tokens of a question weigh, by hand."""

from __future__ import annotations

import math

import pytest

from eval.training.rarity import Rarity, count, shares, words_of


def test_a_token_counts_once_a_leaf() -> None:
    rarity = count(["the cap the cap", "the fee", ""], str.split)
    assert (rarity.leaves, dict(rarity.holding)) == (3, {"the": 2, "cap": 1, "fee": 1})


@pytest.mark.parametrize(("piece", "holding"), [("the", 9), ("cap", 1), ("unseen", 0)])
def test_a_rarer_token_weighs_more(piece: str, holding: int) -> None:
    rarity = Rarity(10, {"the": 9, "cap": 1})
    assert rarity.idf(piece) == pytest.approx(math.log(1 + (10 - holding + 0.5) / (holding + 0.5)))


def test_weights_add_up_to_one_in_the_order_of_the_tokens() -> None:
    rarity = Rarity(3, {"a": 3, "b": 0})
    common, rare = math.log(1 + 0.5 / 3.5), math.log(1 + 3.5 / 0.5)
    whole = 2 * common + rare
    assert shares(["a", "b", "a"], rarity) == pytest.approx((common / whole, rare / whole, common / whole))
    assert shares([], rarity) == ()


def test_punctuation_is_no_word() -> None:
    text = "§7(b), ok"
    spans = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (7, 9)]
    assert [text[slice(*spans[place])] for place in words_of(text, spans)] == ["7", "b", "ok"]
