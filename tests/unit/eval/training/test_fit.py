"""Fitting: a seeded beginning, each example once an epoch, a loss that falls, the same each time."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from eval.training.fit import MeanLoss, Recipe, fit, mean_loss, start_matrix
from eval.training.loss import Example, loss_of
from prism.errors import PrismError, UsageError

HIDDEN, DIMENSION = 12, 3
RECIPE = Recipe(dimension=DIMENSION, epochs=8, batch=2, learning_rate=0.05)


def example(seed: int) -> Example:
    """Four words; the first of three leaves holds them all, slightly turned."""
    numbers = np.random.default_rng(seed)
    question = numbers.normal(size=(4, HIDDEN))
    right = question + 0.3 * numbers.normal(size=question.shape)
    others = numbers.normal(size=(6, HIDDEN))
    return Example(
        question=torch.tensor(question, dtype=torch.float32),
        weights=torch.full((4,), 0.25),
        leaves=torch.tensor(np.concatenate([right, others]), dtype=torch.float32),
        leaf_of=torch.tensor([0, 0, 0, 0, 1, 1, 1, 2, 2, 2]),
        is_right=torch.tensor([True, False, False]),
    )


EXAMPLES = [example(seed) for seed in range(5)]
START = start_matrix(HIDDEN, DIMENSION, 0)


class Watched:
    """Notes which examples are asked for."""

    def __init__(self) -> None:
        self.places: list[int] = []

    def __len__(self) -> int:
        return len(EXAMPLES)

    def __getitem__(self, place: int, /) -> Example:
        self.places.append(place)
        return EXAMPLES[place]


def test_the_first_matrix_has_orthogonal_columns_of_length_one() -> None:
    assert START.shape == (HIDDEN, DIMENSION)
    assert torch.allclose(START.T @ START, torch.eye(DIMENSION), atol=1e-5)


def test_the_first_matrix_is_the_first_columns_of_a_square_one() -> None:
    square, _ = torch.linalg.qr(torch.randn(HIDDEN, HIDDEN, generator=torch.Generator().manual_seed(0)))
    assert torch.equal(START, square[:, :DIMENSION])


def test_the_first_matrix_is_that_of_its_seed() -> None:
    assert torch.equal(START, start_matrix(HIDDEN, DIMENSION, 0))
    assert not torch.equal(START, start_matrix(HIDDEN, DIMENSION, 1))


def test_states_that_are_small_enough_need_no_matrix() -> None:
    with pytest.raises(UsageError, match="have 3 numbers and need no projection to 3"):
        start_matrix(3, 3, 0)


def test_fitting_lowers_the_loss_and_leaves_the_start_alone() -> None:
    before = START.clone()
    matrix = fit(EXAMPLES, START, RECIPE)
    assert (matrix.shape, matrix.dtype) == ((HIDDEN, DIMENSION), np.float32)
    assert mean_loss(EXAMPLES, torch.from_numpy(matrix)).total < 0.8 * mean_loss(EXAMPLES, START).total
    assert torch.equal(START, before)


def test_the_same_seed_gives_the_same_matrix_and_another_another() -> None:
    again = fit(EXAMPLES, START, RECIPE)
    other = fit(EXAMPLES, START, Recipe(**{**settings(), "seed": 1}))
    assert np.array_equal(fit(EXAMPLES, START, RECIPE), again)
    assert not np.array_equal(other, again)


def settings() -> dict[str, float]:
    return {name: getattr(RECIPE, name) for name in RECIPE.__slots__}


def test_each_epoch_sees_every_example_once_in_an_order_of_its_own() -> None:
    watched = Watched()
    fit(watched, START, Recipe(dimension=DIMENSION, epochs=2, batch=2))
    first, second = watched.places[:5], watched.places[5:]
    assert sorted(first) == sorted(second) == [0, 1, 2, 3, 4]
    assert first != second


def test_a_step_goes_against_the_gradient() -> None:
    matrix = START.clone().requires_grad_()
    loss_of(matrix, EXAMPLES[0]).total.backward()
    assert matrix.grad is not None
    # Adam's first step is as long for every number. The only step of a cycle is its end, where the rate is
    # the highest by 25 and by 10,000.
    only = Recipe(dimension=DIMENSION, epochs=1, learning_rate=0.02 * 25 * 10_000)
    moved = fit(EXAMPLES[:1], START, only) - START.numpy()
    assert np.allclose(moved, -0.02 * np.sign(matrix.grad.numpy()), atol=1e-5)


def test_steps_are_those_of_adam_over_the_mean_loss_of_each_batch() -> None:
    recipe = Recipe(dimension=DIMENSION, epochs=2, batch=2, learning_rate=0.05)
    # Rates and moments as the schedule has them, over a parameter that goes nowhere.
    idle = torch.optim.Adam([torch.nn.Parameter(torch.zeros(1))], lr=0.05)
    schedule = torch.optim.lr_scheduler.OneCycleLR(idle, 0.05, total_steps=6, pct_start=0.15)
    order = np.random.default_rng(recipe.seed)
    matrix, first, second = START.clone(), torch.zeros_like(START), torch.zeros_like(START)
    step = 0
    for _ in range(2):
        places = order.permutation(5).tolist()
        for batch in (places[:2], places[2:4], places[4:]):
            step += 1
            asked = matrix.clone().requires_grad_()
            total = sum(loss_of(asked, EXAMPLES[place]).total for place in batch) / len(batch)
            (gradient,) = torch.autograd.grad(total, asked)
            rate, (decay, decay_squared) = idle.param_groups[0]["lr"], idle.param_groups[0]["betas"]
            first = decay * first + (1 - decay) * gradient
            second = decay_squared * second + (1 - decay_squared) * gradient**2
            spread = (second / (1 - decay_squared**step)).sqrt() + 1e-8
            matrix = matrix - rate * first / (1 - decay**step) / spread
            idle.step()
            schedule.step()
    assert np.allclose(fit(EXAMPLES, START, recipe), matrix.numpy(), atol=1e-5)


def test_an_epoch_tells_the_mean_loss_while_it_lasted() -> None:
    told: list[tuple[int, MeanLoss]] = []
    one = Recipe(dimension=DIMENSION, epochs=1, batch=len(EXAMPLES))
    fit(EXAMPLES, START, one, lambda epoch, loss: told.append((epoch, loss)))
    # One step only, taken after all losses are known.
    expected = mean_loss(EXAMPLES, START)
    assert [epoch for epoch, _ in told] == [1]
    assert told[0][1].total == pytest.approx(expected.total, rel=1e-5)
    assert expected.total == pytest.approx(expected.distillation + expected.labels)


def test_a_matrix_that_is_not_finite_is_refused() -> None:
    broken = example(0)
    broken.question[0, 0] = torch.nan
    with pytest.raises(PrismError, match="not finite"):
        fit([broken], START, RECIPE)
