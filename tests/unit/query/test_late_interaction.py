"""MaxSim over int8 rows of two numbers, worked by hand, and against a plain double loop."""

from __future__ import annotations

import math

import numpy as np
import pytest

from prism.models.protocols import QueryTokens
from prism.query.late_interaction import BLOCK_COSINES, Interaction, best_matches, cosines, relevance

ACROSS, UP = (1.0, 0.0), (0.0, 1.0)


def asked(*vectors: tuple[float, ...]) -> QueryTokens:
    spans = tuple((2 * place, 2 * place + 1) for place in range(len(vectors)))
    return QueryTokens(np.array(vectors, dtype=np.float32).reshape(-1, 2), spans)


def leaf(*rows: tuple[int, ...]) -> np.ndarray:
    return np.array(rows, dtype=np.int8).reshape(-1, 2)


def matches(question: QueryTokens, *leaves: np.ndarray) -> list[list[float]]:
    return [pytest.approx(row, abs=1e-6) for row in best_matches(question, leaves).tolist()]


def test_each_question_token_takes_its_best_row() -> None:
    # (3, 4) points to (.6, .8); (4, 3) to (.8, .6): each token finds .8 in another row.
    assert matches(asked(ACROSS, UP), leaf((3, 4), (4, 3))) == [[0.8, 0.8]]
    assert matches(asked(ACROSS, UP), leaf((3, 4))) == [[0.6, 0.8]]


def test_the_length_of_a_row_means_nothing() -> None:
    for row in ((3, 4), (30, 40), (72, 96)):
        assert matches(asked(ACROSS, UP), leaf(row)) == [[0.6, 0.8]]


def test_the_largest_numbers_of_a_byte_do_not_overflow() -> None:
    half = math.sqrt(0.5)
    assert matches(asked(ACROSS, UP), leaf((127, 127)), leaf((-127, 127))) == [[half, half], [-half, half]]


def test_the_best_row_may_point_the_other_way() -> None:
    assert matches(asked(ACROSS), leaf((-5, 0)), leaf((-5, 0), (-3, 4))) == [[-1.0], [-0.6]]


def test_a_row_of_zeros_meets_nothing() -> None:
    assert matches(asked(ACROSS, UP), leaf((0, 0))) == [[0.0, 0.0]]
    assert matches(asked(ACROSS, UP), leaf((0, 0), (3, 4))) == [[0.6, 0.8]]


def test_a_leaf_without_tokens_meets_nothing_wherever_it_stands() -> None:
    rows, nothing = leaf((3, 4)), leaf()
    assert matches(asked(ACROSS), nothing, rows, nothing, rows, nothing) == [[0], [0.6], [0], [0.6], [0]]
    assert matches(asked(ACROSS), nothing, nothing) == [[0], [0]]


def test_without_leaves_or_without_question_tokens_there_are_no_matches() -> None:
    assert best_matches(asked(ACROSS), []).shape == (0, 1)
    assert best_matches(asked(), [leaf((3, 4)), leaf()]).shape == (2, 0)


def test_leaves_of_different_lengths_match_as_a_plain_double_loop_says() -> None:
    random = np.random.default_rng(4)
    vectors = random.normal(size=(7, 64)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    lengths = (1, 128, 0, 17, 3, 0, 50)
    leaves = [random.integers(-127, 128, size=(length, 64)).astype(np.int8) for length in lengths]

    def cosine(asked: np.ndarray, row: np.ndarray) -> float:
        return math.fsum(float(a) * float(b) for a, b in zip(asked, row, strict=True)) / math.hypot(*row)

    by_loop = [
        [max((cosine(vector, row.astype(float)) for row in rows), default=0.0) for vector in vectors]
        for rows in leaves
    ]
    found = best_matches(QueryTokens(vectors, ()), leaves)
    assert found == pytest.approx(np.array(by_loop), abs=1e-6)


def test_relevance_is_the_weighted_mean_of_the_matches() -> None:
    found = np.array([[0.6, 0.8], [1.0, 0.0]], dtype=np.float32)
    # (3 · .6 + 1 · .8) / 4 and (3 · 1 + 1 · 0) / 4.
    assert relevance(found, np.array([3.0, 1.0])) == pytest.approx((0.65, 0.75))


def test_tokens_of_no_weight_do_not_count_and_none_of_any_weight_give_nothing() -> None:
    found = np.array([[0.6, 0.8]], dtype=np.float32)
    assert relevance(found, np.array([0.0, 0.3])) == pytest.approx((0.8,))
    assert relevance(found, np.array([0.0, 0.0])) == (0.0,)
    assert relevance(np.zeros((2, 0), dtype=np.float32), np.zeros(0)) == (0.0, 0.0)


def test_scores_come_in_the_order_asked_for() -> None:
    leaves = {"a": leaf((3, 4)), "b": leaf(), "c": leaf((1, 0), (0, 1))}
    interaction = Interaction(asked(ACROSS, UP), np.array([3.0, 1.0]), leaves)
    assert interaction.scores(["c", "a", "b"]) == pytest.approx((1.0, 0.65, 0.0))
    assert interaction.scores(["b", "a"]) == pytest.approx((0.0, 0.65))
    assert interaction.scores([]) == ()


def test_every_row_has_its_cosine_with_every_token_whatever_its_length() -> None:
    found = cosines(asked(ACROSS, UP), leaf((3, 4), (0, 0), (-50, 0)))
    assert found.tolist() == [pytest.approx(row, abs=1e-6) for row in ([0.6, 0.8], [0.0, 0.0], [-1.0, 0.0])]
    assert cosines(asked(ACROSS, UP), leaf()).shape == (0, 2)


def test_rows_beyond_one_block_are_compared_like_the_first() -> None:
    question = asked(ACROSS, UP, (0.6, 0.8))
    rows = leaf(*[(3, 4), (4, 3), (0, 0)] * BLOCK_COSINES)
    expected = np.array([[0.6, 0.8, 1.0], [0.8, 0.6, 0.96], [0, 0, 0]] * BLOCK_COSINES, dtype=np.float32)
    np.testing.assert_allclose(cosines(question, rows), expected, atol=1e-6)
