import pytest

from prism.ingest.readers.builder import TextBuilder, guess_header, row_text


@pytest.mark.parametrize(
    ("rows", "header"),
    [
        ([["Item", "Fee"], ["ATM", "20"]], ["Item", "Fee"]),
        ([["2019", "2020"], ["1", "2"]], ()),
        ([["Notice period", "45 days"]], ()),
        ([["Item", ""], ["ATM", "20"]], ()),
        ([["Total ₹", "₹ 5,000"], ["a", "b"]], ()),
    ],
)
def test_a_first_row_of_names_is_a_header(rows, header):
    assert guess_header(rows) == header


def test_empty_columns_and_rows_are_left_out():
    builder = TextBuilder()
    builder.table([["a", "", "b"], ["", "", ""], ["c", "", ""]])
    assert builder.loaded(title="t", media_type="x").text == "a | b\nc"


def test_a_cell_missing_at_the_end_leaves_nothing_behind():
    assert row_text(["a", "", ""]) == "a"


def test_a_heading_closes_those_of_its_level_and_below():
    builder = TextBuilder()
    for level, name in ((1, "A"), (3, "B"), (2, "C"), (1, "D")):
        builder.heading(level, name)
    paths = [section.path for section in builder.loaded(title="t", media_type="x").sections]
    assert paths == [("A",), ("A", "B"), ("A", "C"), ("D",)]


def test_what_follows_a_section_can_stand_under_no_heading():
    builder = TextBuilder()
    builder.leave_sections()
    builder.heading(1, "A")
    builder.leave_sections()
    builder.block("alone")
    builder.leave_sections()
    builder.heading(2, "B")
    sections = builder.loaded(title="t", media_type="x").sections
    assert [(section.start, section.path) for section in sections] == [(0, ("A",)), (3, ()), (10, ("B",))]
