"""Fit: the matrix under which the loss over all examples is small.

Adam (Kingma & Ba 2015) with one cycle of the learning rate (Smith & Topin 2019). It begins with a random
orthogonal matrix, which keeps angles nearly as they are (Johnson & Lindenstrauss 1984): by themselves random
directions ranked better than as many principal components on most sets (docs/token-projection.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from eval.training.loss import Example, loss_of
from prism.errors import PrismError, UsageError
from prism.models.token_projection import DIMENSION


class Examples(Protocol):
    """What is learnt from, by place from 0."""

    def __len__(self) -> int: ...

    def __getitem__(self, place: int, /) -> Example: ...


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to fit. `dimension`: numbers of a projected token. `epochs`: times each example is seen. `batch`:
    examples a step. `learning_rate`: the highest of the cycle. `rising`: share of the steps until it is
    reached. `seed`: of the first matrix and of the order of the examples."""

    dimension: int = DIMENSION
    epochs: int = 2
    batch: int = 8
    learning_rate: float = 2e-3
    rising: float = 0.15
    seed: int = 0


@dataclass(frozen=True, slots=True)
class MeanLoss:
    """Both parts of the loss, each its mean over examples."""

    distillation: float
    labels: float

    @property
    def total(self) -> float:
        """What is made small."""
        return self.distillation + self.labels


OnEpoch = Callable[[int, MeanLoss], None]
"""Told after each epoch its number from 1, and the mean loss while it lasted."""


def start_matrix(hidden: int, dimension: int, seed: int) -> Tensor:
    """The first columns of a random orthogonal matrix, float32 (hidden, dimension).

    Raises:
        UsageError: states of `hidden` numbers are kept as they are.
    """
    if hidden <= dimension:
        raise UsageError(
            f"The embedder's states have {hidden} numbers and need no projection to {dimension}. "
            "Name another model with --set models.embedder.path=FOLDER."
        )
    generator = torch.Generator().manual_seed(seed)
    orthogonal, _ = torch.linalg.qr(torch.randn(hidden, hidden, generator=generator))
    start: Tensor = orthogonal[:, :dimension].contiguous()
    return start


def fit(
    examples: Examples, start: Tensor, recipe: Recipe, on_epoch: OnEpoch | None = None
) -> NDArray[np.float32]:
    """The fitted matrix, float32 (hidden, d). The same each time for the same threads of torch.

    Args:
        examples: at least one.
        start: float32 (hidden, d); it is not changed.

    Raises:
        PrismError: the loss grew beyond all numbers.
    """
    matrix = torch.nn.Parameter(start.clone())
    order = np.random.default_rng(recipe.seed)
    optimizer = torch.optim.Adam([matrix], lr=recipe.learning_rate)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer,
        recipe.learning_rate,
        total_steps=recipe.epochs * math.ceil(len(examples) / recipe.batch),
        pct_start=recipe.rising,
    )
    for epoch in range(1, recipe.epochs + 1):
        seen: list[MeanLoss] = []
        places = order.permutation(len(examples)).tolist()
        for begin in range(0, len(places), recipe.batch):
            batch = places[begin : begin + recipe.batch]
            optimizer.zero_grad()
            losses = [loss_of(matrix, examples[place]) for place in batch]
            torch.stack([loss.total for loss in losses]).mean().backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            schedule.step()
            seen += [MeanLoss(loss.distillation.item(), loss.labels.item()) for loss in losses]
        if on_epoch is not None:
            on_epoch(epoch, _mean(seen))
    found: NDArray[np.float32] = matrix.detach().numpy()
    if not np.isfinite(found).all():
        raise PrismError("The matrix is not finite: the states that it was fitted on are not, either.")
    return found


def mean_loss(examples: Examples, matrix: Tensor) -> MeanLoss:
    """The loss of a matrix over all examples."""
    with torch.no_grad():
        losses = [loss_of(matrix, examples[place]) for place in range(len(examples))]
    return _mean([MeanLoss(loss.distillation.item(), loss.labels.item()) for loss in losses])


def _mean(losses: list[MeanLoss]) -> MeanLoss:
    return MeanLoss(
        float(np.mean([loss.distillation for loss in losses])),
        float(np.mean([loss.labels for loss in losses])),
    )
