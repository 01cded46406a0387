"""The cells of a row, read by what they say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from eval.datasets.columns import COLUMNS
from eval.datasets.own_row import OwnRow, own_row
from eval.datasets.table_file import FileRow
from prism.errors import UsageError

FILE = Path("mine.csv")
TITLES = {column: column for column in COLUMNS}


def read(**cells: Any) -> OwnRow:
    row = own_row(FileRow("row 2", {"question": "What?", **cells}), TITLES, FILE)
    assert row is not None
    return row


def test_a_row_with_a_question_alone_says_nothing_else() -> None:
    assert read() == OwnRow("row 2", "What?", "", (), (), (), (), (), None, "", "", "")


@pytest.mark.parametrize(
    ("cell", "sources"),
    [
        ("a.txt", ("a.txt",)),
        (" a.txt ;b.txt| c.txt\nd.txt;", ("a.txt", "b.txt", "c.txt", "d.txt")),
        (["a;b.txt", "", None, "c.txt"], ("a;b.txt", "c.txt")),
        ('["a.txt", "b.txt"]', ("a.txt", "b.txt")),
        ("['a.txt', \"b's.txt\"]", ("a.txt", "b's.txt")),
        ("[draft].txt", ("[draft].txt",)),
    ],
)
def test_several_sources_may_stand_in_a_cell(cell: object, sources: tuple[str, ...]) -> None:
    assert read(source=cell).sources == sources


def test_a_quote_keeps_its_semicolons_and_line_breaks() -> None:
    assert read(quote="one; two\nthree | four").quotes == ("one; two\nthree", "four")


def test_what_is_no_list_of_texts_is_text() -> None:
    assert read(keyword="[1]").keywords == ("[1]",)
    assert read(keyword="[").keywords == ("[",)
    assert read(keyword="['a' + 1]").keywords == ("['a' + 1]",)


def test_an_answer_is_one_whatever_stands_in_it() -> None:
    assert read(answer="Two; or three | four.\nAlways.").answers == ("Two; or three | four.\nAlways.",)
    assert read(answer=["Two", "2"]).answers == ("Two", "2")


def test_a_question_keeps_what_separates_elsewhere() -> None:
    assert read(question=" Is it a | b; or c? ").question == "Is it a | b; or c?"


@pytest.mark.parametrize(
    ("cell", "pages"),
    [
        ("iv", ("iv",)),
        (3, ("3",)),
        (3.0, ("3",)),
        ("3.0", ("3",)),
        ("3, 4;7", ("3", "4", "7")),
        ("3-5", ("3-5",)),
        ([3, "iv"], ("3", "iv")),
        ("2.1", ("2.1",)),
    ],
)
def test_pages_are_text_and_whole_numbers_lose_their_gap_mark(cell: object, pages: tuple[str, ...]) -> None:
    assert read(page=cell).pages == pages


def test_ids_are_text_whatever_a_table_makes_of_them() -> None:
    row = read(id=7.0, follows="6.0")
    assert (row.question_id, row.follows) == ("7", "6")
    assert read(id=0).question_id == "0"


@pytest.mark.parametrize("cell", ["yes", "Y", " TRUE ", "1", "1.0", "Ja", "हाँ", True, 1])
def test_yes_is_read_in_the_ways_people_write_it(cell: object) -> None:
    assert read(answerable=cell).answerable is True


@pytest.mark.parametrize("cell", ["no", "N", "False", "0", "0.0", "nein", "नहीं", False, 0])
def test_no_is_read_in_the_ways_people_write_it(cell: object) -> None:
    assert read(answerable=cell).answerable is False


@pytest.mark.parametrize("cell", ["perhaps", "no idea", "2", "n/a"])
def test_neither_yes_nor_no_is_refused_by_row(cell: str) -> None:
    with pytest.raises(UsageError, match=rf"mine\.csv, row 2: answerable is '{cell}'\. Write yes or no"):
        read(answerable=cell)


@pytest.mark.parametrize("question", ["", "  ", None])
def test_a_row_that_asks_nothing_is_refused_with_what_it_says(question: str | None) -> None:
    cells = {"question": question, "answer": "Thirty days.", "source": "a.txt"}
    row = FileRow("row 7", {title: cell for title, cell in cells.items() if cell})
    with pytest.raises(UsageError) as refused:
        own_row(row, TITLES, FILE)
    assert str(refused.value).startswith("mine.csv, row 7: no question, only ")
    assert "answer 'Thirty days.'" in str(refused.value)
    assert str(refused.value).endswith("Write one, or take the row out.")


def test_a_row_with_remarks_alone_is_no_question() -> None:
    assert own_row(FileRow("row 2", {"remarks": "from here on: fees"}), TITLES, FILE) is None


def test_cells_are_found_by_the_titles_chosen() -> None:
    row = own_row(FileRow("row 2", {"Frage": "Was?", "Quelle": "a.txt"}), {"question": "Frage"}, FILE)
    assert row is not None
    assert (row.question, row.sources) == ("Was?", ())
