"""The loss of a projection, worked by hand on two words and two leaves."""

from __future__ import annotations

import math

import pytest
import torch

from eval.training.loss import Example, best_matches, distillation, labels, loss_of

FIRST_AXIS = torch.tensor([[1.0], [0.0]])
"""Keeps the first of two numbers."""


def example(**changed: torch.Tensor) -> Example:
    """Two words along the two axes; the first leaf holds the one and is right, the second holds the other."""
    plain = {
        "question": torch.tensor([[2.0, 0.0], [0.0, 3.0]]),
        "weights": torch.tensor([0.25, 0.75]),
        "leaves": torch.tensor([[5.0, 0.0], [0.0, 7.0]]),
        "leaf_of": torch.tensor([0, 1]),
        "is_right": torch.tensor([True, False]),
    }
    return Example(**{**plain, **changed})


def test_the_best_match_of_each_word_is_taken_in_each_leaf() -> None:
    rows = torch.tensor([[1.0, 0.0], [3.0, 4.0], [0.0, -2.0]])
    found = best_matches(torch.eye(2), rows, torch.tensor([0, 0, 1]), 2)
    assert torch.allclose(found, torch.tensor([[1.0, 0.0], [0.8, -1.0]]))


def test_a_leaf_without_a_word_matches_least() -> None:
    found = best_matches(torch.eye(2), torch.eye(2), torch.tensor([0, 0]), 2)
    assert found.tolist() == [[1.0, -1.0], [1.0, -1.0]]


def test_distillation_is_the_mean_square_of_centred_differences() -> None:
    full, found = torch.tensor([[1.0, 0.0], [0.0, 1.0]]), torch.tensor([[1.0, 0.0], [0.0, 0.0]])
    # Centred rows: (½, -½) and (-½, ½) against (½, -½) and (0, 0); two of four differ by ½.
    assert distillation(full, found).item() == pytest.approx(100 * (2 * 0.25) / 4)


def test_what_all_leaves_have_in_common_costs_nothing() -> None:
    full = torch.tensor([[0.9, 0.1], [0.2, 0.4]])
    assert distillation(full, full - torch.tensor([[0.3], [0.1]])).item() == pytest.approx(0, abs=1e-9)


def test_labels_are_the_mean_of_weighted_and_equal_words() -> None:
    matches = torch.tensor([[1.0, 0.0], [0.0, 0.0]])
    # Relevance of the first leaf: ¼ by the weights, ½ by equal ones; of the second 0. Temperature 25.
    expected = (math.log(1 + math.exp(-25 / 4)) + math.log(1 + math.exp(-25 / 2))) / 2
    found = labels(matches, torch.tensor([0.25, 0.75]), torch.tensor([True, False]))
    assert found.item() == pytest.approx(expected, abs=1e-6)


def test_several_right_leaves_share_the_probability() -> None:
    alike = torch.zeros(1, 4)
    found = labels(alike, torch.tensor([1.0]), torch.tensor([True, True, True, False]))
    assert found.item() == pytest.approx(-math.log(3 / 4))


def test_both_parts_of_a_projection_to_one_axis() -> None:
    found = loss_of(FIRST_AXIS, example())
    expected = (math.log(1 + math.exp(-25 / 4)) + math.log(1 + math.exp(-25 / 2))) / 2
    assert found.distillation.item() == pytest.approx(12.5)
    assert found.labels.item() == pytest.approx(expected, abs=1e-6)
    assert found.total.item() == pytest.approx(12.5 + expected, rel=1e-4)


def test_a_projection_that_keeps_everything_loses_nothing_to_distillation() -> None:
    assert loss_of(torch.eye(2) * 9, example()).distillation.item() == pytest.approx(0, abs=1e-9)


def test_a_right_leaf_that_matches_worse_costs_more() -> None:
    right, wrong = (torch.tensor(marks) for marks in ([False, True], [True, False]))
    heavy = {"weights": torch.tensor([0.0, 1.0])}
    assert (
        loss_of(torch.eye(2), example(**heavy, is_right=right)).labels
        < loss_of(torch.eye(2), example(**heavy, is_right=wrong)).labels
    )
