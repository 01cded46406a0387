"""Golden values as they read in a difference."""

from __future__ import annotations

from eval.golden.types import Cited, Place
from prism import PageRef


def test_a_place_reads_as_document_level_and_offsets() -> None:
    assert str(Place("rules.md", 0, 5, 90)) == "rules.md leaf 5-90"
    assert str(Place("rules.md", 2, 0, 900)) == "rules.md level 2 0-900"


def test_a_place_that_is_not_current_says_so() -> None:
    assert str(Place("rules.md", 0, 5, 90, "replaced")) == "rules.md leaf 5-90 (replaced)"


def test_a_citation_reads_with_label_and_sheet_of_each_page() -> None:
    pages = (PageRef("ii", 2), PageRef("1", 3))
    cited = Cited(2, "book.pdf", pages, 10, 40, (*pages, PageRef("2", 4)))
    assert str(cited) == (
        "[2] book.pdf 10-40, page ii (sheet 2), 1 (sheet 3), "
        "of a passage on ii (sheet 2), 1 (sheet 3), 2 (sheet 4)"
    )
