import pytest

from prism.errors import UnreadableError
from prism.ingest.kinds import Kind, kind_of
from prism.ingest.readers.odt import read
from prism.ingest.readers.protocol import SourceFile
from tests.odf import NAMES, cell, h, odf, p, row


def load(body: str, **parts: str):
    data = odf(body, **parts)
    assert kind_of(data, "d.odt") is Kind.ODT
    return read(SourceFile(data, "d.odt", "d"))


def text_of(body: str, **parts: str) -> str:
    return load(body, **parts).text


def numbered(name: str = "L") -> str:
    return (
        f'<text:list-style style:name="{name}">'
        '<text:list-level-style-number text:level="1" style:num-suffix="." style:num-format="1"/>'
        '<text:list-level-style-number text:level="2" style:num-prefix="(" style:num-suffix=")"'
        ' style:num-format="a"/>'
        '<text:list-level-style-bullet text:level="3"/></text:list-style>'
    )


def items(*inside: str, attributes: str = 'text:style-name="L"') -> str:
    made = "".join(f"<text:list-item>{one}</text:list-item>" for one in inside)
    return f"<text:list {attributes}>{made}</text:list>"


def test_headings_have_their_outline_levels_and_the_title_is_above_them():
    body = p("Handbook", "Title") + h("Leave", 1) + p("Fifteen days.") + h("Carry over", 2) + p("Five.")
    loaded = load(body)
    assert loaded.text == "Handbook\n\nLeave\n\nFifteen days.\n\nCarry over\n\nFive."
    assert [section.path for section in loaded.sections] == [
        ("Handbook",), ("Handbook", "Leave"), ("Handbook", "Leave", "Carry over"),
    ]  # fmt: skip
    assert loaded.title == "Handbook"


def test_white_space_is_counted_as_opendocument_counts_it():
    body = p("a  \n  b<text:s text:c='2'/>c<text:tab/>d<text:line-break/>e <text:span>f</text:span> g")
    assert text_of(body) == "a b  c\td\ne f g"


def test_lists_are_numbered_and_go_on_where_they_say_so():
    inner = items(p("deep"), attributes="")
    body = (
        items(p("one"), p("two") + inner)
        + p("Between.")
        + items(p("three"), attributes='text:style-name="L" text:continue-numbering="true"')
        + p("New:")
        + items(p("first") + p("its second paragraph"))
    )
    loaded = load(body, automatic=numbered())
    assert loaded.text == (
        "1. one\n2. two\n  (a) deep\n\nBetween.\n\n3. three\n\nNew:\n\n1. first\n  its second paragraph"
    )
    assert loaded.text[loaded.blocks[0].start : loaded.blocks[0].end] == "1. one\n2. two\n  (a) deep"


def test_a_list_of_unknown_style_has_bullets_and_empty_items_no_line():
    assert text_of(items(p("one"), "", p("two"), attributes="")) == "- one\n- two"


def test_numbered_headings_show_their_numbers():
    outline = (
        '<office:styles><text:outline-style style:name="Outline">'
        '<text:outline-level-style text:level="1" style:num-format="1"/>'
        '<text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/>'
        "</text:outline-style></office:styles>"
    )
    body = h("Leave", 1) + h("Earned", 2) + h("Casual", 2) + h("Travel", 1) + h("Rail", 2)
    assert text_of(body, styles=outline).split("\n\n") == [
        "1 Leave", "1.1 Earned", "1.2 Casual", "2 Travel", "2.1 Rail",
    ]  # fmt: skip


def test_a_table_keeps_its_header_merged_labels_and_the_table_in_a_cell():
    inner = f"<table:table>{row(cell('ATM'), cell('20'))}{row(cell('SMS'), cell('5'))}</table:table>"
    body = (
        "<table:table><table:table-header-rows>" + row(cell("City"), cell("Fee"), cell("Days"))
        + "</table:table-header-rows>"
        + row(cell("Pune", 'table:number-rows-spanned="2"'), cell("20"), cell("3"))
        + row("<table:covered-table-cell/>", f"<table:table-cell>{inner}</table:table-cell>", cell("4"))
        + row("<table:table-cell table:number-columns-repeated='16000'/>")
        + "</table:table>"
    )  # fmt: skip
    loaded = load(body)
    assert loaded.text == "City | Fee | Days\nPune | 20 | 3\nPune | ATM, 20; SMS, 5 | 4"
    assert loaded.tables[0].header == "City | Fee | Days"


def test_notes_stand_at_the_end_of_their_section_and_comments_at_the_end():
    note = (
        '<text:note text:note-class="{}"><text:note-citation>9</text:note-citation>'
        "<text:note-body>{}</text:note-body></text:note>"
    )
    comment = "<office:annotation><dc:creator>Asha</dc:creator><dc:date>2024</dc:date>"
    comment += f"{p('Twenty?')}</office:annotation>"
    body = (
        p(f"Leave{note.format('footnote', p('Not in probation.'))} is paid.")
        + h("Travel", 1)
        + p(f"By train{comment}{note.format('endnote', p('Second class.'))}.")
    )
    assert text_of(body).split("\n\n") == [
        "Leave (note 1) is paid.", "Note 1: Not in probation.", "Travel", "By train (endnote 1).",
        "Endnote 1: Second class.", "Comment by Asha: Twenty?",
    ]  # fmt: skip


def test_what_a_tracked_change_deleted_is_left_out():
    body = (
        "<text:tracked-changes><text:changed-region><text:deletion>"
        + p("ten")
        + "</text:deletion></text:changed-region>"
        "</text:tracked-changes>"
        + p("The cap is <text:change/><text:change-start/>twenty<text:change-end/>.")
    )
    assert text_of(body) == "The cap is twenty."


def test_boxes_are_read_after_their_paragraph():
    box = f"<draw:frame><draw:text-box>{p('In the box')}</draw:text-box></draw:frame>"
    shape = f"<draw:custom-shape>{p('On the shape')}</draw:custom-shape>"
    assert (
        text_of(p(f"Around {box}it{shape}.") + p("Next."))
        == "Around it.\n\nIn the box\n\nOn the shape\n\nNext."
    )


def test_hidden_text_is_left_out_and_raised_numbers_are_not_joined():
    automatic = (
        '<style:style style:name="T1"><style:text-properties text:display="none"/></style:style>'
        '<style:style style:name="T2"><style:text-properties style:text-position="super 58%"/></style:style>'
    )
    spans = (
        '10<text:span text:style-name="T2">2</text:span><text:span text:style-name="T1">secret</text:span>!'
    )
    loaded = load(p(spans), automatic=automatic)
    assert loaded.text == "10²!"
    assert loaded.warnings == ("hidden text was left out",)


def test_headers_and_footers_stand_once_at_the_end_without_page_numbers():
    page = (
        "<style:master-page><style:header>" + p("Leave policy") + "</style:header><style:header-left>"
        + p("Leave policy") + "</style:header-left><style:footer>"
        + p("Page <text:page-number>3</text:page-number>")
        + "</style:footer></style:master-page>"
    )  # fmt: skip
    loaded = load(h("A", 1) + p("Text"), styles=f"<office:master-styles>{page}</office:master-styles>")
    assert loaded.text == "A\n\nText\n\nHeader: Leave policy"
    assert [section.path for section in loaded.sections] == [("A",), ()]


def test_formulas_and_charts_inside_are_read_and_other_objects_named():
    def framed(name: str) -> str:
        return f'<draw:frame><draw:object xlink:href="./{name}"/><draw:image/></draw:frame>'

    math = (
        "<math><semantics><mi>x</mi><mo>=</mo><mn>2</mn>"
        "<annotation encoding='StarMath'>x = 2 over y</annotation></semantics></math>"
    )
    table = f"<table:table>{row(cell(''), cell('Growth'))}{row(cell('2024'), cell('7%'))}</table:table>"
    chart = (
        f"<office:document-content {NAMES}><office:body><office:chart><chart:chart>"
        f"<chart:title>{p('Growth by year')}</chart:title>{table}</chart:chart></office:chart></office:body>"
        "</office:document-content>"
    )
    loaded = load(
        p(framed("M")) + p(framed("C")) + p(framed("X")), M__content=math, C__content=chart, X__content="<x/>"
    )
    assert loaded.text == "x = 2 over y\n\nChart: Growth by year\n\n | Growth\n2024 | 7%"
    assert loaded.warnings == ("an embedded object was not read",)


def test_the_title_the_file_gives_itself():
    told = "<office:meta><dc:title>Leave 2024</dc:title></office:meta>"
    meta = f"<office:document-meta {NAMES}>{told}</office:document-meta>"
    assert load(p("Text"), meta=meta).title == "Leave 2024"
    assert load(p("Text"), meta="<broken").title == "d"


def test_an_encrypted_file_is_password_protected():
    manifest = (
        f"<manifest:manifest {NAMES}><manifest:file-entry><manifest:encryption-data/></manifest:file-entry>"
        "</manifest:manifest>"
    )
    with pytest.raises(UnreadableError, match=r"d\.odt: password protected"):
        load("", **{"META-INF__manifest": manifest})


def test_damaged_files_and_pictures_alone_are_refused():
    with pytest.raises(UnreadableError, match="not well-formed"):
        load("<text:p>")
    with pytest.raises(UnreadableError, match="only pictures"):
        load(p("<draw:frame><draw:image/></draw:frame>"))
    with pytest.raises(UnreadableError, match="no text document"):
        read(SourceFile(odf("", "presentation"), "d.odt", "d"))
    with pytest.raises(UnreadableError, match=r"d\.odt: damaged"):
        read(SourceFile(odf(p("x"))[:200], "d.odt", "d"))
