import pytest
from hypothesis import given
from hypothesis import strategies as st

from prism.models.batches import length_sorted_batches


def test_texts_of_like_length_meet_and_the_longest_come_first():
    assert list(length_sorted_batches([10, 40, 20, 38], 80)) == [[1, 3], [2, 0]]


def test_the_budget_counts_the_padding():
    # 30 + 20 + 20 = 70 tokens, but padded to the longest 3 x 30 = 90.
    assert list(length_sorted_batches([30, 20, 20], 80)) == [[0, 1], [2]]
    assert list(length_sorted_batches([30, 20, 20], 90)) == [[0, 1, 2]]


def test_a_text_over_the_budget_is_a_batch_of_its_own():
    assert list(length_sorted_batches([5, 300, 5], 100)) == [[1], [0, 2]]


def test_texts_of_equal_length_keep_their_order():
    assert list(length_sorted_batches([7] * 5, 14)) == [[0, 1], [2, 3], [4]]


@pytest.mark.parametrize("lengths", [[], [0], [0, 0, 0]])
def test_nothing_and_empty_texts_are_no_trouble(lengths):
    assert sorted(row for rows in length_sorted_batches(lengths, 32) for row in rows) == [
        *range(len(lengths))
    ]


@given(st.lists(st.integers(0, 300), max_size=80), st.integers(1, 600))
def test_every_text_comes_once_and_no_batch_of_several_goes_over_the_budget(lengths, budget_tokens):
    batches = list(length_sorted_batches(lengths, budget_tokens))
    assert sorted(row for rows in batches for row in rows) == list(range(len(lengths)))
    for rows in batches:
        assert len(rows) == 1 or len(rows) * max(lengths[row] for row in rows) <= budget_tokens


def test_little_is_padded_in_a_slice_of_leaves():
    lengths = [32 + number * 37 % 128 for number in range(512)]  # 32 to 159 tokens, mixed
    padded = sum(len(rows) * lengths[rows[0]] for rows in length_sorted_batches(lengths, 1024))
    as_received = sum(8 * max(lengths[start : start + 8]) for start in range(0, 512, 8))
    assert padded < 1.03 * sum(lengths)
    assert as_received > 1.4 * sum(lengths)
