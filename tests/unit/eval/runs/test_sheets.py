"""What a person calls a page: its label first, then its place in the file."""

from __future__ import annotations

import pytest

from eval.runs.sheets import Sheets, sheets_of
from prism.types import PageSpan

# Two sheets of front matter, then 1 to 3, a plate, and an annex that begins at 1 again.
LABELS = ["i", "ii", "1", "2", "3", "2-1", "A", "1"]
SPANS = [PageSpan(sheet, label, sheet * 10, sheet * 10 + 10) for sheet, label in enumerate(LABELS, start=1)]


@pytest.mark.parametrize(
    ("page", "sheets"),
    [
        ("ii", ((2,),)),
        (" II ", ((2,),)),
        ("2", ((4,),)),
        ("1", ((3, 8),)),
        ("a", ((7,),)),
        ("2-1", ((6,),)),
        ("7", ((7,),)),
        ("2-3", ((4,), (5,))),
        ("1 – 2", ((3, 8), (4,))),
        ("p. 2", ((4,),)),
        ("pp. 2-3", ((4,), (5,))),
        ("Page ii", ((2,),)),
        ("पृष्ठ 2", ((4,),)),
        ("०७", ((7,),)),
    ],
)
def test_a_page_is_found_by_its_label_else_by_its_place(page: str, sheets: tuple[Sheets, ...]) -> None:
    assert sheets_of(page, SPANS) == sheets


@pytest.mark.parametrize("page", ["iii", "9", "0", "", "3-9", "9-3", "page", "-1", "2.5"])
def test_a_page_that_is_not_there_is_nowhere(page: str) -> None:
    assert sheets_of(page, SPANS) == ()


def test_several_spans_of_a_sheet_are_one_sheet() -> None:
    rows = [PageSpan(1, "row 1", 0, 5), PageSpan(1, "row 2", 5, 9)]
    assert sheets_of("1", rows) == ((1,),)
    assert sheets_of("row 2", rows) == ((1,),)


def test_nothing_has_no_pages() -> None:
    assert sheets_of("1", []) == ()


def test_a_range_longer_than_the_document_is_not_there() -> None:
    spans = [PageSpan(1, "1", 0, 5), PageSpan(2, "2", 5, 9)]
    assert sheets_of("1-2", spans) == ((1,), (2,))
    assert sheets_of("1-2000000000", spans) == ()
