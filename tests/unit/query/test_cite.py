from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prism.query.cite import CitationFilter, cited_numbers, disarm, without_marks


def filtered(*pieces: str, last: int = 3) -> str:
    marks = CitationFilter(last)
    return "".join([*map(marks.feed, pieces), marks.close()])


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        ("Yes [1][7]", "Yes [1]"),
        ("Yes [1] [7].", "Yes [1]."),
        ("Yes [7][1].", "Yes [1]."),
        ("Yes [9[9]]", "Yes [9(9)]"),
        ("Yes [[7]1]", "Yes [(7)1]"),
        ("Yes [7][8] [1], no[9][2]", "Yes [1], no[2]"),
        ("Yes [7].", "Yes."),
        ("Yes [0] no", "Yes no"),
        ("Yes [1, 2]", "Yes [1][2]"),
        ("Yes [1,2,9]", "Yes [1][2]"),
        ("Yes [1; 3]", "Yes [1][3]"),
        ("Yes [1-3]", "Yes [1][2][3]"),
        ("Yes [2–9]", "Yes [2][3]"),
        ("Yes [3-1]", "Yes [3][1]"),
        ("Yes [1, 1]", "Yes [1]"),
        ("Yes 【2】", "Yes [2]"),
        ("Yes ［2］", "Yes [2]"),
        ("是【1、2】。", "是[1][2]。"),
        ("हाँ [१]", "हाँ [1]"),
        ("Yes [^1]", "Yes [1]"),
        ("Yes [ 1 ]", "Yes [1]"),
        ("Yes [9, 10, 11, 12, 13, 14, 15, 16, 1]", "Yes [1]"),
        ("Yes" + " " * 50 + "[7]", "Yes"),
        ("", ""),
    ],
)
def test_gen_01_only_marks_of_passages_that_exist_are_shown(answer: str, shown: str) -> None:
    assert filtered(answer) == shown


@pytest.mark.parametrize(
    "text",
    [
        "a [b] c",
        "see [sic] and [Section 7]",
        "x[i+1]",
        "[ ] to do",
        "[-] done",
        "[] empty",
        "[1.5]",
        "[1a]",
        "open [1",
        "open [",
        "closed 1]",
        "(1)",
        "two\n\nparagraphs\n",
        "[\U000116d0]",  # a digit that Python 3.11 does not know
    ],
)
def test_brackets_that_are_no_citations_are_left_alone(text: str) -> None:
    assert filtered(text) == text


def test_what_was_removed_is_told() -> None:
    marks = CitationFilter(2)
    marks.feed("a [1][7] b [0, 5] c [2-4]")
    marks.close()
    assert marks.removed == [7, 0, 5, 3, 4]


def test_nothing_is_held_back_without_need() -> None:
    marks = CitationFilter(2)
    assert marks.feed("Yes,") == "Yes,"
    assert marks.feed(" 42") == " 42"
    assert marks.feed(" [") == ""
    assert marks.feed("1") == ""
    assert marks.feed("]") == " [1]"
    assert marks.feed(" [no") == " [no"


SHAPES = [
    "It is 42 [7][1] and [9] 900 [8][7] [2].",
    "The cap is 10 [1][7], or 20 [2]. See [b] and [3-1] or 【2】.\n\n[9] End [",
    "[1] first\n [2, 9] second [ 3 ]\t[x] [[1]] [1[2]] a [12345",
    "Yes" + " " * 40 + "[7] no [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14] [" + "1," * 150 + "2]",
    "हाँ [१] है। 是【1、2】。[ ] [-] [^2]",
]


@pytest.mark.parametrize("answer", SHAPES)
def test_gen_08_where_a_stream_is_cut_changes_nothing(answer: str) -> None:
    whole = filtered(answer)
    for at in range(len(answer) + 1):
        assert filtered(answer[:at], answer[at:]) == whole, at
    assert filtered(*answer) == whole


@given(st.lists(st.text(alphabet="a1 2[]【】^,-\n0", max_size=6), max_size=8))
def test_any_pieces_join_to_what_the_whole_gives(pieces: list[str]) -> None:
    assert filtered(*pieces) == filtered("".join(pieces))


@given(st.text(alphabet="a1 2[]【】^,-\n9", max_size=30))
def test_every_mark_shown_is_in_range(answer: str) -> None:
    assert set(cited_numbers(filtered(answer, last=2))) <= {1, 2}


def test_numbers_come_in_order_of_first_appearance() -> None:
    assert cited_numbers("a [2] b [1][2] c (3) [x]") == (2, 1)


def test_marks_are_taken_out_with_the_blanks_before_them() -> None:
    assert without_marks("Yes [1][2], no [3]. ") == "Yes, no."


def test_a_documents_own_brackets_cannot_pass_for_citations() -> None:
    assert disarm("as shown [7], 【8】 and [1, 2]") == "as shown (7), (8) and (1, 2)"
    assert disarm("[ ] open, [x], [sic], list[i]") == "[ ] open, [x], [sic], list[i]"
    assert cited_numbers(filtered(disarm("a [1] b [2-3] ［1］"))) == ()


def test_gen_01_a_number_of_any_length_in_brackets_cites_nothing() -> None:
    assert cited_numbers(filtered("on and on [" + "9" * 5000 + "] to [1]")) == (1,)
