from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from eval.reading.overlap import Overlap, common_subsequence, missing_words, overlap

WORDS = st.lists(st.sampled_from("abcd"), max_size=12)


def test_words_are_shared_as_often_as_both_have_them() -> None:
    found = overlap(["a", "a", "b", "c"], ["a", "b", "b", "d", "e"])
    assert found == Overlap(words=4, reference=5, shared=2, in_order=2 / 5)
    assert (found.precision, found.recall) == (0.5, 0.4)


def test_columns_read_across_have_all_words_but_not_in_order() -> None:
    # Two columns, a to d and 1 to 4: read across, one column's words are in order and one more.
    found = overlap(["a", "1", "b", "2", "c", "3", "d", "4"], ["a", "b", "c", "d", "1", "2", "3", "4"])
    assert found.recall == 1.0
    assert found.in_order == 5 / 8


def test_nothing_read_has_no_precision_and_no_recall() -> None:
    found = overlap([], ["a"])
    assert (found.precision, found.recall, found.in_order) == (0.0, 0.0, 0.0)


def test_a_reference_without_words_is_met() -> None:
    assert overlap([], []).recall == 1.0


def test_missing_words_are_counted_most_often_first() -> None:
    assert missing_words(["a", "b"], ["c", "a", "a", "c", "b", "c"], 5) == [("c", 3), ("a", 1)]


@given(WORDS, WORDS)
def test_common_subsequence_agrees_with_the_table_of_the_textbook(
    first: list[str], second: list[str]
) -> None:
    row = [0] * (len(second) + 1)
    for word in first:
        above = list(row)
        for place, other in enumerate(second, start=1):
            row[place] = above[place - 1] + 1 if word == other else max(above[place], row[place - 1])
    assert common_subsequence(first, second) == row[-1]
