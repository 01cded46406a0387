"""Pools as the numbers that a projection is fitted on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from eval.training.loss import Example
from eval.training.pool import Pool
from eval.training.states import WordStates


class Examples:
    """The examples of pools that teach something; each is read when it is asked for."""

    def __init__(self, pools: Sequence[Pool], states: WordStates) -> None:
        """`states`: those of all questions and leaves, read already."""
        self._pools = pools
        self._states = states

    def __len__(self) -> int:
        return len(self._pools)

    def __getitem__(self, place: int, /) -> Example:
        pool = self._pools[place]
        (question,) = self._states.get([pool.question], "query")
        leaves = self._states.get(pool.texts, "text")
        # What the network cuts off a long question has no state.
        weights = torch.tensor(pool.weights[: len(question)], dtype=torch.float32)
        return Example(
            question=torch.from_numpy(question),
            weights=weights / weights.sum(),
            leaves=torch.from_numpy(np.concatenate(leaves)),
            leaf_of=torch.repeat_interleave(torch.tensor([len(leaf) for leaf in leaves])),
            is_right=torch.tensor(pool.is_right),
        )
