import pytest

from prism.errors import TooLargeError, UnreadableError
from prism.ingest.kinds import Kind, kind_of
from prism.ingest.readers.odp import read
from prism.ingest.readers.protocol import SourceFile
from prism.settings import ReadSettings
from tests.odf import cell, odf, p, row


def load(*slides: str, automatic: str = "", **settings):
    data = odf("".join(slides), "presentation", automatic=automatic)
    assert kind_of(data, "d.odp") is Kind.ODP
    return read(SourceFile(data, "d.odp", "d", ReadSettings(**settings)))


def frame(text: str, kind: str = "", place: str = "") -> str:
    left, top = place.split() if place else ("1", "1")
    at = f'svg:x="{left}cm" svg:y="{top}cm" svg:width="8cm" svg:height="2cm"' if place else ""
    named = f'presentation:class="{kind}"' if kind else ""
    return f"<draw:frame {named} {at}><draw:text-box>{text}</draw:text-box></draw:frame>"


def slide(*inside: str, style: str = "") -> str:
    return f'<draw:page draw:style-name="{style}">{"".join(inside)}</draw:page>'


def test_each_slide_is_a_page_with_its_title_notes_and_comments():
    notes = f"<presentation:notes>{frame(p('Ask Asha.'), 'notes')}"
    notes += f"{frame(p('3'), 'page-number')}</presentation:notes>"
    comment = f"<office:annotation><dc:creator>Ravi</dc:creator>{p('Twenty?')}</office:annotation>"
    bullets = "<text:list><text:list-item>{}</text:list-item></text:list>".format(
        p("earned") + "<text:list><text:list-item>" + p("thirty days") + "</text:list-item></text:list>"
    )
    loaded = load(
        slide(
            frame(bullets, "outline"), frame(p("Leave"), "title"), frame(p("ACME"), "footer"), comment, notes
        ),
        slide(frame(p("Alone"))),
    )
    assert loaded.text.split("\n\n") == [
        "Leave", "- earned\n  - thirty days", "Notes: Ask Asha.", "Comment by Ravi: Twenty?", "Alone",
    ]  # fmt: skip
    assert [(page.sheet, page.label) for page in loaded.pages] == [(1, "1"), (2, "2")]
    assert [section.path for section in loaded.sections] == [("Leave",), ()]
    assert loaded.title == "Leave"


def test_shapes_are_read_by_where_they_stand_and_groups_stay_together():
    group = f"<draw:g>{frame(p('second line'), place='1 4')}{frame(p('left above'), place='1 1')}</draw:g>"
    loaded = load(
        slide(
            frame(p("right"), place="14 1"), "<draw:line/>", frame(p("left below"), place="1 8"), group,
            "<draw:custom-shape svg:x='14cm' svg:y='8cm' svg:width='80mm' svg:height='2cm'>",
            p("shape"), "</draw:custom-shape>",
        )
    )  # fmt: skip
    assert loaded.text.split("\n\n") == ["left above", "second line", "left below", "right", "shape"]


def test_a_table_on_a_slide_keeps_its_header():
    table = f"<table:table>{row(cell('City'), cell('Fee'))}{row(cell('Pune'), cell('20'))}</table:table>"
    loaded = load(slide(f"<draw:frame>{table}</draw:frame>"))
    assert loaded.text == "City | Fee\nPune | 20"
    assert loaded.tables[0].header == "City | Fee"


def test_hidden_slides_and_slides_of_pictures_are_named():
    hides = '<style:drawing-page-properties presentation:visibility="hidden"/>'
    automatic = f'<style:style style:name="H">{hides}</style:style>'
    picture = "<draw:frame><draw:image/></draw:frame>"
    loaded = load(slide(frame(p("Kept back")), style="H"), slide(picture), automatic=automatic)
    assert loaded.text == "Kept back"
    assert loaded.unread_sheets == (2,)
    assert loaded.warnings == (
        "slide 1: hidden in the show, but read", "slide 2: a picture without text, not read",
    )  # fmt: skip


def test_no_slides_and_too_many_are_refused():
    with pytest.raises(UnreadableError, match=r"d\.odp: damaged \(no slide"):
        load()
    with pytest.raises(TooLargeError, match="2 slides are over the limit of 1"):
        load(slide(), slide(), max_pages=1)
