import io
import zipfile

import pytest

from prism.errors import UnreadableError, UnsupportedError
from prism.ingest.kinds import Kind, kind_of
from tests.unit.ingest.readers.compound import compound_file


def zipped(*members: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for member in members:
            archive.writestr(member, "x")
    return buffer.getvalue()


def ole(stream: str) -> bytes:
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + stream.encode("utf-16-le") + b"\x00\x00"


@pytest.mark.parametrize(
    ("data", "name", "kind"),
    [
        (b"%PDF-1.7 ...", "a.pdf", Kind.PDF),
        (b"%PDF-1.7 ...", "a.txt", Kind.PDF),
        (b"%PDF-1.4", "A.PDF", Kind.PDF),
        (zipped("[Content_Types].xml", "word/document.xml"), "a.docx", Kind.DOCX),
        (zipped("word/document.xml"), "renamed.pdf", Kind.DOCX),
        (b"<!DOCTYPE html><p>x", "a.txt", Kind.HTML),
        ("<html><p>x".encode("utf-16"), "a.htm", Kind.HTML),
        (b"<p>fragment", "a.html", Kind.HTML),
        (b"a,b\n1,2", "a.CSV", Kind.CSV),
        (b"# x", "a.md", Kind.MARKDOWN),
        (b"x", "README", Kind.TEXT),
        (b"", "a.csv", Kind.CSV),
    ],
)
def test_content_decides_first_then_the_name(data, name, kind):
    assert kind_of(data, name) is kind


def test_an_unknown_kind_is_named_with_what_is_supported():
    with pytest.raises(UnsupportedError, match=r"x\.dwg: no reader for \.dwg files\. Prism reads PDF, Word"):
        kind_of(b"text", "x.dwg")


@pytest.mark.parametrize(
    ("data", "name", "kind"),
    [
        (zipped("xl/workbook.xml"), "x.docx", Kind.XLSX),
        (zipped("ppt/presentation.xml"), "x.pptx", Kind.PPTX),
        (zipped("META-INF/container.xml"), "x.epub", Kind.EPUB),
        (ole("WordDocument"), "x.doc", Kind.DOC),
        (ole("Workbook"), "x.xls", Kind.XLS),
        (ole("PowerPoint Document"), "x.ppt", Kind.PPT),
        (ole("__properties_version1.0"), "x.msg", Kind.MSG),
        (b"{\\rtf1 x}", "x.doc", Kind.RTF),
        (b"II*\x00....", "x.tif", Kind.IMAGE),
        (b"BM......", "x.bmp", Kind.IMAGE),
        (b"RIFF\x00\x00\x00\x00WEBP", "x.webp", Kind.IMAGE),
        (b"From: a@b.example", "x.eml", Kind.EML),
        (b"def f(): pass", "x.py", Kind.CODE),
    ],
)
def test_containers_and_signatures_tell_their_kind(data, name, kind):
    assert kind_of(data, name) is kind


@pytest.mark.parametrize("member", ["content.xml", "anything"])
def test_other_containers_are_unsupported(member):
    with pytest.raises(UnsupportedError):
        kind_of(zipped(member), "x.docx")


@pytest.mark.parametrize(
    "data", [b"\x89PNG\r\n\x1a\n....", b"\xff\xd8\xff\xe0...", b"\x7fELF...", b"\x1f\x8b..."]
)
def test_ing_02_a_renamed_binary_is_not_a_text_file(data):
    with pytest.raises(UnreadableError, match="not a text file"):
        kind_of(data, "x.txt")


@pytest.mark.parametrize("name", ["x.pdf", "x.docx"])
def test_text_named_pdf_or_docx_is_refused(name):
    with pytest.raises(UnreadableError, match="not a"):
        kind_of(b"just text", name)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"<table><tr><td>a</td></tr></table>", Kind.HTML),
        (b"<html><body><table></table></body></html>", Kind.HTML),
        (b"name\tage\nAsha\t31\n", Kind.CSV),
        ("name\tage\nAsha\t31\n".encode("utf-16"), Kind.CSV),
        (b"name;age\r\nAsha;31\r\n", Kind.CSV),
    ],
)
def test_tables_exported_under_the_name_of_a_workbook_are_read_as_what_they_are(data, kind):
    assert kind_of(data, "report.xls") is kind


@pytest.mark.parametrize(
    "data", [b"just words", b"\x01\x02,\x03\n\x04,\x05", b"<?xml version='1.0'?><x>a,b\nc,d</x>"]
)
def test_what_is_no_workbook_is_refused(data):
    with pytest.raises(UnreadableError, match="not a XLS"):
        kind_of(data, "report.xls")


def test_a_broken_container_is_damaged():
    with pytest.raises(UnreadableError, match="damaged"):
        kind_of(zipped("word/document.xml")[:40], "x.docx")


def test_an_encrypted_office_file_says_so():
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le")
    with pytest.raises(UnreadableError, match="password protected"):
        kind_of(ole, "x.docx")


OFFICE = "application/vnd.openxmlformats-officedocument"


def packed(**members: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for member, content in members.items():
            archive.writestr(member, content)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("members", "kind"),
    [
        ({"mimetype": "application/vnd.oasis.opendocument.presentation-template"}, Kind.ODP),
        (
            {
                "META-INF/manifest.xml": '<x media-type="application/vnd.oasis.opendocument.text"/>',
                "content.xml": "",
            },
            Kind.ODT,
        ),
        (
            {"[Content_Types].xml": f'"{OFFICE}.wordprocessingml.document.main+xml"'},
            Kind.DOCX,
        ),
        ({"[Content_Types].xml": '"application/vnd.ms-word.document.macroEnabled.main+xml"'}, Kind.DOCX),
        (
            {"[Content_Types].xml": f'"{OFFICE}.presentationml.slideshow.main+xml"'},
            Kind.PPTX,
        ),
    ],
)
def test_office_files_are_known_by_their_types_wherever_their_parts_lie(members, kind):
    assert kind_of(packed(**members), "a.bin") is kind


def test_a_workbook_that_holds_a_word_document_is_a_workbook():
    assert kind_of(compound_file({"MBD1": {"WordDocument": b"x"}, "Workbook": b"x"}), "a.xls") is Kind.XLS
    assert (
        kind_of(compound_file({"WordDocument": b"x", "ObjectPool": {"Workbook": b"x"}}), "a.doc") is Kind.DOC
    )


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"<html xmlns:o='urn:office'><body>x", Kind.HTML),
        ("\ufeff<head><meta>".encode("utf-16-le"), Kind.HTML),
        (b"Dear all,\nten days.\n", Kind.TEXT),
        (b"MIME-Version: 1.0\nContent-Type: multipart/related; boundary=x\n\n", Kind.EML),
    ],
)
def test_what_programs_name_doc_for_word_to_open_is_read_as_what_it_is(data, kind):
    assert kind_of(data, "letter.doc") is kind


def test_what_is_no_word_document_is_refused():
    with pytest.raises(UnreadableError, match=r"x\.doc: not a DOC file, or damaged"):
        kind_of(b"\x01\x02\x03binary", "x.doc")
