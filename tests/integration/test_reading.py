"""Real files through load and clean: the RBI circulars and a cabinet of awkward files (PRISM_DATA)."""

import io
import json
import os
import re
import time
import unicodedata
from pathlib import Path

import numpy as np
import pypdfium2 as pdfium
import pytest
from PIL import Image

from prism.errors import SourceError
from prism.ingest.clean import clean
from prism.ingest.load import load, read
from prism.ingest.readers.pdf import render_page
from prism.ingest.readers.pdf_boxes import place_words, printed_characters
from prism.settings import ReadSettings
from prism.types import Box, Source, SourceText

DATA = os.environ.get("PRISM_DATA")
pytestmark = pytest.mark.skipif(not DATA, reason="PRISM_DATA is not set")

READABLE = (".pdf", ".txt", ".md", ".csv", ".html", ".docx")
SECONDS_FOR_ALL_CIRCULARS = 60


def read_in(path: Path, password: str = "") -> SourceText:
    source, settings = Source(path, path.name), ReadSettings()
    return clean(load(source, read(source, settings), settings, password=password))


def files(folder: str) -> list[Path]:
    return sorted((Path(DATA or "") / folder).iterdir())


def real_files() -> list[dict]:
    lines = (Path(DATA or "") / "realfiles" / "manifest.jsonl").read_text(encoding="utf-8").splitlines()
    return [entry for entry in map(json.loads, lines) if entry["ext"].lower() in READABLE]


def assert_structure_holds(loaded: SourceText) -> None:
    assert [page.sheet for page in loaded.pages] == sorted(page.sheet for page in loaded.pages)
    spans = [(span.start, span.end) for span in (*loaded.pages, *loaded.tables)]
    assert all(0 <= start <= end <= len(loaded.text) for start, end in spans)
    assert all(a.end <= b.start for a, b in zip(loaded.pages, loaded.pages[1:], strict=False))
    assert all(0 <= section.start < len(loaded.text) for section in loaded.sections)
    assert all(name.strip() for section in loaded.sections for name in section.path)
    for section in loaded.sections if loaded.media_type == "application/pdf" else ():
        assert loaded.text[section.start :].startswith(section.path[-1][:10])
    assert not set("\x00\x02\ufeff\xa0") & set(loaded.text)


def test_every_circular_is_read_in_time_with_its_structure():
    started = time.monotonic()
    circulars = [path for path in files("rbi_circulars/pdfs") if path.suffix.lower() == ".pdf"]
    for path in circulars:
        loaded = read_in(path)
        assert len(loaded.text) > 1000, path.name
        assert_structure_holds(loaded)
    assert len(circulars) == 27
    assert time.monotonic() - started < SECONDS_FOR_ALL_CIRCULARS


def test_sentences_of_a_circular_are_whole_and_its_contents_table_is_rows():
    text = read_in(Path(DATA) / "rbi_circulars/pdfs/07MC0104202508D52A1219FA468D864D393D72C3CC4B.PDF").text
    assert (
        "4 | Calendar of Reviews – Matters to be placed before the Board of Directors | 8\n"
        "5 | Donations to trusts and institutions where directors or their relatives hold position or are "
        "interested | 8-9\n"
    ) in text
    assert "ensured that all circulars and other material relating to policies issued by the RBI are" in text
    assert "- 4 -" not in text


def test_every_real_file_is_read_with_its_expected_words_or_refused_plainly():
    missing: dict[str, object] = {}
    for entry in real_files():
        path = Path(DATA) / "realfiles" / entry["file"]
        try:
            loaded = read_in(path)
        except SourceError as error:
            may_fail = "password" in entry["flags"] or "needs_ocr" in entry["flags"] or not entry["expect"]
            if not may_fail or entry["file"] not in str(error):
                missing[entry["file"]] = str(error)
            continue
        assert_structure_holds(loaded)
        words = " ".join(loaded.text.split())
        absent = [expected for expected in entry["expect"] if expected not in words]
        if absent:
            missing[entry["file"]] = absent
    assert missing == {}


BOXED = [
    "realfiles/NT7871494C59CE3B455BBD0D18770BBB1408.pdf",
    "realfiles/WARN-Report-for-7-1-2015-to-03-25-2016.pdf",
    "realfiles/fr_olap.pdf",
    "realfiles/multicolumn.pdf",
    "realfiles/nics-background-checks-2015-11-rotated.pdf",
    "rbi_circulars/pdfs/07MC0104202508D52A1219FA468D864D393D72C3CC4B.PDF",
    "kg_rag_sec10q/pdfs/2022 Q3 NVDA.pdf",
]
BOXED_SHEETS = 8
VISIBLE_CONTRAST = 40


@pytest.mark.parametrize("name", BOXED)
def test_boxes_cover_the_words_they_stand_for(name: str):
    path = Path(DATA) / name
    loaded = read_in(path)
    words: list[int] = []
    boxed: set[int] = set()
    inked: list[bool] = []
    same: list[bool] = []
    with pdfium.PdfDocument(path) as document:
        for page in loaded.pages[:BOXED_SHEETS]:
            text = loaded.text[page.start : page.end]
            boxes = place_words(text, page.start, printed_characters(path, page.sheet))
            words += [page.start + word.start() for word in re.finditer(r"[^\s|]\S*", text)]
            boxed |= {box.start for box in boxes}
            picture = np.asarray(Image.open(io.BytesIO(render_page(path, page.sheet))).convert("L"), np.int16)
            inked += [bool(np.ptp(_cut_out(picture, box)) > VISIBLE_CONTRAST) for box in boxes]
            sheet = document[page.sheet - 1]
            if sheet.get_rotation() == 0:
                shown = sheet.get_textpage()
                texts = [(loaded.text[box.start : box.end], _text_in(sheet, shown, box)) for box in boxes]
                same += [_plain(stored) == _plain(found) for stored, found in texts]
    assert len(boxed.intersection(words)) >= 0.99 * len(words)
    assert sum(inked) >= 0.99 * len(inked)
    assert sum(same) >= 0.96 * len(same), "letters that lean over the next word are read with both"


def _cut_out(picture: np.ndarray, box: Box) -> np.ndarray:
    height, width = picture.shape
    top, left = int(box.top * height), int(box.left * width)
    return picture[top : int(box.bottom * height) + 2, left : int(box.right * width) + 2]


def _text_in(page: pdfium.PdfPage, shown: pdfium.PdfTextPage, box: Box) -> str:
    left, bottom, right, top = page.get_cropbox()
    width, height = right - left, top - bottom
    places = (left + box.left * width, top - box.bottom * height, left + box.right * width)
    text = shown.get_text_bounded(
        places[0] - 0.3, places[1] - 0.3, places[2] + 0.3, top - box.top * height + 0.3
    )
    return str(text)


def _plain(text: str) -> str:
    return re.sub(r"[\W_]", "", unicodedata.normalize("NFKD", text))


def in_words(name: str) -> str:
    return " ".join(read_in(Path(DATA) / "realfiles" / name).text.split())


@pytest.mark.parametrize(
    ("name", "words"),
    [
        # Chinese lines, of glyphs drawn twice, join without a space.
        ("issue-71-duplicate-chars.pdf", "爆破震动监测工作。（1）沟通协调业主"),
        # Lam and alef, drawn as one sign, in the order they are spoken; lines of a paragraph in one.
        ("right_to_left_02.pdf", "وضع ماف بهخء الإنسخن المصري ياى"),
        ("nics-background-checks-2015-11-rotated.pdf", "Alabama | 18,870 | 23,022 | 22,650 | 859"),
        ("redp5110_sampled.pdf", "• Security fundamentals • Current state of IBM i security"),
        ("NT7871494C59CE3B455BBD0D18770BBB1408.pdf", "under Section V (d) Para 4 of Section III"),
    ],
)
def test_awkward_pages_read_as_they_are_seen(name: str, words: str):
    assert words in in_words(name)


@pytest.mark.parametrize("name", ["password-example.pdf", "2206.01062_pg3.pdf", "password.pdf"])
def test_ing_11_a_locked_file_is_read_with_its_password(name: str):
    entry = next(entry for entry in real_files() if entry["file"] == name)
    path = Path(DATA) / "realfiles" / name
    words = read_in(path, password=entry["flags"].removeprefix("password:")).text
    assert all(expected in words for expected in entry["expect"])


def test_a_table_over_many_pages_is_one_with_its_column_names():
    loaded = read_in(Path(DATA) / "realfiles/WARN-Report-for-7-1-2015-to-03-25-2016.pdf")
    rows = [loaded.text[table.start : table.end].count("\n") + 1 for table in loaded.tables]
    assert max(rows) > 600
    assert loaded.tables[rows.index(max(rows))].header.startswith(
        "Notice Date | Effective | Received | Company"
    )


def test_an_outline_is_trusted_only_where_its_titles_are_found():
    trusted = read_in(Path(DATA) / "rbi_circulars/pdfs/MD_12933_Archives.pdf")
    assert any(
        section.path[-2:] == ("Chapter-I - Preliminary", "A. Short Title and Commencement")
        for section in trusted.sections
    )
    mistitled = read_in(Path(DATA) / "realfiles/mistitled_outlines_example.pdf")
    assert [section.path[-1] for section in mistitled.sections][:3] == ["Contents", "1 Foo", "2 Bar"]


def test_print_whose_letters_cannot_be_read_is_told_and_good_print_is_not():
    garbled = "text on sheet 3 is drawn with a font whose letters cannot be read"
    assert garbled in read_in(Path(DATA) / "realfiles/redp5110_sampled.pdf").warnings
    good = [*files("rbi_circulars/pdfs"), *files("kg_rag_sec10q/pdfs")[:3]]
    for path in (path for path in good if path.suffix.lower() == ".pdf"):
        assert not any("cannot be read" in warning for warning in read_in(path).warnings), path.name
