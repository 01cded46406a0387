import pytest
from PIL import Image

from prism.errors import TooLargeError, UnreadableError
from prism.ingest.load import load
from prism.ingest.readers import recognize
from prism.ingest.readers.image import read
from prism.ingest.readers.protocol import SourceFile
from prism.settings import ReadSettings
from prism.types import Source
from tests.scans import needs_tesseract, picture_of, saved

LINES = ["The harbour office charges forty crowns", "for every berth at the northern quay."]


def file(data: bytes, **settings: object) -> SourceFile:
    return SourceFile(data, "scan.png", "scan", ReadSettings(**settings))


@needs_tesseract
@pytest.mark.parametrize("form", ["PNG", "JPEG", "TIFF", "BMP", "WEBP", "GIF"])
def test_a_picture_of_text_is_read_in_every_format(form, tmp_path):
    data = saved(picture_of(LINES), form)
    loaded = load(Source(tmp_path / "a", f"a.{form.lower()}"), data, ReadSettings())
    assert " ".join(loaded.text.split()) == " ".join(LINES)
    assert loaded.media_type == "image"
    assert [loaded.text[box.start : box.end] for box in loaded.boxes] == " ".join(LINES).split()
    assert loaded.unread_sheets == ()
    assert loaded.warnings == ("sheet 1: recognized from a picture (OCR), where letters may be mistaken",)


@needs_tesseract
def test_frames_are_pages_and_blank_ones_are_not_unread():
    frames = [picture_of(["The first page."]), Image.new("L", (2000, 400), 255), picture_of(["Page three."])]
    told: list[tuple[int, int]] = []
    data = saved(frames[0], "TIFF", save_all=True, append_images=frames[1:])
    loaded = read(SourceFile(data, "a.tif", "a", ReadSettings(), "", lambda *page: told.append(page)))
    assert [loaded.text[page.start : page.end] for page in loaded.pages] == [
        "The first page.",
        "",
        "Page three.",
    ]
    assert loaded.unread_sheets == ()
    assert {page for page, _ in told} == {1, 2, 3}
    assert {pages for _, pages in told} == {3}


@needs_tesseract
def test_words_split_at_line_ends_are_whole():
    loaded = read(file(saved(picture_of(["the master pays the regu-", "lation fee before leaving"]), "PNG")))
    assert "regulation fee" in loaded.text
    assert {loaded.text[box.start : box.end] for box in loaded.boxes} >= {"regu", "lation"}


@needs_tesseract
def test_a_picture_without_text_is_refused():
    with pytest.raises(UnreadableError, match=r"^scan\.png: no readable text"):
        read(file(saved(Image.new("RGB", (800, 600), "blue"), "PNG")))


def test_without_recognition_every_page_is_unread():
    loaded = read(file(saved(picture_of(LINES), "PNG"), ocr="off"))
    assert (loaded.text, loaded.unread_sheets, loaded.page_count) == ("", (1,), 1)
    assert loaded.warnings == ("text recognition is off (read.ocr)",)


def test_a_damaged_picture_is_damaged_without_recognition_too():
    with pytest.raises(UnreadableError, match="damaged"):
        read(file(saved(picture_of(LINES), "PNG")[:500], ocr="off"))


def test_on_without_tesseract_refuses(monkeypatch):
    monkeypatch.setattr(recognize, "find_tesseract", lambda: None)
    with pytest.raises(UnreadableError, match=r"scan\.png: text recognition needs Tesseract"):
        read(file(saved(picture_of(LINES), "PNG"), ocr="on"))


def test_too_many_frames_are_refused():
    frames = [Image.new("1", (10, 10))] * 4
    data = saved(frames[0], "TIFF", save_all=True, append_images=frames[1:])
    with pytest.raises(TooLargeError, match="4 pages are over the limit of 3"):
        read(file(data, max_pages=3))
