from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prism.models.rerank_windows import cut_windows


class Words:
    """A token is a word."""

    special_tokens_of_pair = 3

    def offsets(self, text: str) -> list[tuple[int, int]]:
        return [match.span() for match in re.finditer(r"\S+", text)]

    def count(self, text: str) -> int:
        return len(text.split())


class Halves(Words):
    """Each word is two tokens, as `##ing` is the second of a longer word; what is left of it is two again."""

    def offsets(self, text: str) -> list[tuple[int, int]]:
        return [
            half
            for start, end in super().offsets(text)
            for half in ((start, (start + end) // 2), ((start + end) // 2, end))
        ]

    def count(self, text: str) -> int:
        return 2 * super().count(text)


def numbered(count: int) -> str:
    return " ".join(f"w{number}" for number in range(count))


def cut(question: str, *texts: str, limit: int):
    return cut_windows(question, texts, Words(), limit_tokens=limit)


def test_what_fits_beside_the_question_is_one_window() -> None:
    # 10 tokens, less 3 special ones and 2 of the question: 5.
    windows = cut("a b", numbered(5), "", limit=10)
    assert (windows.question, windows.texts, windows.owners) == ("a b", (numbered(5), ""), (0, 1))
    assert windows.tokens == (5, 0)


def test_windows_are_half_a_window_apart_and_the_last_ends_with_the_text() -> None:
    # Room for 4 of 11 tokens: windows from 0, 2, 4, 6, and the last four.
    windows = cut("a b c", "x", numbered(11), limit=10)
    assert windows.owners == (0, 1, 1, 1, 1, 1)
    assert windows.texts[1:] == (
        "w0 w1 w2 w3",
        "w2 w3 w4 w5",
        "w4 w5 w6 w7",
        "w6 w7 w8 w9",
        "w7 w8 w9 w10",
    )


def test_a_question_over_half_the_limit_is_cut_to_its_first_half() -> None:
    windows = cut(numbered(9), "x y z", limit=10)
    assert windows.question == "w0 w1 w2 w3 w4"
    assert windows.texts == ("x y", "y z")


def test_a_question_without_words_is_left_as_it_is() -> None:
    assert cut(" ", "x", limit=10).question == " "


def test_no_texts_have_no_windows() -> None:
    windows = cut("a", limit=10)
    assert windows.texts == ()
    assert windows.best(np.array([])) == ()


def test_longest_first_is_by_tokens_and_not_by_characters() -> None:
    windows = cut("a", "internationalization", "x y z", "x y", limit=10)
    assert windows.longest_first() == [1, 2, 0]


def test_a_text_has_the_score_of_its_best_window() -> None:
    windows = cut("a b c", numbered(6), "x", limit=10)
    assert windows.owners == (0, 0, 1)
    assert windows.best(np.array([-3.0, -1.0, -2.0])) == (-1.0, -2.0)


def test_a_piece_of_a_word_that_has_more_tokens_alone_gives_way_inside_not_at_the_end() -> None:
    # Room for 3 halves of words beside the question's two. From 0 "aaaa bb" would be four tokens, so it is
    # "aaaa"; from 1 not "aa bbbb" but "aa"; from 2 "bbbb"; the last three, "bb cccc", give way in front.
    windows = cut_windows("qq", ("aaaa bbbb cccc",), Halves(), limit_tokens=8)
    assert windows.texts == ("aaaa", "aa", "bbbb", "cccc")
    assert windows.tokens == (2, 2, 2, 2)


@given(
    question=st.lists(st.sampled_from("abc"), max_size=30),
    words=st.lists(st.sampled_from(["x", "yy", "zzz"]), max_size=60),
    limit=st.integers(min_value=8, max_value=40),
)
def test_nothing_is_lost_and_nothing_is_too_long(question: list[str], words: list[str], limit: int) -> None:
    text = " ".join(f"{word}{number}" for number, word in enumerate(words))
    windows = cut(" ".join(question), text, limit=limit)
    read = len(windows.question.split()) + 3
    assert {word for piece in windows.texts for word in piece.split()} == set(text.split())
    assert all(count + read <= limit for count in windows.tokens)
    assert [len(piece.split()) for piece in windows.texts] == list(windows.tokens)
    assert set(windows.owners) == {0}


@pytest.mark.parametrize("limit", [1, 3, 4])
def test_a_limit_too_small_for_anything_still_reads_a_token_at_a_time(limit: int) -> None:
    assert cut("a", "x y", limit=limit).texts == ("x", "y")
