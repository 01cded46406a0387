import io
import zipfile
from xml.etree import ElementTree

from prism.ingest.readers.container import opened
from prism.ingest.readers.parts import Parts, relation_id
from prism.ingest.readers.protocol import SourceFile

OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def relations(*entries: tuple[str, str, str], mode: str = "") -> str:
    return "<Relationships>{}</Relationships>".format(
        "".join(f'<Relationship Id="{i}" Type="{OFFICE}/{k}" Target="{t}" {mode}/>' for i, k, t in entries)
    )


def package(**parts: str):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return opened(SourceFile(buffer.getvalue(), "d.docx", "d"))


def test_the_main_part_is_the_one_the_package_names():
    with package(
        **{"_rels/.rels": relations(("r1", "officeDocument", "/odd/Main.xml")), "odd/main.xml": "<x/>"}
    ) as c:
        parts = Parts(c)
        assert parts.main("word/document.xml") == "odd/Main.xml"
        assert parts.xml("odd/Main.xml").tag == "x"


def test_without_its_name_the_main_part_is_the_usual_one():
    with package(**{"word/document.xml": "<x/>"}) as c:
        assert Parts(c).main("word/document.xml") == "word/document.xml"


def test_targets_are_relative_to_their_part():
    with package(
        **{
            "ppt/slides/_rels/s.xml.rels": relations(
                ("a", "notesSlide", "../notes/n%201.xml"), ("b", "image", "gone")
            ),
            "ppt/notes/n 1.xml": "<x/>",
        }
    ) as c:
        parts = Parts(c)
        assert parts.of_kind("ppt/slides/s.xml", "notesSlide") == ["ppt/notes/n 1.xml"]
        assert parts.of_kind("ppt/slides/s.xml", "image") == []


def test_an_address_outside_is_no_part():
    with package(
        **{"w/_rels/d.xml.rels": relations(("a", "hyperlink", "x.xml"), mode='TargetMode="External"')}
    ) as c:
        (found,) = Parts(c).related("w/d.xml").values()
        assert (found.is_outside, found.target) == (True, "x.xml")


def test_a_damaged_list_of_relations_is_empty():
    with package(**{"_rels/.rels": "<Relation", "w.xml": "<x"}) as c:
        assert Parts(c).related("") == {}
        assert Parts(c).xml_or_none("w.xml") is None


def test_an_id_of_a_relation_is_not_the_elements_own_id():
    element = ElementTree.fromstring(f'<s xmlns:r="{OFFICE}" id="256" r:id="rId2"/>')  # noqa: S314
    assert relation_id(element) == "rId2"
    assert relation_id(ElementTree.Element("s", id="256")) == ""
