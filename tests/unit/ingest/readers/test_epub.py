import io
import zipfile

import pytest

from prism.errors import UnreadableError
from prism.ingest.readers.epub import read
from prism.ingest.readers.protocol import SourceFile

CONTAINER = '<container><rootfiles><rootfile full-path="OEBPS/content.opf"/></rootfiles></container>'


def book(documents: dict[str, str], *, items: str = "", spine: str = "", extra: dict[str, str] | None = None):
    items += "".join(
        f'<item id="{key}" href="{key}.xhtml" media-type="application/xhtml+xml"/>' for key in documents
    )
    spine = spine or "".join(f'<itemref idref="{key}"/>' for key in documents)
    opf = (
        '<?xml version="1.0"?><!DOCTYPE package><package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>'
        "<dc:title>Rules</dc:title><dc:creator>Asha Rao</dc:creator></metadata>"
        f'<manifest>{items}</manifest><spine toc="ncx">{spine}</spine></package>'
    )
    members = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": CONTAINER,
        "OEBPS/content.opf": opf,
    }
    members |= {f"OEBPS/{key}.xhtml": f"<html><body>{body}</body></html>" for key, body in documents.items()}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path, content in (members | (extra or {})).items():
            archive.writestr(path, content)
    return read(SourceFile(buffer.getvalue(), "b.epub", "b"))


def test_documents_are_read_in_the_order_of_the_spine_each_a_page():
    loaded = book(
        {"one": "<h1>First</h1><p>a</p>", "two": "<h1>Second</h1><p>b</p>"},
        spine='<itemref idref="two"/><itemref idref="one"/>',
    )
    assert loaded.text == "Rules\nAsha Rao\n\nSecond\n\nb\n\nFirst\n\na"
    assert loaded.title == "Rules"
    assert [(page.sheet, page.label, loaded.text[page.start : page.end]) for page in loaded.pages] == [
        (1, "ch. 1", "Rules\nAsha Rao\n\nSecond\n\nb"),
        (2, "ch. 2", "First\n\na"),
    ]
    assert [section.path for section in loaded.sections] == [("Second",), ("First",)]


def test_a_document_without_headings_gets_the_name_of_the_table_of_contents():
    ncx = (
        "<ncx><navMap><navPoint><navLabel><text>Fees</text></navLabel><content src='my%20fees.xhtml'/>"
        "</navPoint></navMap></ncx>"
    )
    loaded = book(
        {},
        items='<item id="f" href="my%20fees.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>',
        spine='<itemref idref="f"/>',
        extra={"OEBPS/my fees.xhtml": "<p>Five.</p>", "OEBPS/toc.ncx": ncx},
    )
    assert loaded.text.endswith("Fees\n\nFive.")
    assert loaded.sections[0].path == ("Fees",)


def test_tables_of_contents_are_left_out_and_printed_pages_are_labels():
    links = "".join(f'<li><a href="one.xhtml#p{n}">Part {n}</a></li>' for n in range(4))
    nav = (
        '<nav epub:type="toc"><a href="one.xhtml">One</a></nav><nav epub:type="page-list">'
        '<a href="one.xhtml#p12">Page 12</a><a href="one.xhtml#p13">13</a></nav>'
    )
    loaded = book(
        {
            "toc": f"<h1>Contents</h1><ol>{links}</ol>",
            "one": '<h1>One</h1><p>Before <a id="p12"/>the cap is <span id="p13"></span>five.</p>',
            "two": "<p>End.</p>",
        },
        items='<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>',
        extra={"OEBPS/nav.xhtml": nav},
    )
    assert loaded.text == "Rules\nAsha Rao\n\nOne\n\nBefore the cap is five.\n\nEnd."
    assert [(page.sheet, page.label, loaded.text[page.start : page.end]) for page in loaded.pages] == [
        (2, "ch. 2", "Rules\nAsha Rao\n\nOne\n\nBefore "),
        (2, "12", "the cap is "),
        (2, "13", "five."),
        (3, "13", "End."),
    ]


def test_a_missing_document_is_told_and_the_others_are_read():
    loaded = book({"one": "<p>a</p>"}, spine='<itemref idref="gone"/><itemref idref="one"/>')
    assert loaded.text.endswith("\n\na")
    assert loaded.warnings == ("gone is missing from the book",)


def encryption(algorithm: str, uri: str) -> dict[str, str]:
    return {
        "META-INF/encryption.xml": f'<encryption><enc:EncryptedData xmlns:enc="e"><enc:EncryptionMethod '
        f'Algorithm="{algorithm}"/><enc:CipherData><enc:CipherReference URI="{uri}"/></enc:CipherData>'
        "</enc:EncryptedData></encryption>"
    }


def test_a_copy_protected_book_is_refused_and_scrambled_fonts_are_no_protection():
    with pytest.raises(UnreadableError, match="copy protected"):
        book({"one": "x"}, extra=encryption("http://www.w3.org/2001/04/xmlenc#aes128-cbc", "OEBPS/one.xhtml"))
    fonts = encryption("http://www.idpf.org/2008/embedding", "OEBPS/font.otf")
    assert book({"one": "<p>x</p>"}, extra=fonts).text.endswith("x")


def test_a_book_without_a_package_is_damaged():
    with pytest.raises(UnreadableError, match="no package file"):
        book({}, extra={"OEBPS/content.opf": ""})
