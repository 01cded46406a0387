"""Columns are known by many names, and what is not read is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from eval.datasets.columns import COLUMNS, EXPLAINED, chosen_columns, column_of
from prism.errors import UsageError

FILE = Path("mine.csv")


@pytest.mark.parametrize(
    ("title", "column"),
    [
        ("question", "question"),
        ("  QUESTION ", "question"),
        ("Expected Source", "source"),
        ("expected-source", "source"),
        ("Expected  -  Source", "source"),
        ("user_input", "question"),
        ("प्रश्न", "question"),
        ("Ground Truth", "answer"),
        ("remarks", None),
        ("", None),
    ],
)
def test_capitals_spaces_and_hyphens_of_a_title_do_not_matter(title: str, column: str | None) -> None:
    assert column_of(title) == column


def test_no_title_says_two_things() -> None:
    names = [name for column in COLUMNS.values() for name in column]
    assert len(names) == len(set(names))


def test_every_column_is_explained() -> None:
    assert all(column in EXPLAINED for column in COLUMNS)


def test_columns_that_are_passed_over_are_named() -> None:
    title_of, ignored = chosen_columns(["Nr", "Question", "Remarks"], FILE)
    assert title_of == {"question": "Question", "id": "Nr"}
    assert ignored == ("Remarks",)


def test_of_two_titles_that_say_the_same_one_is_read_and_the_other_named() -> None:
    title_of, ignored = chosen_columns(["query", "Question", "file", "source"], FILE)
    assert title_of == {"question": "Question", "source": "source"}
    assert ignored == ("query", "file")


def test_one_title_twice_is_refused() -> None:
    with pytest.raises(UsageError, match=r"mine\.csv: two columns are called 'Source'.*rename one"):
        chosen_columns(["question", "Source", "source "], FILE)


def test_unknown_titles_may_stand_twice() -> None:
    assert chosen_columns(["question", "x", "x"], FILE)[1] == ("x", "x")


@pytest.mark.parametrize(("titles", "found"), [(["frage", "source"], "frage, source"), ([], "none")])
def test_without_questions_what_was_found_and_what_is_known_is_told(titles: list[str], found: str) -> None:
    with pytest.raises(UsageError) as refused:
        chosen_columns(titles, FILE)
    assert f"no column 'question' (found: {found})" in str(refused.value)
    assert EXPLAINED in str(refused.value)
