"""A citation's boxes cover its words. Pages of real PDFs (PRISM_DATA) are drawn, and for each word of their
text, of which every citation is a part, the boxes are looked at: they are there, there is ink in them, and
PDFium reads the word's own letters there.

By hand, to see which words have none: `python -m tests.integration.test_boxes FILE.pdf …`
"""

from __future__ import annotations

import ctypes
import io
import os
import re
import sys
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c
import pytest
from PIL import Image

from prism import Prism, Source
from prism.ingest.readers.pdf import opened_page
from prism.types import Box, PageContent
from tests.fakes import LetterEmbedder

DATA = Path(os.environ.get("PRISM_DATA", ""))
pytestmark = pytest.mark.skipif("PRISM_DATA" not in os.environ, reason="PRISM_DATA is not set")

LEAST_SHARE = 0.99
LEAST_SHARE_OF_ONE = 0.97
LEAST_WORDS = 8_000
EXCEPTIONS = {
    "habibi.pdf": "three words of Arabic and English that overlap on the page",
    "habibi-rotated.pdf": "the same words, turned four ways",
    "right_to_left_02.pdf": "its font gives wrong letters and parts of words apart: 7 of 178 are lost",
}
"""Files below LEAST_SHARE_OF_ONE, and why; they count in the share of all."""

INK_LEVELS = 40
"""Least difference between the darkest and the brightest of 256 grey levels where something is drawn."""

TEN_QS = ("2022 Q3 AAPL.pdf", "2023 Q2 NVDA.pdf")
MOST_PAGES = 12
"""Of a long document, spread evenly: drawing takes a tenth of a second a page."""

_WORD = re.compile(r"\S+")
_LETTER = re.compile(r"[^\W_]")


@dataclass
class Found:
    """What became of the words looked at: `boxless`, `blank` and `other` hold those that fail."""

    words: int = 0
    boxless: list[str] = field(default_factory=list)
    blank: list[str] = field(default_factory=list)
    other: list[str] = field(default_factory=list)

    def share(self, failed: Sequence[str]) -> float:
        return 1 - len(failed) / self.words if self.words else 1.0

    @property
    def shares(self) -> tuple[float, float, float]:
        """Words with a box, with ink in it, with their own letters in it."""
        return self.share(self.boxless), self.share(self.blank), self.share(self.other)

    def __iadd__(self, more: Found) -> Found:
        self.words += more.words
        self.boxless += more.boxless
        self.blank += more.blank
        self.other += more.other
        return self


def letters(text: str) -> Counter[str]:
    """Letters and digits, whatever their form; a glyph drawn twice counts like one drawn once."""
    return Counter(_LETTER.findall(unicodedata.normalize("NFKC", text).casefold()))


@dataclass(frozen=True)
class Printed:
    """The letters of a page with the middle of each, in fractions from the top left."""

    text: str
    across: np.ndarray
    down: np.ndarray

    def inside(self, box: Box) -> str:
        # A middle on the very edge is inside.
        slack = 0.001
        within = (
            (self.across >= box.left - slack)
            & (self.across <= box.right + slack)
            & (self.down >= box.top - slack)
            & (self.down <= box.bottom + slack)
        )
        return "".join(self.text[place] for place in np.flatnonzero(within))


def printed(path: Path, sheet: int) -> Printed:
    with opened_page(path, sheet) as page:
        text_page = page.get_textpage()
        rows = list(_middles(page, text_page))
        text_page.close()
    text = "".join(row[0] for row in rows)
    places = np.array([row[1:] for row in rows], dtype=float).reshape(-1, 2)
    return Printed(text, places[:, 0], places[:, 1])


def _middles(page: pdfium.PdfPage, text_page: pdfium.PdfTextPage) -> Iterator[tuple[str, float, float]]:
    fine = 1_000_000
    for place in range(text_page.count_chars()):
        code = pdfium_c.FPDFText_GetUnicode(text_page.raw, place)
        left, bottom, right, top = text_page.get_charbox(place)
        if code and not 0xD800 <= code < 0xE000 and right > left:
            across, down = ctypes.c_int(), ctypes.c_int()
            middle = ((left + right) / 2, (bottom + top) / 2)
            pdfium_c.FPDF_PageToDevice(page.raw, 0, 0, fine, fine, 0, *middle, across, down)
            yield chr(code), across.value / fine, down.value / fine


def look(content: PageContent, path: Path) -> Found:
    """Hold every word of a page against the page as drawn. What has no letter or digit may be
    Prism's own (`|` between cells, `…` for leader dots) and is passed over."""
    found = Found()
    assert content.image_png is not None
    drawn = np.asarray(Image.open(io.BytesIO(content.image_png)).convert("L"))
    page = printed(path, content.page.sheet)
    covered = boxes_by_place(content.boxes)
    for match in _WORD.finditer(content.text):
        span = range(content.start + match.start(), content.start + match.end())
        if not letters(match.group()):
            continue
        found.words += 1
        boxes = list(dict.fromkeys(box for place in span for box in covered.get(place, ())))
        if not all(place in covered for place in span):
            found.boxless.append(match.group())
        elif not all(has_ink(drawn, box) for box in boxes):
            found.blank.append(match.group())
        elif not reads(match.group(), "".join(page.inside(box) for box in boxes)):
            found.other.append(f"{match.group()} → {''.join(page.inside(box) for box in boxes)}")
    return found


def boxes_by_place(boxes: Sequence[Box]) -> dict[int, list[Box]]:
    places: dict[int, list[Box]] = {}
    for box in boxes:
        for place in range(box.start, box.end):
            places.setdefault(place, []).append(box)
    return places


def has_ink(drawn: np.ndarray, box: Box) -> bool:
    height, width = drawn.shape
    top, bottom = int(box.top * height) - 1, int(np.ceil(box.bottom * height)) + 1
    left, right = int(box.left * width) - 1, int(np.ceil(box.right * width)) + 1
    part = drawn[max(top, 0) : bottom, max(left, 0) : right]
    return bool(part.size) and int(part.max()) - int(part.min()) >= INK_LEVELS


def reads(word: str, inside: str) -> bool:
    """Whether all letters of the word stand inside, and no letter that is not the word's."""
    wanted, there = letters(word), letters(inside)
    return not wanted - there and wanted.keys() >= there.keys()


def look_at_document(prism: Prism, name: str, path: Path, most_pages: int = MOST_PAGES) -> Found:
    """The words of a document, on some of its pages spread evenly."""
    info = prism.document(name)
    step = -(-info.page_count // most_pages)
    found = Found()
    for sheet in range(1, info.page_count + 1, step):
        found += look(prism.page(info.document_id, sheet), path)
    return found


def opened(folder: Path) -> Prism:
    return Prism.open(
        overlay={
            "storage.path": folder,
            "rerank.kind": "none",
            "models.answerer": "quote",
            "read.ocr": "off",
        },
        embedder=LetterEmbedder(),
    )


def documents_of(group: str) -> list[Path]:
    if group == "10-Q":
        return [DATA / "kg_rag_sec10q/pdfs" / name for name in TEN_QS]
    folder = DATA / {"real files": "realfiles", "RBI circulars": "rbi_circulars/pdfs"}[group]
    return sorted(path for path in folder.iterdir() if path.suffix.lower() == ".pdf")


@pytest.mark.slow
@pytest.mark.parametrize("group", ["real files", "RBI circulars", "10-Q"])
def test_words_have_boxes_with_ink_and_their_own_letters_in_them(group: str, tmp_path: Path) -> None:
    total, few = Found(), {}
    with opened(tmp_path / "storage") as prism:
        for report in prism.ingest([Source(path, path.name) for path in documents_of(group)]).files:
            if report.status != "added":
                continue
            found = look_at_document(prism, report.document, Path(report.path))
            total += found
            if min(found.shares) < LEAST_SHARE_OF_ONE and report.document not in EXCEPTIONS:
                few[report.document] = found
    assert total.words > LEAST_WORDS
    assert few == {}
    assert min(total.shares) >= LEAST_SHARE, total


def main(paths: Sequence[Path]) -> None:
    total = Found()
    with tempfile.TemporaryDirectory() as folder, opened(Path(folder)) as prism:
        for path in paths:
            (report,) = prism.ingest(path).files
            if report.status not in ("added", "unchanged"):
                print(f"{path.name}: {report.status}, {report.reason}")
                continue
            found = look_at_document(prism, report.document, path, most_pages=10_000)
            total += found
            shares = " ".join(f"{share:.4f}" for share in found.shares)
            print(f"{path.name}: {found.words} words; box, ink, letters {shares}")
            for title in ("boxless", "blank", "other"):
                if getattr(found, title):
                    print(f"    {title}: {Counter(getattr(found, title)).most_common(12)}")
    print("all:", total.words, *(f"{share:.4f}" for share in total.shares))


if __name__ == "__main__":
    main([Path(argument) for argument in sys.argv[1:]])
