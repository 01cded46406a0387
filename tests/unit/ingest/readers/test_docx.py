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
    assert loaded.text == "Handbook\n\nLeave\n\nBefore the table.\n\ncell\n\nCarry over\n\nAfter it."
    assert [section.path for section in loaded.sections] == [
        ("Handbook",),
        ("Handbook", "Leave"),
        ("Handbook", "Leave", "Carry over"),
    ]
    assert loaded.title == "Handbook"
    assert loaded.page_count == 1


def test_merged_cells_are_written_once():
    document = docx.Document()
    table = document.add_table(rows=2, cols=3)
    table.cell(0, 0).merge(table.cell(0, 1)).text = "wide"
    table.cell(0, 2).merge(table.cell(1, 2)).text = "tall"
    table.cell(1, 0).text, table.cell(1, 1).text = "a", "b"
    assert load(document).text == "wide | tall\na | b"


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
