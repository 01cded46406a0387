import io

import pytest
from PIL import Image
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from prism.errors import UnreadableError
from prism.ingest.readers import recognize
from prism.ingest.readers.pdf import read
from prism.ingest.readers.protocol import SourceFile
from prism.settings import ReadSettings
from prism.types import SourceText
from tests.scans import needs_tesseract, picture_of, scanned_pdf

LINES = [
    "The harbour office charges forty crowns a day",
    "for every berth at the northern quay, and the",
    "master of a vessel pays before she leaves port.",
]
PROSE = " ".join(LINES)
GOOD = [
    "The board of the harbour met on Monday, and it has",
    "fixed the fees of the year without a dissenting vote.",
]


def load(data: bytes, **settings: object) -> SourceText:
    return read(SourceFile(data, "scan.pdf", "scan", ReadSettings(**settings)))


def page_texts(loaded: SourceText) -> list[str]:
    return [loaded.text[page.start : page.end] for page in loaded.pages]


def over_picture(*draws, picture: Image.Image | None = None) -> bytes:
    """One page: a picture that fills it, and what is drawn on it."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=A4)
    if picture is None:
        picture = Image.new("L", (2000, 2828), 255)
        picture.paste(picture_of(LINES), (0, 300))
    canvas.drawImage(ImageReader(picture), 0, 0, *A4)
    for draw in draws:
        draw(canvas)
    canvas.save()
    return file.getvalue()


def words(loaded: SourceText) -> list[str]:
    return loaded.text.split()


def invisible(*lines: str):
    def draw(canvas: Canvas) -> None:
        text = canvas.beginText(72, 700)
        text.setTextRenderMode(3)
        for line in lines:
            text.textLine(line)
        canvas.drawText(text)

    return draw


@needs_tesseract
def test_a_scanned_page_stands_in_its_place():
    loaded = load(scanned_pdf(GOOD, picture_of(LINES), ["The last page has text again."]))
    assert page_texts(loaded)[1] == PROSE
    assert page_texts(loaded)[2] == "The last page has text again."
    assert [page.sheet for page in loaded.pages] == [1, 2, 3]
    assert [loaded.text[box.start : box.end] for box in loaded.boxes] == PROSE.split()
    assert loaded.unread_sheets == ()
    assert loaded.sections == ()
    assert loaded.warnings == ("sheet 2: recognized from a picture (OCR), where letters may be mistaken",)


@needs_tesseract
def test_boxes_hold_the_ink_of_their_words():
    picture = picture_of(LINES)
    data = scanned_pdf(picture)
    loaded = load(data)
    height_share = A4[0] * picture.height / picture.width / A4[1]
    for box in loaded.boxes:
        left, right = box.left * picture.width, box.right * picture.width
        top, bottom = (edge / height_share * picture.height for edge in (box.top, box.bottom))
        ink = picture.crop((int(left), int(top), int(right) + 1, int(bottom) + 1))
        assert ink.getextrema()[0] < 60
        assert bottom - top < 80


@needs_tesseract
def test_a_sentence_over_a_page_turn_runs_on_between_scans():
    loaded = load(scanned_pdf(picture_of(["The cap for every vessel at the northern quay is"]),
                              picture_of(["two hundred crowns per person."])))  # fmt: skip
    assert "quay is two hundred crowns" in loaded.text
    assert page_texts(loaded) == [
        "The cap for every vessel at the northern quay is",
        "two hundred crowns per person.",
    ]


@needs_tesseract
def test_running_lines_of_scans_are_kept_once():
    pages = []
    for number, word in enumerate(["first", "second", "third", "fourth"], 1):
        page = picture_of(["ACME Confidential"], width=2000)
        tall = Image.new("L", (2000, 2800), 255)
        tall.paste(page, (0, 0))
        tall.paste(picture_of([f"The {word} chapter is about the harbour."]), (0, 1200))
        tall.paste(picture_of([f"Page {number}"]), (800, 2500))
        pages.append(tall)
    loaded = load(scanned_pdf(*pages))
    assert loaded.text.count("ACME") == 1
    assert "Page" not in loaded.text
    assert page_texts(loaded)[2].strip() == "The third chapter is about the harbour."


@needs_tesseract
def test_a_good_text_layer_is_never_replaced():
    layer = [
        "The harbour office asks forty crowns a day for",
        "every berth at the northern quay, in the summer.",
    ]
    loaded = load(over_picture(invisible(*layer)))
    assert loaded.text == " ".join(layer)
    assert loaded.warnings == ()
    assert loaded.boxes == ()


@needs_tesseract
def test_a_poor_invisible_layer_is_read_anew():
    loaded = load(over_picture(invisible(
        "Th» h*rbour of^ice ch;rges fort; cr«wns a d»y", "f~r ev*ry b»rth at th^ north|ern qu»y, «nd th>",
    )))  # fmt: skip
    assert loaded.text == PROSE


@needs_tesseract
def test_a_stamp_on_a_scan_does_not_pass_for_its_text():
    loaded = load(over_picture(lambda canvas: canvas.drawString(72, 30, "BATES 00017")))
    assert PROSE in loaded.text
    assert loaded.text.count("00017") == 1


@needs_tesseract
def test_few_words_on_a_picture_without_text_stay():
    picture = Image.new("RGB", (800, 1100), "navy")
    loaded = load(
        over_picture(lambda canvas: canvas.drawString(72, 700, "A view of the bay"), picture=picture)
    )
    assert loaded.text == "A view of the bay"
    assert loaded.unread_sheets == ()


@needs_tesseract
@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_page_turned_by_its_flag_has_boxes_as_it_is_shown(turn):
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=A4)
    canvas.setPageRotation(turn)
    picture = picture_of(LINES)
    canvas.drawImage(ImageReader(picture), 0, 350, A4[0], A4[0] * picture.height / picture.width)
    canvas.save()
    loaded = load(file.getvalue())
    assert words(loaded) == PROSE.split()
    first, last = loaded.boxes[0], loaded.boxes[-1]
    if turn == 180:
        assert first.left > last.left
        assert first.top > last.top
    else:
        assert first.bottom - first.top > first.right - first.left


@needs_tesseract
def test_letters_drawn_as_shapes_are_recognized():
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=A4)
    picture = picture_of(["The quay is open."], size=24, width=400).point(lambda value: 255 * (value < 128))
    for top in range(picture.height):
        for left in range(picture.width):
            if picture.getpixel((left, top)):
                canvas.rect(50 + left, 700 - top, 1, 1, fill=1, stroke=0)
    canvas.save()
    assert load(file.getvalue()).text == "The quay is open."


def test_ing_09_a_scan_that_is_not_recognized_has_no_text_and_names_its_pages():
    loaded = load(scanned_pdf(picture_of(LINES), picture_of(LINES)), ocr="off")
    assert (loaded.text, loaded.unread_sheets, loaded.page_count) == ("", (1, 2), 2)
    assert loaded.warnings == (
        "no text on sheet 1–2: pictures only (scanned?); text recognition is off (read.ocr)",
    )


def test_on_without_tesseract_refuses_a_scan_and_reads_text(monkeypatch):
    monkeypatch.setattr(recognize, "find_tesseract", lambda: None)
    with pytest.raises(UnreadableError, match=r"scan\.pdf: text recognition needs Tesseract"):
        load(scanned_pdf(GOOD, picture_of(LINES)), ocr="on")
    assert load(scanned_pdf(GOOD), ocr="on").text.startswith("The board")


@needs_tesseract
def test_a_page_that_takes_too_long_is_unread_and_the_rest_is_there():
    loaded = load(scanned_pdf(GOOD, picture_of(LINES)), ocr_timeout_s=0.001)
    assert loaded.text.startswith("The board")
    assert loaded.unread_sheets == (2,)
    assert loaded.warnings == ("sheet 2: text recognition took over 0.001 s (read.ocr_timeout_s)",)


@needs_tesseract
def test_letters_of_wrong_names_are_read_from_the_picture():
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=A4)
    picture = Image.new("L", (2000, 2828), 255)
    picture.paste(picture_of(LINES), (0, 300))
    canvas.drawImage(ImageReader(picture), 0, 0, *A4)
    text = canvas.beginText(72, 700)
    text.setTextRenderMode(3)
    for line in (
        "Hkkjrh; fjtoZ cSad us vkns'k fn;k gS fd lHkh cSad viuh",
        "jkf'k;ksa dk fooj.k izdkf'kr djsa vkSj",
    ):
        text.textLine(line)
    canvas.drawText(text)
    canvas.save()
    loaded = load(file.getvalue().replace(b"/BaseFont /Helvetica", b"/BaseFont /KrutiDev0"))
    assert loaded.text == PROSE
    assert loaded.unread_sheets == ()
    assert len(loaded.warnings) == 1


@needs_tesseract
def test_letters_of_wrong_names_that_are_drawn_no_better_are_unread():
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=A4)
    canvas.setFont("Helvetica", 16)
    canvas.drawString(72, 700, "Hkkjrh fjtoZ cSad us vknsk fnk gS fd lHkh cSad viuh")
    canvas.save()
    loaded = load(file.getvalue().replace(b"/BaseFont /Helvetica", b"/BaseFont /KrutiDev0"))
    assert loaded.text.startswith("Hkkjrh")
    assert loaded.unread_sheets == (1,)


@needs_tesseract
def test_a_scan_inside_a_form_with_a_stamp_on_it_is_read():
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=A4)
    picture = Image.new("L", (2000, 2828), 255)
    picture.paste(picture_of(LINES), (0, 300))
    canvas.beginForm("page", 0, 0, 1, 1)
    canvas.drawImage(ImageReader(picture), 0, 0, 1, 1)
    canvas.endForm()
    canvas.saveState()
    canvas.scale(*A4)
    canvas.doForm("page")
    canvas.restoreState()
    canvas.drawString(72, 30, "BATES 00017")
    canvas.save()
    assert PROSE in load(file.getvalue()).text
