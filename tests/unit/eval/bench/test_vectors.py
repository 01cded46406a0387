"""Generated vectors: the same every time, of length 1, and with topics."""

from __future__ import annotations

import numpy as np
import pytest

from eval.bench.corpus import TOPICS
from eval.bench.vectors import leaf_vectors, question_vectors, unit

SENTENCES = unit(np.random.default_rng(7).standard_normal((60, 64)))


def test_leaf_vectors_are_float32_rows_of_length_one() -> None:
    vectors = leaf_vectors(50, 0, SENTENCES, seed=0)
    assert (vectors.shape, vectors.dtype) == ((50, 64), np.float32)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(50), abs=1e-5)


def test_leaf_vectors_follow_from_number_and_seed_alone() -> None:
    first = leaf_vectors(5, 3, SENTENCES, seed=0)
    assert np.array_equal(first, leaf_vectors(5, 3, SENTENCES, seed=0))
    assert not np.allclose(first, leaf_vectors(5, 4, SENTENCES, seed=0))
    assert not np.allclose(first, leaf_vectors(5, 3, SENTENCES, seed=1))


def test_leaves_of_one_document_differ_from_one_another() -> None:
    vectors = leaf_vectors(50, 0, SENTENCES, seed=0)
    cosines = (vectors @ vectors.T)[np.triu_indices(50, 1)]
    assert cosines.max() < 0.99


def test_leaves_of_one_topic_are_nearer_than_those_of_others() -> None:
    one, same = (leaf_vectors(50, number, SENTENCES, seed=0) for number in (1, 1 + TOPICS))
    others = np.concatenate([leaf_vectors(50, number, SENTENCES, seed=0) for number in range(2, 12)])
    assert float((one @ same.T).mean()) > float((one @ others.T).mean()) + 0.1


def test_question_is_near_its_leaf_but_not_upon_it() -> None:
    leaves = leaf_vectors(50, 0, SENTENCES, seed=0)
    questions = question_vectors(leaves, SENTENCES, seed=0)
    assert questions.dtype == np.float32
    assert np.linalg.norm(questions, axis=1) == pytest.approx(np.ones(50), abs=1e-5)
    own = np.einsum("nd,nd->n", questions, leaves)
    assert 0.5 < own.min() <= own.max() < 0.98
    assert np.array_equal(questions, question_vectors(leaves, SENTENCES, seed=0))


def test_unit_scales_rows_to_length_one() -> None:
    assert unit(np.array([[3.0, 4.0], [0.0, 2.0]])) == pytest.approx(np.array([[0.6, 0.8], [0.0, 1.0]]))
