"""A pool as numbers, with what the network cut off left out."""

from __future__ import annotations

import torch

from eval.runs.cache import Kept
from eval.training.examples import Examples
from eval.training.pool import Pool
from eval.training.states import WordStates
from tests.unit.eval.training.conftest import WordNetwork

POOLS = [
    Pool("1", "who pays?", (0.25, 0.75), ("it pays", "...", "nobody"), (True, False, True)),
    Pool("2", "pays", (0.5, 0.3, 0.2), ("nobody",), (True,)),
]


def examples(values: Kept, network: WordNetwork) -> Examples:
    states = WordStates(values, embedder="words@1", max_tokens=64)
    states.read([pool.question for pool in POOLS], "query", network)
    states.read([text for pool in POOLS for text in pool.texts], "text", network)
    return Examples(POOLS, states)


def near(found: torch.Tensor, words: list[str], network: WordNetwork) -> bool:
    return torch.allclose(found, torch.tensor([network.state(word) for word in words]), atol=1e-3)


def test_the_leaves_words_stand_one_after_another_with_the_place_of_their_leaf(
    values: Kept, network: WordNetwork
) -> None:
    found = examples(values, network)
    example = found[0]
    assert len(found) == 2
    assert near(example.question, ["who", "pays"], network)
    assert near(example.leaves, ["it", "pays", "nobody"], network)
    assert example.leaf_of.tolist() == [0, 0, 2]
    assert example.is_right.tolist() == [True, False, True]
    assert example.weights.tolist() == [0.25, 0.75]


def test_weights_of_what_the_network_did_not_read_are_left_out(values: Kept, network: WordNetwork) -> None:
    example = examples(values, network)[1]
    assert near(example.question, ["pays"], network)
    assert example.weights.tolist() == [1.0]
