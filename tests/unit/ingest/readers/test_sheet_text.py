"""Sheets made at random: nothing is lost, and spans say where it is."""

import string
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from prism.ingest.readers.protocol import SourceFile
from prism.ingest.readers.sheet import Area, Cell, Row, Sheet
from prism.ingest.readers.sheet_text import text_of

WORDS = st.text(string.ascii_letters, min_size=1, max_size=6)
NUMBERS = st.integers(0, 3000).map(str)
CELLS = st.one_of(
    st.builds(Cell, WORDS, st.just("text"), st.booleans()),
    st.builds(Cell, NUMBERS, st.just("number"), st.booleans()),
    st.builds(Cell, st.just("2024-01-31"), st.just("date")),
)
GRIDS = st.dictionaries(st.tuples(st.integers(1, 9), st.integers(1, 7)), CELLS, max_size=40)
AREAS = st.builds(
    lambda top, left, high, wide: Area(top, left, top + high, left + wide),
    st.integers(1, 9),
    st.integers(1, 7),
    st.integers(0, 3),
    st.integers(0, 3),
)


def sheet_of(grid, merged=(), headers=(), notes=None) -> Sheet:
    rows = []
    for number in sorted({row for row, _ in grid}):
        cells = {column: cell for (row, column), cell in sorted(grid.items()) if row == number}
        rows.append(Row(number, number, cells))
    return Sheet("S", rows, merged, headers, notes=notes or {})


@settings(max_examples=300, deadline=None)
@given(GRIDS, st.lists(AREAS, max_size=4), st.lists(AREAS, max_size=1))
def test_no_cell_is_lost_and_every_span_lies_in_the_text(grid, merged, headers):
    sheet = sheet_of(grid, merged, headers, {(2, 2): "a note"})
    loaded = text_of([sheet], ["S"], SourceFile(b"", "b", "b"), title="b", media_type="x")
    for cell in grid.values():
        assert cell.text in loaded.text
    assert "a note" in loaded.text
    for spans in (loaded.pages, loaded.tables):
        assert all(0 <= span.start <= span.end <= len(loaded.text) for span in spans)
        assert all(left.end <= right.start for left, right in pairwise(spans))
    assert all("\n" not in loaded.text[page.start : page.end] for page in loaded.pages)
    covered = "".join(loaded.text[page.start : page.end] for page in loaded.pages)
    assert covered == loaded.text.replace("\n", "")


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.lists(NUMBERS, min_size=3, max_size=3), min_size=2, max_size=9),
    st.integers(1, 5),
    st.integers(1, 5),
)
def test_every_cell_of_a_plain_table_carries_its_columns_name(figures, top, left):
    grid = {(top, left + place): Cell(name) for place, name in enumerate(("item", "fee", "limit", "share"))}
    for down, row in enumerate(figures, 1):
        grid[top + down, left] = Cell(f"thing {down}")
        grid |= {(top + down, left + 1 + place): Cell(text, "number") for place, text in enumerate(row)}
    loaded = text_of([sheet_of(grid)], ["S"], SourceFile(b"", "b", "b"), title="b", media_type="x")
    spans = {page.label: loaded.text[page.start : page.end] for page in loaded.pages}
    for down, (fee, limit, share) in enumerate(figures, 1):
        assert spans[f"S row {top + down}"].startswith(f"item: thing {down}; ")
        for part in (f"fee: {fee}", f"limit: {limit}", f"share: {share}"):
            assert part in spans[f"S row {top + down}"]
