"""Columns line up."""

from __future__ import annotations

from rich.cells import cell_len

from eval.compare.columns import line_up


def test_words_to_the_left_numbers_to_the_right() -> None:
    assert line_up([("name", "n"), ("a", "10")], numbers=(1,), indent=1) == [" name   n", " a     10"]


def test_wide_and_combining_letters_take_the_width_they_have() -> None:
    lines = line_up([("परिपत्र", "|"), ("規則", "|"), ("rule", "|")])
    assert len({cell_len(line) for line in lines}) == 1


def test_no_spaces_at_the_end() -> None:
    assert line_up([("a", ""), ("b", "longer")]) == ["a", "b  longer"]
