import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prism.ingest.readers.csv import read
from prism.ingest.readers.protocol import SourceFile


def lines(data: str | bytes, name: str = "t.csv") -> list[str]:
    return read(SourceFile(data.encode() if isinstance(data, str) else data, name, "t")).text.split("\n")


def test_ing_03_a_byte_order_mark_is_no_part_of_the_first_column():
    assert lines(b"\xef\xbb\xbfname,age\nAsha,31") == ["name: Asha; age: 31"]


@pytest.mark.parametrize("delimiter", [";", "\t", "|", ","])
def test_ing_04_any_delimiter_gives_its_columns(delimiter):
    data = "item;state;qty\nlamp;KA;31\nfan;TN;8".replace(";", delimiter)
    assert lines(data) == ["item: lamp; state: KA; qty: 31", "item: fan; state: TN; qty: 8"]


def test_ing_05_every_row_names_its_columns_and_is_a_span_of_its_own():
    rows = "".join(f"{n},{n % 20},{30 + n}\n" for n in range(1, 51))
    loaded = read(SourceFile(f"emp_id,leave_left,notice_days\n{rows}".encode(), "staff.csv", "staff"))
    span = next(page for page in loaded.pages if page.label == "row 37")
    assert loaded.text[span.start : span.end] == "emp_id: 37; leave_left: 17; notice_days: 67"
    assert len(loaded.pages) == 50
    assert loaded.page_count == 1
    assert [(table.start, table.end) for table in loaded.tables] == [(0, len(loaded.text))]


def test_ing_07_bad_lines_are_listed_and_good_ones_kept():
    loaded = read(SourceFile(b'a,b,c\n1,2,3\n4,5,6,7\n"two\nlines","say ""x""",9\n8,"open,9', "t.csv", "t"))
    assert loaded.text.split("\n") == [
        "a: 1; b: 2; c: 3",
        "a: 4; b: 5; c: 6; column 4: 7",
        'a: two lines; b: say "x"; c: 9',
        'a: 8; b: "open; c: 9',
    ]
    assert loaded.warnings == (
        "a quote is not closed: line 6; read as written",
        "not 3 cells as in the header: line 3; kept as they are",
    )


def test_empty_cells_are_left_out():
    assert lines("a,b,c\n1,,3") == ["a: 1; c: 3"]


@pytest.mark.parametrize(
    ("data", "first"),
    [
        ("1,2\n3,4", "column 1: 1; column 2: 2"),
        ("lamp,31\nfan,8", "column 1: lamp; column 2: 31"),
        ("country,2019,2020\nIN,5,6", "country: IN; 2019: 5; 2020: 6"),
        ("item,price\nlamp,3.50", "item: lamp; price: 3.50"),
        ("name,\nAsha,31", "name: Asha; column 2: 31"),
    ],
)
def test_a_header_row_is_told_from_data(data, first):
    assert lines(data)[0] == first


def test_a_title_above_the_table_is_kept_apart():
    loaded = read(SourceFile(b"Fees 2024,,\nitem,fee,limit\nATM,20,5\nNEFT,5,7", "t.csv", "t"))
    assert [page.label for page in loaded.pages] == ["title 1", "row 1", "row 2"]
    assert loaded.text.startswith("Fees 2024\nitem: ATM; fee: 20; limit: 5")


def test_a_separator_hint_is_followed_and_left_out():
    assert lines("sep=;\na;b\n1,5;2") == ["a: 1,5; b: 2"]


def test_a_header_without_rows_is_still_text():
    assert lines("name,age\n") == ["name; age"]


def test_ten_thousand_rows_are_found_with_their_names():
    rows = "".join(f"R-{n},Person {n},{n * 3}\n" for n in range(10_000))
    loaded = read(SourceFile(f"ref,name,amount\n{rows}".encode(), "t.csv", "t"))
    span = next(page for page in loaded.pages if page.label == "row 7432")
    assert loaded.text[span.start : span.end] == "ref: R-7431; name: Person 7431; amount: 22293"


CELLS = st.text(
    st.characters(codec="utf-8", exclude_characters="\x00\ufeffÃâ", exclude_categories=["Cc", "Cs"]),
    max_size=12,
)
"""Without the two letters that text encoded twice is known by: it is put right (`mojibake.py`)."""


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=1, max_size=8), st.sampled_from(",;\t|"))
def test_what_a_program_writes_is_read_back_cell_by_cell(rows, delimiter):
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=delimiter, quoting=csv.QUOTE_ALL)
    writer.writerows([("first", "second", "third"), *rows])
    loaded = read(SourceFile(buffer.getvalue().encode(), "t.csv", "t"))
    filled = [row for row in rows if any(cell.strip() for cell in row)]
    spans = [loaded.text[page.start : page.end] for page in loaded.pages] if filled else []
    assert loaded.warnings == ()
    assert spans == [
        "; ".join(
            f"{name}: {' '.join(cell.split())}"
            for name, cell in zip(("first", "second", "third"), row, strict=True)
            if cell.strip()
        )
        for row in filled
    ]
