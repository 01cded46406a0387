import io

import pptx
import pytest

from prism.ingest.readers.container import opened
from prism.ingest.readers.drawing import content
from prism.ingest.readers.parts import Parts
from prism.ingest.readers.placeholders import BulletCounter, Inheritance, placeholder_type
from prism.ingest.readers.protocol import SourceFile
from prism.ingest.readers.wordxml import child, local


@pytest.fixture
def slide():
    """A slide that says nothing of places and bullets, and what its layout and master say."""
    deck = pptx.Presentation()
    made = deck.slides.add_slide(deck.slide_layouts[1])
    made.shapes.title.text, made.placeholders[1].text = "Title", "Body"
    buffer = io.BytesIO()
    deck.save(buffer)
    with opened(SourceFile(buffer.getvalue(), "d.pptx", "d")) as container:
        parts = Parts(container)
        tree = child(parts.xml("ppt/slides/slide1.xml"), "cSld", "spTree")
        shapes = [part for part in content(tree) if local(part) == "sp"]
        yield shapes, Inheritance(parts, "ppt/slides/slide1.xml")


def test_a_placeholder_stands_where_its_layout_or_master_puts_it(slide):
    (title, body), inherited = slide
    assert (placeholder_type(title), placeholder_type(body)) == ("title", "obj")
    assert inherited.frame(title).bottom < inherited.frame(body).bottom


def test_the_body_has_the_masters_bullets_and_the_title_none(slide):
    (title, body), inherited = slide
    paragraphs = [child(shape, "txBody", "p") for shape in (title, body)]
    assert inherited.bullet(title, paragraphs[0]) is None
    assert local(inherited.bullet(body, paragraphs[1])) == "buChar"


def test_numbers_start_anew_below_another_item_and_after_a_plain_line(slide):
    (_, body), _ = slide
    number = body.makeelement("buAutoNum", {"type": "arabicPeriod"})
    roman = body.makeelement("buAutoNum", {"type": "romanUcParenBoth"})
    dot = body.makeelement("buChar", {})
    counter = BulletCounter()
    lines = ((number, 0), (roman, 1), (roman, 1), (number, 0), (roman, 1), (None, 0), (number, 0), (dot, 2))
    assert [counter.mark(*line) for line in lines] == [
        "1. ", "  (I) ", "  (II) ", "2. ", "  (I) ", "", "1. ", "    - ",
    ]  # fmt: skip
