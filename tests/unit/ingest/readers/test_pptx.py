import io
import re
import zipfile

import pptx
import pytest
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from prism.errors import TooLargeError, UnreadableError
from prism.ingest.readers.pptx import read
from prism.ingest.readers.protocol import SourceFile
from prism.settings import ReadSettings

TITLE_AND_CONTENT, BLANK = 1, 6


def saved(deck) -> bytes:
    buffer = io.BytesIO()
    deck.save(buffer)
    return buffer.getvalue()


def load(data: bytes, **settings):
    return read(SourceFile(data, "d.pptx", "d", ReadSettings(**settings)))


def changed(data: bytes, change) -> bytes:
    """The package with `change(name, content)` in place of each part; None leaves a part out."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in old.namelist():
            content = change(name, old.read(name))
            if content is not None:
                new.writestr(name, content)
    return buffer.getvalue()


def deck_of(*titles: str):
    deck = pptx.Presentation()
    for title in titles:
        slide = deck.slides.add_slide(deck.slide_layouts[TITLE_AND_CONTENT])
        slide.shapes.title.text = title
        slide.placeholders[1].text = f"Body of {title}"
    return deck


def test_each_slide_is_a_page_with_its_title_as_heading_and_its_notes():
    deck = deck_of("Leave", "Travel")
    deck.slides[1].notes_slide.notes_text_frame.text = "Ask Asha."
    loaded = load(saved(deck))
    assert loaded.text == "Leave\n\n- Body of Leave\n\nTravel\n\n- Body of Travel\n\nNotes: Ask Asha."
    assert [(page.sheet, page.label) for page in loaded.pages] == [(1, "1"), (2, "2")]
    assert loaded.text[loaded.pages[1].start : loaded.pages[1].end].strip().startswith("Travel")
    assert [section.path for section in loaded.sections] == [("Leave",), ("Travel",)]
    assert loaded.title == "Leave"


def test_bullets_of_the_layout_are_a_list_with_levels_and_a_line_can_refuse_its_bullet():
    deck = deck_of("Leave")
    frame = deck.slides[0].placeholders[1].text_frame
    frame.text = "There are two kinds"
    frame.paragraphs[0]._p.get_or_add_pPr().append(frame.paragraphs[0]._p.makeelement(
        "{http://schemas.openxmlformats.org/drawingml/2006/main}buNone", {}))  # fmt: skip
    for text, level in (("earned", 0), ("thirty days", 1), ("casual", 0)):
        paragraph = frame.add_paragraph()
        paragraph.text, paragraph.level = text, level
    loaded = load(saved(deck))
    assert loaded.text == "Leave\n\nThere are two kinds\n\n- earned\n  - thirty days\n- casual"
    (block,) = loaded.blocks
    assert loaded.text[block.start : block.end] == "- earned\n  - thirty days\n- casual"


def test_numbered_lines_are_counted():
    deck = deck_of("Steps")
    frame = deck.slides[0].placeholders[1].text_frame
    frame.text = "apply"
    frame.add_paragraph().text = "wait"
    for paragraph in frame.paragraphs:
        paragraph._p.get_or_add_pPr().append(paragraph._p.makeelement(
            "{http://schemas.openxmlformats.org/drawingml/2006/main}buAutoNum",
            {"type": "alphaLcParenR", "startAt": "3"}))  # fmt: skip
    assert load(saved(deck)).text == "Steps\n\nc) apply\nd) wait"


def test_a_slide_without_a_title_is_under_no_heading():
    deck = deck_of("Leave")
    slide = deck.slides.add_slide(deck.slide_layouts[BLANK])
    slide.shapes.add_textbox(0, 0, Inches(2), Inches(1)).text_frame.text = "Alone"
    loaded = load(saved(deck))
    assert [section.path for section in loaded.sections] == [("Leave",), ()]
    assert loaded.text[loaded.sections[1].start :] == "Alone"


def test_shapes_are_read_by_where_they_stand_and_groups_stay_together():
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[BLANK])
    for text, left, top in (("right below", 6, 3), ("left below", 1, 3), ("right above", 6, 1)):
        slide.shapes.add_textbox(Inches(left), Inches(top), Inches(3), Inches(1)).text_frame.text = text
    group = slide.shapes.add_group_shape()
    group.shapes.add_textbox(Inches(1), Inches(1), Inches(3), Inches(0.4)).text_frame.text = "left above"
    group.shapes.add_textbox(
        Inches(1), Inches(1.5), Inches(3), Inches(0.4)
    ).text_frame.text = "its second line"
    assert load(saved(deck)).text.split("\n\n") == [
        "left above", "its second line", "left below", "right above", "right below",
    ]  # fmt: skip


def test_a_table_keeps_its_header_and_its_merged_labels():
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[BLANK])
    table = slide.shapes.add_table(3, 3, 0, 0, Inches(6), Inches(2)).table
    for row, cells in enumerate((("City", "Fee", "Days"), ("Pune", "20", "3"), ("", "30", "4"))):
        for column, text in enumerate(cells):
            table.cell(row, column).text = text
    table.cell(1, 0).merge(table.cell(2, 0))
    loaded = load(saved(deck))
    assert loaded.text == "City | Fee | Days\nPune | 20 | 3\nPune | 30 | 4"
    assert loaded.tables[0].header == "City | Fee | Days"


def test_a_chart_says_its_title_and_values():
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[BLANK])
    data = CategoryChartData(number_format="0.0%")
    data.categories = ["2023", "2024"]
    data.add_series("Growth", (0.07, 0.351))
    chart = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, 0, 0, Inches(5), Inches(3), data).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = "Growth by year"
    loaded = load(saved(deck))
    assert loaded.text == "Chart: Growth by year\n\n | Growth\n2023 | 7.0%\n2024 | 35.1%"
    assert loaded.tables[0].header == " | Growth"


def test_a_diagram_is_read_as_an_outline():
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[BLANK])
    slide.shapes.add_table(1, 1, 0, 0, 9, 9).table.cell(0, 0).text = "here"
    rels = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    diagram = (
        '<d:dataModel xmlns:d="d" xmlns:a="a"><d:ptLst><d:pt modelId="0" type="doc"/>'
        + "".join(
            f'<d:pt modelId="{number}"><d:t><a:p><a:r><a:t>{text}</a:t></a:r></a:p></d:t></d:pt>'
            for number, text in ((1, "Review"), (2, "Plan"), (3, "Ask"))
        )
        + '</d:ptLst><d:cxnLst><d:cxn srcId="0" destId="2" srcOrd="0"/>'
        '<d:cxn srcId="2" destId="3" srcOrd="0"/>'
        '<d:cxn srcId="0" destId="1" srcOrd="1"/></d:cxnLst></d:dataModel>'
    )

    def with_diagram(name: str, content: bytes) -> bytes:
        if name == "ppt/slides/slide1.xml":
            ids = f'<d:relIds xmlns:d="d" xmlns:r="{rels}" r:dm="rId77"/>'.encode()
            return re.sub(rb"<a:tbl>.*</a:tbl>", ids, content, flags=re.S)
        if name == "ppt/slides/_rels/slide1.xml.rels":
            kind = f"{rels}/diagramData"
            one = f'<Relationship Id="rId77" Type="{kind}" Target="../diagrams/data1.xml"/></Relationships>'
            return content.replace(b"</Relationships>", one.encode())
        return content

    data = changed(saved(deck), with_diagram)
    missing = load(data)
    assert missing.text == ""
    assert missing.warnings == ("slide 1: a diagram is missing or damaged",)
    buffer = io.BytesIO(data)
    with zipfile.ZipFile(buffer, "a") as archive:
        archive.writestr("ppt/diagrams/data1.xml", diagram)
    assert load(buffer.getvalue()).text == "- Plan\n  - Ask\n- Review"


def test_dates_footers_and_numbers_are_left_out():
    deck = deck_of("Leave")
    layout = deck.slides[0].slide_layout
    for shape in layout.placeholders:
        if shape.placeholder_format.idx >= 10:
            deck.slides[0].shapes._spTree.append(shape._element)
            shape.text_frame.text = "furniture"
    assert b"furniture" in zipfile.ZipFile(io.BytesIO(saved(deck))).read("ppt/slides/slide1.xml")
    assert load(saved(deck)).text == "Leave\n\n- Body of Leave"


def test_a_hidden_slide_is_read_and_named():
    deck = deck_of("Shown", "Kept back")
    deck.slides[1]._element.set("show", "0")
    loaded = load(saved(deck))
    assert "Kept back" in loaded.text
    assert loaded.warnings == ("slide 2: hidden in the show, but read",)


def test_a_formula_is_read_once():
    math = (
        '<mc:AlternateContent xmlns:mc="m"><mc:Choice Requires="a14">'
        '<x:oMath xmlns:x="y"><x:r><x:t>E=mc²</x:t></x:r>'
        "</x:oMath></mc:Choice><mc:Fallback><a:r><a:t>[formula]</a:t></a:r></mc:Fallback></mc:AlternateContent>"
    )
    data = changed(
        saved(deck_of("Physics")),
        lambda name, content: content.replace(b"<a:r><a:t>Body of Physics</a:t></a:r>", math.encode()),
    )
    assert load(data).text == "Physics\n\n- E=mc²"


def test_a_damaged_slide_costs_only_itself():
    data = changed(
        saved(deck_of("One", "Two", "Three")),
        lambda name, content: b"<p:sld" if name == "ppt/slides/slide2.xml" else content,
    )
    loaded = load(data)
    assert loaded.text == "One\n\n- Body of One\n\nThree\n\n- Body of Three"
    assert [page.sheet for page in loaded.pages] == [1, 2, 3]
    assert loaded.warnings == ("slide 2: damaged and not read",)


@pytest.mark.parametrize(
    "lost", ["slideLayouts/", "slideMasters/", "ppt/presentation.xml", "ppt/_rels/", "_rels/.rels"]
)
def test_slides_are_read_without_what_surrounds_them(lost):
    data = changed(saved(deck_of("One", "Two")), lambda name, content: None if lost in name else content)
    loaded = load(data)
    assert re.findall("One|Two", loaded.text) == ["One", "One", "Two", "Two"]


def test_a_slide_whose_part_is_gone_is_told():
    data = changed(
        saved(deck_of("One", "Two")),
        lambda name, content: None if name == "ppt/slides/slide1.xml" else content,
    )
    loaded = load(data)
    assert loaded.text == "Two\n\n- Body of Two"
    assert loaded.warnings == ("slides missing from the file: 1 of 2",)


def test_a_package_without_slides_or_cut_short_is_damaged():
    with pytest.raises(UnreadableError, match=r"d\.pptx: damaged \(no slide"):
        load(saved(pptx.Presentation()))
    with pytest.raises(UnreadableError, match=r"d\.pptx: damaged"):
        load(saved(deck_of("One"))[:3000])


def test_more_slides_than_the_limit_are_refused():
    with pytest.raises(TooLargeError, match="3 slides are over the limit of 2"):
        load(saved(deck_of("a", "b", "c")), max_pages=2)


def test_a_slide_that_is_only_a_picture_is_remembered():
    deck = deck_of("One")
    slide = deck.slides.add_slide(deck.slide_layouts[BLANK])
    pixel = bytes.fromhex(
        "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360000002"
        "000001e221bc330000000049454e44ae426082"
    )
    slide.shapes.add_picture(io.BytesIO(pixel), 0, 0)
    loaded = load(saved(deck))
    assert loaded.unread_sheets == (2,)
    assert loaded.warnings == ("slide 2: a picture without text, not read",)
