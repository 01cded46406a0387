import datetime
import io
import re
import zipfile

import openpyxl
import pytest
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.styles import Font
from openpyxl.worksheet.table import Table

from prism.errors import TooLargeError, UnreadableError, UnsupportedError
from prism.ingest.readers.protocol import SourceFile
from prism.ingest.readers.xlsx import read
from prism.settings import ReadSettings

FEES = [["Plan", "Fee", "Share"], ["Basic", 1200, 0.125], ["Gold", 3400.5, 0.5]]


def book(*rows_of_sheets, names=("Fees", "Limits", "More")):
    made = openpyxl.Workbook()
    made.remove(made.active)
    for name, rows in zip(names, rows_of_sheets, strict=False):
        sheet = made.create_sheet(name)
        for row in rows:
            sheet.append(row)
    return made


def saved(made) -> bytes:
    buffer = io.BytesIO()
    made.save(buffer)
    return buffer.getvalue()


def load(made):
    return read(SourceFile(saved(made), "b.xlsx", "b"))


def lines(made) -> list[str]:
    return [line for line in load(made).text.split("\n") if line]


def changed(data: bytes, member: str, change) -> bytes:
    """The package with one part rewritten, or left out where `change` gives nothing."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(buffer, "w") as new:
        for item in old.namelist():
            content = old.read(item)
            if re.fullmatch(member, item):
                content = change(content)
            if content:
                new.writestr(item, content)
    return buffer.getvalue()


def renamed(data: bytes, part: str, name: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(buffer, "w") as new:
        for item in old.namelist():
            new.writestr(item.replace(part, name), old.read(item))
    return buffer.getvalue()


def test_every_row_names_its_columns_and_its_span_names_sheet_and_row():
    loaded = load(book(FEES, [["Item", "Limit"], ["ATM", 5]]))
    assert loaded.text == (
        "Fees\n\nPlan: Basic; Fee: 1200; Share: 0.125\nPlan: Gold; Fee: 3400.5; Share: 0.5"
        "\n\nLimits\n\nItem: ATM; Limit: 5"
    )
    spans = {page.label: (page.sheet, loaded.text[page.start : page.end]) for page in loaded.pages}
    assert spans["Fees row 3"] == (1, "Plan: Gold; Fee: 3400.5; Share: 0.5")
    assert spans["Limits row 2"] == (2, "Item: ATM; Limit: 5")
    assert [section.path for section in loaded.sections] == [("Fees",), ("Limits",)]
    assert [loaded.text[table.start : table.end].count("\n") for table in loaded.tables] == [1, 0]
    assert loaded.page_count == 2


def test_numbers_and_dates_are_written_as_they_are_seen():
    made = book([["when", "share", "sum", "on"], [datetime.date(2024, 1, 31), 0.125, 1234.5, True]])
    sheet = made.active
    sheet["A2"].number_format, sheet["B2"].number_format = "dd/mm/yyyy", "0.0%"
    sheet["C2"].number_format = '"₹"#,##0.00'
    assert lines(made)[1:] == ["when: 31/01/2024; share: 12.5%; sum: ₹1,234.50; on: TRUE"]


def test_tables_of_one_sheet_keep_their_own_names_and_titles():
    made = book([["Fees 2024"], *FEES, [], ["Limits"], ["Item", "Most"], ["ATM", 5], [], ["Ask the desk."]])
    assert lines(made)[1:] == [
        "Fees 2024",
        "Plan: Basic; Fee: 1200; Share: 0.125",
        "Plan: Gold; Fee: 3400.5; Share: 0.5",
        "Limits",
        "Item: ATM; Most: 5",
        "Ask the desk.",
    ]
    assert [section.path for section in load(made).sections] == [
        ("Fees",),
        ("Fees", "Fees 2024"),
        ("Fees", "Limits"),
    ]


def test_tables_side_by_side_are_read_one_after_the_other():
    made = book(
        [
            ["Plan", "Fee", None, "City", "Staff"],
            ["Basic", 12, None, "Pune", 7],
            ["Gold", 34, None, "Delhi", 9],
        ]
    )
    assert lines(made)[1:] == [
        "Plan: Basic; Fee: 12",
        "Plan: Gold; Fee: 34",
        "City: Pune; Staff: 7",
        "City: Delhi; Staff: 9",
    ]


def test_an_empty_column_between_figures_parts_nothing():
    made = book([["Zone", "Sales", None, "Cost"], ["North", 5, None, 3], ["South", 6, None, 4]])
    assert lines(made)[1:] == ["Zone: North; Sales: 5; Cost: 3", "Zone: South; Sales: 6; Cost: 4"]


def test_names_over_several_columns_are_joined_to_those_below():
    made = book(
        [["Zone", 2023, None, 2024, None], [None, "Sales", "Cost", "Sales", "Cost"], ["North", 1, 2, 3, 4]]
    )
    for merge in ("A1:A2", "B1:C1", "D1:E1"):
        made.active.merge_cells(merge)
    assert lines(made)[1:] == [
        "Zone: North; 2023 / Sales: 1; 2023 / Cost: 2; 2024 / Sales: 3; 2024 / Cost: 4"
    ]


def test_a_cell_merged_downwards_stands_in_every_row():
    made = book([["Zone", "City", "Staff"], ["North", "Delhi", 3], [None, "Agra", 4], ["South", "Pune", 5]])
    made.active.merge_cells("A2:A3")
    assert lines(made)[1:] == [
        "Zone: North; City: Delhi; Staff: 3",
        "Zone: North; City: Agra; Staff: 4",
        "Zone: South; City: Pune; Staff: 5",
    ]


def test_a_name_with_an_empty_row_below_it_still_names_its_column():
    assert lines(book([["Zone", "Sales"], [], ["North", 5], ["South", 6], [], ["Total", 11]]))[1:] == [
        "Zone: North; Sales: 5",
        "Zone: South; Sales: 6",
        "Zone: Total; Sales: 11",
    ]


def test_years_are_names_above_figures_and_data_among_themselves():
    assert lines(book([["Zone", 2023, 2024], ["North", 5.5, 6.5]]))[1:] == [
        "Zone: North; 2023: 5.5; 2024: 6.5"
    ]
    assert lines(book([["Asha", 1999], ["Ravi", 2001]]))[1:] == ["Asha | 1999", "Ravi | 2001"]


def test_a_form_is_read_as_labels_and_values():
    assert lines(book([["Owner", "Asha"], ["Year", 2024], ["City", "Pune"]]))[1:] == [
        "Owner: Asha",
        "Year: 2024",
        "City: Pune",
    ]


def test_a_first_column_without_a_name_holds_what_the_rows_are_called():
    assert lines(book([[None, 2023, 2022], ["Cash", 5.5, 6], ["Loans", 7, 8]]))[1:] == [
        "Cash; 2023: 5.5; 2022: 6",
        "Loans; 2023: 7; 2022: 8",
    ]


def test_a_missing_number_does_not_make_a_table_a_form():
    assert lines(book([["Item", "Fee"], ["ATM", "#N/A"], ["NEFT", 3], ["SWIFT", "-"]]))[1:] == [
        "Item: ATM; Fee: #N/A",
        "Item: NEFT; Fee: 3",
        "Item: SWIFT; Fee: -",
    ]


def test_names_that_come_again_are_not_data():
    assert lines(book([["Item", "Fee"], ["a", 1], ["Item", "Fee"], ["b", 2]]))[1:] == [
        "Item: a; Fee: 1",
        "Item: b; Fee: 2",
    ]


def test_notes_below_a_table_and_headings_in_it_stand_alone():
    rows = [
        ["Item", "Fee"],
        ["Domestic"],
        ["NEFT", 5],
        ["International"],
        ["SWIFT", 500],
        ["Fees exclude tax."],
    ]
    assert lines(book(rows))[1:] == [
        "Domestic",
        "Item: NEFT; Fee: 5",
        "International",
        "Item: SWIFT; Fee: 500",
        "Fees exclude tax.",
    ]


def test_bold_names_are_names_even_when_they_are_numbers():
    made = book([[1, 2], [30, 40], [50, 60]])
    for cell in made.active[1]:
        cell.font = Font(bold=True)
    assert lines(made)[1:] == ["1: 30; 2: 40", "1: 50; 2: 60"]


def test_the_header_of_a_table_is_what_the_file_says():
    made = book([["Q", "A"], ["x", "y"], ["z", "w"]])
    made.active.add_table(Table(displayName="T", ref="A1:B3"))
    assert lines(made)[1:] == ["Q: x; A: y", "Q: z; A: w"]


def test_a_name_whose_column_is_empty_is_not_lost():
    assert lines(book([["Plan", "Fee", "Remarks"], ["Basic", 5, None]]))[1:] == [
        "Plan | Fee | Remarks",
        "Plan: Basic; Fee: 5",
    ]


def test_hidden_sheets_rows_and_columns_are_left_out_and_named():
    made = book([*FEES, ["Old", 1, 2]], [["secret", 1]], [["x", "y"], ["z", 1]])
    made["Limits"].sheet_state = "hidden"
    made["Fees"].row_dimensions[4].hidden = True
    made["More"].column_dimensions["B"].hidden = True
    loaded = load(made)
    assert "Old" not in loaded.text
    assert "secret" not in loaded.text
    assert loaded.warnings == (
        "hidden sheets left out: Limits",
        "hidden rows left out: Fees 4",
        "hidden columns left out: More B",
    )
    assert loaded.page_count == 2


def test_rows_on_both_sides_of_a_hidden_one_are_one_table():
    made = book([["Plan", "Fee"], ["a", 1], ["b", 2], ["c", 3]])
    made.active.row_dimensions[3].hidden = True
    assert lines(made)[1:] == ["Plan: a; Fee: 1", "Plan: c; Fee: 3"]


def test_a_comment_stands_with_its_cell():
    made = book(FEES)
    made.active["B2"].comment = Comment("raised in 2023", "Asha")
    assert lines(made)[1] == "Plan: Basic; Fee: 1200; Share: 0.125; note on Fee: raised in 2023"


def test_a_formula_has_the_value_saved_with_it_and_one_without_is_told():
    made = book([["a", "b"], [1, "=A2*2"]])
    loaded = load(made)
    assert loaded.warnings == (
        "no saved value for 1 formula, first Fees!B2: open the file in its program, save it and add it again",
    )
    data = changed(
        saved(made),
        r"xl/worksheets/sheet1\.xml",
        lambda xml: (
            xml.replace(b"<v></v>", b"<v>2</v>").replace(b"<v />", b"<v>2</v>").replace(b"<v/>", b"<v>2</v>")
        ),
    )
    assert read(SourceFile(data, "b.xlsx", "b")).text.endswith("a: 1; b: 2")


def test_a_workbook_of_charts_alone_is_empty_and_said_so():
    made = openpyxl.Workbook()
    made.create_chartsheet("Chart")
    loaded = load(made)
    assert loaded.text == ""
    assert loaded.warnings == ("chart and macro sheets left out: Chart",)


def test_a_chart_on_a_sheet_is_told():
    made = book(FEES)
    chart = BarChart()
    chart.add_data(Reference(made.active, min_col=2, min_row=1, max_row=3), titles_from_data=True)
    made.active.add_chart(chart, "F2")
    assert load(made).warnings == ("1 chart left out",)


def test_an_only_sheet_that_nobody_named_adds_no_heading():
    loaded = load(book([["a", "b"], ["x", 1]], names=["Sheet1"]))
    assert loaded.text == "a: x; b: 1"
    assert [page.label for page in loaded.pages] == ["Sheet1 row 2"]


def test_a_sheet_that_claims_to_be_full_costs_no_time():
    made = book(FEES)
    made.active["XFD1048576"] = "far"
    data = changed(
        saved(made),
        r"xl/worksheets/sheet1\.xml",
        lambda xml: re.sub(rb'<dimension ref="[^"]*"', b'<dimension ref="A1:XFD1048576"', xml),
    )
    assert read(SourceFile(data, "b.xlsx", "b")).text.endswith("\n\nfar")


def test_the_strict_dialect_is_read():
    def strict(content: bytes) -> bytes:
        return content.replace(
            b"http://schemas.openxmlformats.org/spreadsheetml/2006/main",
            b"http://purl.oclc.org/ooxml/spreadsheetml/main",
        ).replace(
            b"http://schemas.openxmlformats.org/officeDocument/2006/relationships",
            b"http://purl.oclc.org/ooxml/officeDocument/relationships",
        )

    data = changed(saved(book(FEES)), r".*\.(xml|rels)", strict)
    assert "Plan: Gold; Fee: 3400.5" in read(SourceFile(data, "b.xlsx", "b")).text


def test_cells_without_references_stand_one_after_the_other():
    data = changed(
        saved(book(FEES)), r"xl/worksheets/sheet1\.xml", lambda xml: re.sub(rb' r="[A-Z]*\d+"', b"", xml)
    )
    assert "Plan: Basic; Fee: 1200" in read(SourceFile(data, "b.xlsx", "b")).text


@pytest.mark.parametrize(
    ("member", "change", "message"),
    [
        (r"xl/workbook\.xml", lambda _: b"", "holds no workbook"),
        (r"xl/worksheets/sheet1\.xml", lambda _: b"", "cannot be unpacked"),
        (r"xl/worksheets/sheet1\.xml", lambda xml: xml[: len(xml) // 2], "not well-formed"),
        (r"xl/worksheets/sheet1\.xml", lambda xml: b'<!DOCTYPE x [<!ENTITY a "b">]>' + xml, "document type"),
    ],
)
def test_a_damaged_workbook_is_refused(member, change, message):
    with pytest.raises(UnreadableError, match=rf"b\.xlsx: damaged \(.*{message}"):
        read(SourceFile(changed(saved(book(FEES)), member, change), "b.xlsx", "b"))


def test_parts_are_found_whatever_the_case_of_their_names():
    data = renamed(saved(book(FEES)), "sharedStrings", "SharedStrings")
    assert "Plan: Basic; Fee: 1200" in read(SourceFile(data, "b.xlsx", "b")).text


def test_faulty_styles_cost_nothing_but_the_formats():
    for styles in (
        b"",
        b"<styleSheet",
        b"<styleSheet><cellXfs><xf numFmtId='x' fontId='9'/></cellXfs></styleSheet>",
    ):
        data = changed(saved(book(FEES)), r"xl/styles\.xml", lambda _, styles=styles: styles)
        assert "Plan: Basic; Fee: 1200" in read(SourceFile(data, "b.xlsx", "b")).text


def test_a_binary_workbook_is_refused_plainly():
    data = changed(
        saved(book(FEES)), r"_rels/\.rels", lambda xml: xml.replace(b"workbook.xml", b"workbook.bin")
    )
    with pytest.raises(UnsupportedError, match="binary workbook"):
        read(SourceFile(renamed(data, "workbook.xml", "workbook.bin"), "b.xlsb", "b"))


def test_a_sheet_over_the_limit_of_characters_is_refused():
    settings = ReadSettings(max_chars=1000)
    with pytest.raises(TooLargeError, match="1,000 characters"):
        read(SourceFile(saved(book([["a", "b"]] + [["x" * 50, 1]] * 40)), "b.xlsx", "b", settings))


def test_ten_thousand_rows_keep_their_names():
    loaded = load(book([["ref", "city", "amount"], *([f"R-{n}", "Pune", n] for n in range(10_000))]))
    span = next(page for page in loaded.pages if page.label == "Fees row 7433")
    assert loaded.text[span.start : span.end] == "ref: R-7431; city: Pune; amount: 7431"
    assert len(loaded.pages) == 10_001
