from __future__ import annotations

from prism.ingest.chunkers import recursive
from tests.chunked import leaves, plain

NONE = {"recursive_chars": 50, "recursive_overlap_chars": 0}


def test_paragraphs_are_joined_while_they_fit() -> None:
    text = "First paragraph, short.\n\nSecond one.\n\nThe third paragraph is here."
    # 23 + 2 + 11 = 36 characters; with the third, 66.
    assert leaves(recursive.cut, plain(text), **NONE) == [
        "First paragraph, short.\n\nSecond one.",
        "The third paragraph is here.",
    ]


def test_a_paragraph_too_long_is_cut_at_its_lines_and_joined_to_no_other() -> None:
    lines = ["a line of thirty characters xxx", "another line of thirty-some char"]
    text = "\n".join(lines) + "\n\nShort."
    assert leaves(recursive.cut, plain(text), **NONE) == [*lines, "Short."]


def test_a_line_too_long_is_cut_at_sentences_and_a_sentence_at_words() -> None:
    text = "This sentence has forty characters in it. " + "Word " + "word " * 14
    assert leaves(recursive.cut, plain(text), **NONE) == [
        "This sentence has forty characters in it.",
        "Word word word word word word word word word word",
        "word word word word word",
    ]


def test_a_word_too_long_is_cut_between_graphemes() -> None:
    pieces = leaves(recursive.cut, plain("é" * 120), **NONE)
    assert [len(piece) for piece in pieces] == [40, 40, 40]


def test_the_overlap_begins_with_a_word() -> None:
    text = " ".join(f"word{number:02}" for number in range(20))
    found = leaves(recursive.cut, plain(text), recursive_chars=50, recursive_overlap_chars=10)
    # Bodies of at most 40 characters hold five words and begin again with the last of the body before.
    assert found[0] == "word00 word01 word02 word03 word04"
    assert found[1] == "word04 word05 word06 word07 word08 word09"
    assert all(len(piece) <= 50 for piece in found)
