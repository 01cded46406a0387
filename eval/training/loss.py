"""What a projection is judged by, on one question and its pool of leaves.

Two parts. *Distillation* (Hinton, Vinyals & Dean 2015): each word of the question should tell the leaves
apart by its best match (MaxSim; Khattab & Zaharia 2020) as it does with the states unprojected. *Labels*:
listwise cross-entropy (ListNet's top one, Cao et al. 2007) of the leaves' relevance, so that where 64 numbers
cannot hold everything they hold what tells right leaves from others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor
from torch.nn.functional import normalize

DISTILLATION_SCALE: Final = 100.0
"""Differences of cosines are small: their squares times this are of the size of the other part."""

TEMPERATURE: Final = 25.0
"""Times a relevance in [-1, 1] before the softmax."""

NO_MATCH: Final = -1.0
"""The least a cosine can be: the best match in a leaf without a word."""


@dataclass(frozen=True, slots=True)
class Example:
    """States of a question's words, float32 (words, hidden), with their weights (words,), which add up to 1;
    those of all leaves' words, one leaf after another, float32 (rows, hidden), with the place of each row's
    leaf, int64 (rows,); and which leaves are right, bool (leaves,), at least one of them."""

    question: Tensor
    weights: Tensor
    leaves: Tensor
    leaf_of: Tensor
    is_right: Tensor


@dataclass(frozen=True, slots=True)
class Loss:
    """Both parts, each a number without unit; the smaller the better."""

    distillation: Tensor
    labels: Tensor

    @property
    def total(self) -> Tensor:
        """What is made small."""
        return self.distillation + self.labels


def loss_of(matrix: Tensor, example: Example) -> Loss:
    """How far a projection, float32 (hidden, d), is from what it should be."""
    leaves = len(example.is_right)
    with torch.no_grad():
        full = best_matches(example.question, example.leaves, example.leaf_of, leaves)
    found = best_matches(example.question @ matrix, example.leaves @ matrix, example.leaf_of, leaves)
    return Loss(distillation(full, found), labels(found, example.weights, example.is_right))


def best_matches(question: Tensor, rows: Tensor, leaf_of: Tensor, leaves: int) -> Tensor:
    """The best cosine of each word of the question in each leaf, shape (words, leaves)."""
    cosines = normalize(question, dim=-1) @ normalize(rows, dim=-1).T
    nothing = cosines.new_full((len(question), leaves), NO_MATCH)
    return nothing.scatter_reduce(1, leaf_of.expand_as(cosines), cosines, "amax")


def distillation(full: Tensor, found: Tensor) -> Tensor:
    """Mean squared difference of two tables of matches, shape (words, leaves), each row less its mean: what
    all leaves have in common ranks none of them."""
    difference = (full - full.mean(dim=1, keepdim=True)) - (found - found.mean(dim=1, keepdim=True))
    return DISTILLATION_SCALE * difference.square().mean()


def labels(matches: Tensor, weights: Tensor, is_right: Tensor) -> Tensor:
    """Minus the log-probability that the softmax over the leaves gives to the right ones together.

    The mean of two: relevance with the words' weights, and with equal ones, so that it serves either way of
    weighing.
    """
    equal = torch.full_like(weights, 1 / len(weights))
    return (_unlikely(weights @ matches, is_right) + _unlikely(equal @ matches, is_right)) / 2


def _unlikely(relevance: Tensor, is_right: Tensor) -> Tensor:
    scores = TEMPERATURE * relevance
    return scores.logsumexp(0) - scores[is_right].logsumexp(0)
