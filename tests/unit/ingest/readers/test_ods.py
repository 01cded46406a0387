import io
import zipfile

import pytest

from prism.errors import TooLargeError, UnreadableError
from prism.ingest.readers.ods import read
from prism.ingest.readers.protocol import SourceFile
from prism.settings import ReadSettings

NAMES = {
    "office": "urn:oasis:names:tc:opendocument:xmlns:office:1.0",
    "table": "urn:oasis:names:tc:opendocument:xmlns:table:1.0",
    "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
    "style": "urn:oasis:names:tc:opendocument:xmlns:style:1.0",
    "draw": "urn:oasis:names:tc:opendocument:xmlns:drawing:1.0",
    "fo": "urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0",
}
STYLES = (
    '<style:style style:name="hid"><style:table-properties table:display="false"/></style:style>'
    '<style:style style:name="b"><style:text-properties fo:font-weight="bold"/></style:style>'
)


def package(body: str, **parts: str) -> bytes:
    declared = " ".join(f'xmlns:{prefix}="{uri}"' for prefix, uri in NAMES.items())
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "content.xml",
            f"<office:document-content {declared}><office:automatic-styles>{STYLES}</office:automatic-styles>"
            f"<office:body><office:spreadsheet>{body}</office:spreadsheet></office:body></office:document-content>",
        )
        for name, content in parts.items():
            archive.writestr(name.replace("__", "/").replace("_", "."), content)
    return buffer.getvalue()


def cell(text: str = "", kind: str = "", **attributes: str) -> str:
    kind = kind or ("float" if text.replace(".", "").isdigit() else "string")
    more = "".join(f' table:{name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    shown = f"<text:p>{text}</text:p>" if text else ""
    value = f' office:value-type="{kind}"' if text else ""
    return f"<table:table-cell{value}{more}>{shown}</table:table-cell>"


def row(*cells: str, **attributes: str) -> str:
    more = "".join(f' table:{name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    made = (found if found.startswith("<") else cell(found) for found in cells)
    return f"<table:table-row{more}>{''.join(made)}</table:table-row>"


def table(*rows: str, name: str = "Fees", style: str = "") -> str:
    return f'<table:table table:name="{name}" table:style-name="{style}">{"".join(rows)}</table:table>'


def load(*tables: str, **settings: object):
    return read(SourceFile(package("".join(tables)), "b.ods", "b", ReadSettings(**settings)))


def test_every_row_names_its_columns_and_its_span_names_sheet_and_row():
    loaded = load(
        table(row("Plan", "Fee"), row("Basic", "12"), row("Gold", "34")), table(row("x"), name="More")
    )
    assert loaded.text == "Fees\n\nPlan: Basic; Fee: 12\nPlan: Gold; Fee: 34\n\nMore\n\nx"
    spans = {page.label: (page.sheet, loaded.text[page.start : page.end]) for page in loaded.pages}
    assert spans["Fees row 3"] == (1, "Plan: Gold; Fee: 34")
    assert spans["More row 1"] == (2, "x")


def test_cells_are_read_as_they_are_shown():
    shown = cell("12.5%", "percentage").replace(" office:v", ' office:value="0.125" office:v')
    bare = '<table:table-cell office:value-type="float" office:value="7"/>'
    lines = cell("a<text:s/>b</text:p><text:p>c")
    assert load(table(row("p", "q", "r"), row(shown, bare, lines))).text.endswith("p: 12.5%; q: 7; r: a b c")


def test_repeated_cells_and_rows_are_counted_and_those_of_the_end_cost_nothing():
    loaded = load(
        table(
            row("a", "b", "c", cell(number_columns_repeated="16381")),
            row("x", cell("5", number_columns_repeated="2")),
            row(cell(number_columns_repeated="16384"), number_rows_repeated="3"),
            row("y", "6", "7"),
            row(cell(number_columns_repeated="16384"), number_rows_repeated="1048570"),
        )
    )
    assert loaded.text == "Fees\n\na: x; b: 5; c: 5\n\na: y; b: 6; c: 7"
    assert [page.label for page in loaded.pages] == ["Fees", "Fees row 2", "Fees row 6"]


def test_a_cell_repeated_over_the_whole_sheet_is_refused():
    with pytest.raises(TooLargeError, match="characters"):
        load(
            table(row(cell("1", number_columns_repeated="16384"), number_rows_repeated="1048576")),
            max_chars=100_000,
        )


def test_merged_cells_reach_over_their_columns_and_rows():
    covered = "<table:covered-table-cell/>"
    loaded = load(
        table(
            row(cell("Zone", number_rows_spanned="2"), cell("2023", number_columns_spanned="2"), covered),
            row(covered, "Sales", "Cost"),
            row("North", "1", "2"),
        )
    )
    assert loaded.text.endswith("Zone: North; 2023 / Sales: 1; 2023 / Cost: 2")


def test_hidden_sheets_rows_and_columns_are_left_out_and_named():
    columns = '<table:table-column/><table:table-column/><table:table-column table:visibility="collapse"/>'
    loaded = load(
        table(
            columns,
            row("a", "b", "c"),
            row("x", "1", "secret"),
            row("y", "2", visibility="filter"),
            row("z", "3"),
        ),
        table(row("gone"), name="Old", style="hid"),
    )
    assert loaded.text == "Fees\n\na: x; b: 1\na: z; b: 3"
    assert loaded.warnings == (
        "hidden sheets left out: Old",
        "hidden rows left out: Fees 3",
        "hidden columns left out: Fees C",
    )


def test_a_comment_stands_with_its_cell_and_not_in_it():
    noted = (
        '<table:table-cell office:value-type="float"><office:annotation><text:p>raised</text:p>'
        "</office:annotation><text:p>5</text:p></table:table-cell>"
    )
    assert load(table(row("Plan", "Fee"), row("Basic", noted))).text.endswith(
        "Plan: Basic; Fee: 5; note on Fee: raised"
    )


def test_a_box_over_the_sheet_is_read_and_a_chart_told():
    shapes = (
        "<table:shapes><draw:frame><draw:text-box><text:p>In a box</text:p></draw:text-box></draw:frame>"
        "<draw:frame><draw:object/></draw:frame></table:shapes>"
    )
    loaded = load(table(shapes, row("a", "b"), row("x", "1")))
    assert loaded.text.endswith("\n\nIn a box")
    assert loaded.warnings == ("1 chart left out",)


def test_rows_that_repeat_on_every_page_are_names():
    header = f"<table:table-header-rows>{row('1', '2')}</table:table-header-rows>"
    assert load(table(header, row("30", "40"), row("50", "60"))).text.endswith("1: 30; 2: 40\n1: 50; 2: 60")


def test_a_formula_without_a_value_is_told():
    assert load(table(row("a", "b"), row("1", cell(formula="of:=A2")))).warnings == (
        "no saved value for 1 formula, first Fees!B2: open the file in its program, save it and add it again",
    )


def test_an_empty_workbook_is_an_empty_text():
    assert load(table(row(cell()))).text == ""


def test_a_locked_workbook_is_refused_plainly():
    manifest = "<m><file-entry><encryption-data/></file-entry></m>"
    with pytest.raises(UnreadableError, match="password protected"):
        read(SourceFile(package("", **{"META-INF__manifest_xml": manifest}), "b.ods", "b"))


def test_a_damaged_workbook_is_refused():
    with pytest.raises(UnreadableError, match=r"b\.ods: damaged"):
        read(SourceFile(package("<table:table>"), "b.ods", "b"))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
    with pytest.raises(UnreadableError, match="holds no workbook"):
        read(SourceFile(buffer.getvalue(), "b.ods", "b"))
