import io
import zipfile

import docx
import pytest
from docx.oxml import OxmlElement
from docx.oxml.ns import qn

from prism.errors import TooLargeError, UnreadableError
from prism.ingest.readers.docx import read
from prism.ingest.readers.protocol import SourceFile

TRANSITIONAL = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main"


def load(document) -> object:
    buffer = io.BytesIO()
    document.save(buffer)
    return read(SourceFile(buffer.getvalue(), "d.docx", "d"))


def package(body: str, namespace: str = TRANSITIONAL) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "word/document.xml", f'<w:document xmlns:w="{namespace}"><w:body>{body}</w:body></w:document>'
        )
    return buffer.getvalue()


def run(text: str) -> str:
    return f"<w:r><w:t>{text}</w:t></w:r>"


def test_ing_19_text_in_a_table_is_read():
    document = docx.Document()
    table = document.add_table(rows=2, cols=2)
    for row, cells in zip(table.rows, (("Notice period", "45 days"), ("Leave", "15 days")), strict=True):
        for cell, text in zip(row.cells, cells, strict=True):
            cell.text = text
    assert load(document).text == "Notice period | 45 days\nLeave | 15 days"


def test_paragraphs_and_tables_keep_their_order_under_their_headings():
    document = docx.Document()
    document.add_heading("Handbook", 0)
    document.add_heading("Leave", 1)
    document.add_paragraph("Before the table.")
    document.add_table(rows=1, cols=2).rows[0].cells[0].text = "cell"
    document.add_heading("Carry over", 2)
    document.add_paragraph("After it.")
    document.sections[0].header.paragraphs[0].text = "running header"
    loaded = load(document)
    assert loaded.text == (
        "Handbook\n\nLeave\n\nBefore the table.\n\ncell\n\nCarry over\n\nAfter it.\n\nHeader: running header"
    )
    assert [section.path for section in loaded.sections] == [
        ("Handbook",),
        ("Handbook", "Leave"),
        ("Handbook", "Leave", "Carry over"),
        (),
    ]
    assert loaded.title == "Handbook"
    assert loaded.page_count == 1


def test_a_cell_merged_across_is_written_once_and_one_merged_down_in_each_row():
    document = docx.Document()
    table = document.add_table(rows=2, cols=3)
    table.cell(0, 0).merge(table.cell(0, 1)).text = "wide"
    table.cell(0, 2).merge(table.cell(1, 2)).text = "tall"
    table.cell(1, 0).text, table.cell(1, 1).text = "a", "b"
    assert load(document).text == "wide |  | tall\na | b | tall"


def test_numbers_of_list_paragraphs_are_spelt_out():
    document = docx.Document()
    for text in ("open", "close"):
        document.add_paragraph(text, style="List Number")
    document.add_paragraph("dot", style="List Bullet")
    assert load(document).text == "1. open\n2. close\n- dot"


def test_deleted_revisions_are_left_out_and_inserted_ones_kept():
    deleted, inserted = "<w:del><w:r><w:delText>10</w:delText></w:r></w:del>", f"<w:ins>{run('20')}</w:ins>"
    body = f"<w:p>{run('The cap is ')}{deleted}{inserted}</w:p>"
    assert read(SourceFile(package(body), "d.docx", "d")).text == "The cap is 20"


def test_the_strict_dialect_is_read():
    assert (
        read(SourceFile(package(f"<w:p>{run('Strict text')}</w:p>", STRICT), "d.docx", "d")).text
        == "Strict text"
    )


def test_text_boxes_are_read_once():
    document = docx.Document()
    paragraph = document.add_paragraph("Around.")
    box = OxmlElement("w:txbxContent")
    inner = OxmlElement("w:p")
    box.append(inner)
    word_run, text = OxmlElement("w:r"), OxmlElement("w:t")
    text.text = "In the box."
    word_run.append(text)
    inner.append(word_run)
    paragraph.runs[0]._r.append(box)
    assert qn("w:txbxContent") in {element.tag for element in paragraph._p.iter()}
    assert load(document).text == "Around.\n\nIn the box."


def test_a_broken_package_is_damaged():
    with pytest.raises(UnreadableError, match=r"d\.docx: damaged"):
        read(SourceFile(package("<w:p/>")[:60], "d.docx", "d"))
    damaged = bytearray(package("<w:p>" + "x" * 5000 + "</w:p>"))
    damaged[60:70] = b"\xff" * 10
    with pytest.raises(UnreadableError, match=r"d\.docx: damaged"):
        read(SourceFile(bytes(damaged), "d.docx", "d"))
    with pytest.raises(UnreadableError, match="not well-formed"):
        read(SourceFile(package("<w:p>"), "d.docx", "d"))


def test_a_package_that_swells_is_refused():
    with pytest.raises(TooLargeError, match="unpacks to"):
        read(SourceFile(package(" " * 12_000_000), "d.docx", "d"))


def test_entities_are_refused():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("word/document.xml", '<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>')
    with pytest.raises(UnreadableError, match="document type"):
        read(SourceFile(buffer.getvalue(), "d.docx", "d"))


W = f'xmlns:w="{TRANSITIONAL}"'
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def text_of(body: str) -> str:
    return read(SourceFile(package(body), "d.docx", "d")).text


def document_with(body: str, **parts: str):
    """A document whose parts stand beside it, `footnotes` in `word/footnotes.xml`."""
    related = "".join(
        f'<Relationship Id="{name}" Type="{OFFICE}/{name.rstrip("0123456789")}" Target="{name}.xml"/>'
        for name in parts
    )
    buffer = io.BytesIO(package(body))
    with zipfile.ZipFile(buffer, "a") as archive:
        archive.writestr("word/_rels/document.xml.rels", f"<Relationships>{related}</Relationships>")
        for name, content in parts.items():
            archive.writestr(f"word/{name}.xml", content)
    return read(SourceFile(buffer.getvalue(), "d.docx", "d"))


def paragraph(text: str) -> str:
    return f"<w:p>{run(text)}</w:p>"


def test_notes_stand_at_the_end_of_the_section_that_refers_to_them_numbered_as_printed():
    reference = '<w:r><w:footnoteReference w:id="{}"/></w:r>'
    body = (
        f"<w:p>{run('Leave')}{reference.format(7)}{run(' is paid.')}</w:p>"
        f'<w:p>{run("A fee")}<w:r><w:endnoteReference w:id="4"/></w:r></w:p>'
        f'<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr>{run("Travel")}</w:p>'
        f"<w:p>{run('By train')}{reference.format(3)}</w:p>"
    )
    loaded = document_with(
        body,
        footnotes=f"<w:footnotes {W}><w:footnote w:id='0' w:type='separator'>{paragraph('___')}</w:footnote>"
        f"<w:footnote w:id='3'>{paragraph('Second class.')}</w:footnote>"
        f"<w:footnote w:id='7'>{paragraph('Not in probation.')}</w:footnote></w:footnotes>",
        endnotes=f"<w:endnotes {W}><w:endnote w:id='4'>{paragraph('Circular 9.')}</w:endnote></w:endnotes>",
    )
    assert loaded.text.split("\n\n") == [
        "Leave (note 1) is paid.", "A fee (endnote 1)", "Note 1: Not in probation.", "Endnote 1: Circular 9.",
        "Travel", "By train (note 2)", "Note 2: Second class.",
    ]  # fmt: skip


def test_comments_stand_at_the_end_with_author_and_what_they_are_about():
    body = (
        f'<w:p>{run("The cap is ")}<w:commentRangeStart w:id="2"/>{run("ten days")}'
        f'<w:commentRangeEnd w:id="2"/>'
        f'<w:r><w:commentReference w:id="2"/></w:r></w:p>'
    )
    loaded = document_with(
        body,
        comments=f'<w:comments {W}><w:comment w:id="2" w:author="Asha">{paragraph("Twenty?")}</w:comment>'
        "</w:comments>",
    )
    assert loaded.text == "The cap is ten days\n\nComment by Asha on “ten days”: Twenty?"


def test_headers_and_footers_stand_once_at_the_end_without_page_numbers():
    def edge(kind: str, name: str) -> str:
        return f'<w:{kind}Reference xmlns:r="{OFFICE}" r:id="{name}"/>'

    field = '<w:fldSimple w:instr=" PAGE "><w:r><w:t>3</w:t></w:r></w:fldSimple>'
    complex_field = "".join(
        f"<w:r>{part}</w:r>"
        for part in ('<w:fldChar w:fldCharType="begin"/>', "<w:instrText> NUMPAGES </w:instrText>",
                     '<w:fldChar w:fldCharType="separate"/>', "<w:t>9</w:t>",
                     '<w:fldChar w:fldCharType="end"/>')
    )  # fmt: skip
    body = paragraph("Text") + "".join(
        f"<w:p><w:pPr><w:sectPr>{edge('header', one)}{edge('footer', 'footer1')}</w:sectPr></w:pPr></w:p>"
        for one in ("header1", "header2")
    )
    footer = f"{paragraph('Draft 2')}<w:p>{run('Page ')}{field}{run(' of ')}{complex_field}</w:p>"
    loaded = document_with(
        body,
        header1=f"<w:hdr {W}>{paragraph('Leave policy')}</w:hdr>",
        header2=f"<w:hdr {W}>{paragraph('Leave policy')}</w:hdr>",
        footer1=f"<w:ftr {W}>{footer}</w:ftr>",
    )
    assert loaded.text == "Text\n\nHeader: Leave policy\n\nFooter: Draft 2"


def test_a_document_under_another_name_is_found_and_a_glossary_is_not_read():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(
            "_rels/.rels",
            f'<Relationships><Relationship Id="a" Type="{OFFICE}/officeDocument" Target="/word/d2.xml"/>'
            "</Relationships>",
        )
        for name, text in (("word/d2.xml", "Here"), ("word/glossary/document.xml", "Not here")):
            archive.writestr(name, f"<w:document {W}><w:body>{paragraph(text)}</w:body></w:document>")
    assert read(SourceFile(buffer.getvalue(), "d.docx", "d")).text == "Here"


def test_a_document_inside_it_and_embedded_objects_are_named():
    sheet = '<w:p><w:r><w:object><OLEObject ProgID="Excel.Sheet.12"/></w:object></w:r></w:p>'
    body = f'<w:altChunk xmlns:r="{OFFICE}" r:id="aFChunk1"/>{sheet}'
    loaded = document_with(body, aFChunk1="<html/>")
    assert loaded.warnings == (
        "word/aFChunk1.xml inside it was not read", "an embedded object was not read (Excel.Sheet.12)",
    )  # fmt: skip


def test_list_items_are_one_block_and_an_interrupted_list_counts_on():
    document = docx.Document()
    for text, style in (
        ("one", "List Number"),
        ("two", "List Number"),
        ("Between.", None),
        ("three", "List Number"),
    ):
        document.add_paragraph(text, style=style)
    loaded = load(document)
    assert loaded.text == "1. one\n2. two\n\nBetween.\n\n3. three"
    assert [loaded.text[block.start : block.end] for block in loaded.blocks] == ["1. one\n2. two", "3. three"]


def test_a_cell_keeps_the_marks_of_its_items_and_the_rows_of_a_table_in_it():
    document = docx.Document()
    table = document.add_table(rows=2, cols=2)
    table.cell(0, 0).text, table.cell(0, 1).text, table.cell(1, 1).text = "Who", "What", "Fees:"
    for text in ("apply", "wait"):
        table.cell(1, 0).add_paragraph(text, style="List Bullet")
    inner = table.cell(1, 1).add_table(rows=2, cols=2)
    for place, text in enumerate(("ATM", "20", "SMS", "5")):
        inner.cell(place // 2, place % 2).text = text
    loaded = load(document)
    assert loaded.text == "Who | What\n- apply - wait | Fees: ATM, 20; SMS, 5"
    assert loaded.tables[0].header == "Who | What"


def test_a_table_that_lays_out_the_page_is_running_text():
    document = docx.Document()
    table = document.add_table(rows=1, cols=2)
    table.cell(0, 0).paragraphs[0].style = document.styles["Heading 1"]
    table.cell(0, 0).paragraphs[0].text = "Leave"
    table.cell(0, 0).add_paragraph("Fifteen days.")
    table.cell(0, 1).text = "Contact"
    loaded = load(document)
    assert loaded.text == "Leave\n\nFifteen days.\n\nContact"
    assert loaded.tables == ()


def test_a_paragraph_whose_end_was_deleted_goes_on_in_the_next():
    ended = f"<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>{run('The cap is')}</w:p>"
    loaded = read(SourceFile(package(ended + paragraph("ten days.")), "d.docx", "d"))
    assert loaded.text == "The cap is ten days."
    assert loaded.warnings == ("tracked changes were read as if accepted",)


def test_a_deleted_row_is_left_out():
    row = "<w:tr>{}<w:tc>{}</w:tc><w:tc>{}</w:tc></w:tr>"
    rows = row.format("", paragraph("a"), paragraph("1")) + row.format(
        "<w:trPr><w:del/></w:trPr>", paragraph("b"), paragraph("2")
    )
    assert text_of(f"<w:tbl>{rows}</w:tbl>") == "a | 1"


def test_hidden_text_prompts_and_readings_are_left_out_and_choices_kept():
    hidden = "<w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r>"
    prompt = "<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr>"
    prompt += f"<w:sdtContent>{run('Click here')}</w:sdtContent></w:sdt>"
    filled = f"<w:sdt><w:sdtPr><w:text/></w:sdtPr><w:sdtContent>{run('Asha ')}</w:sdtContent></w:sdt>"
    ruby = f"<w:r><w:ruby><w:rt>{run('かん')}</w:rt><w:rubyBase>{run('漢')}</w:rubyBase></w:ruby></w:r>"
    box = (
        '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:default w:val="1"/></w:checkBox>'
        "</w:ffData></w:fldChar></w:r>"
    )
    loaded = read(SourceFile(package(f"<w:p>{filled}{hidden}{prompt}{ruby}{box}</w:p>"), "d.docx", "d"))
    assert loaded.text == "Asha 漢☒"
    assert loaded.warnings == ("hidden text was left out",)


def test_raised_numbers_are_not_joined_to_the_number_before():
    high = "<w:r><w:rPr><w:vertAlign w:val='superscript'/></w:rPr><w:t>{}</w:t></w:r>"
    assert (
        text_of(f"<w:p>{run('10')}{high.format('2')}{run(' on the 1')}{high.format('st')}</w:p>")
        == "10² on the 1st"
    )


def test_a_box_in_the_line_is_read_in_it_and_a_floating_one_after_it_each_once():
    def shape(place: str, text: str) -> str:
        box = f"<w:txbxContent>{paragraph(text)}</w:txbxContent>"
        return (
            f'<w:r><mc:AlternateContent xmlns:mc="mc"><mc:Choice><w:drawing><{place}>{box}</{place}>'
            "</w:drawing>"
            f"</mc:Choice><mc:Fallback><w:pict>{box}</w:pict></mc:Fallback></mc:AlternateContent></w:r>"
        )

    body = f"<w:p>{run('Press')}{shape('inline', 'Enter')}{shape('anchor', 'Beside')}{run('twice.')}</w:p>"
    assert text_of(body) == "Press Enter twice.\n\nBeside"


def test_a_formula_is_written_on_one_line():
    part = "<m:{0}><m:r><m:t>{1}</m:t></m:r></m:{0}>"
    fraction = part.format("num", "a+b") + part.format("den", "2")
    math = f"<m:oMath xmlns:m='m'><m:f>{fraction}</m:f></m:oMath>"
    assert text_of(f"<w:p>{run('Mean = ')}{math}</w:p>") == "Mean = (a+b)/2"


def test_a_document_of_pictures_alone_is_refused():
    body = "<w:p><w:r><w:drawing><inline><pic/></inline></w:drawing></w:r></w:p>"
    with pytest.raises(UnreadableError, match="only pictures"):
        text_of(body)


def test_absurd_numbers_do_no_harm():
    big = "9" * 30
    body = (
        f'<w:p><w:pPr><w:numPr><w:ilvl w:val="{big}"/><w:numId w:val="1"/></w:numPr></w:pPr>'
        f"{run('item')}</w:p>"
        f'<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="999999999"/></w:tcPr>{paragraph("a")}</w:tc></w:tr>'
        f'<w:tr><w:trPr><w:gridBefore w:val="{big}"/></w:trPr><w:tc>{paragraph("b")}</w:tc></w:tr></w:tbl>'
        f'<w:p><w:pPr><w:outlineLvl w:val="²"/></w:pPr>{run("end")}</w:p>'
    )
    assert text_of(body) == "- item\n\na\nb\n\nend"


def test_notes_that_are_damaged_are_named_and_cost_nothing_else():
    relations = "http://schemas.openxmlformats.org/package/2006/relationships"
    buffer = io.BytesIO(package(f"<w:p>{run('The cap is 20.')}</w:p>"))
    with zipfile.ZipFile(buffer, "a") as archive:
        archive.writestr("word/footnotes.xml", "<w:footnotes><broken")
        archive.writestr(
            "word/_rels/document.xml.rels",
            f'<Relationships xmlns="{relations}">'
            '<Relationship Id="a" Type="x/footnotes" Target="footnotes.xml"/></Relationships>',
        )
    loaded = read(SourceFile(buffer.getvalue(), "d.docx", "d"))
    assert loaded.text == "The cap is 20."
    assert loaded.warnings == (
        "damaged and not read: word/footnotes.xml. Save the file again from its program",
    )
