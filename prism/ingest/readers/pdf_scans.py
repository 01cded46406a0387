"""PDF pages that are pictures: which ones to recognize, and what of it to take for their text.

A page's own text is never replaced where it is good. Recognized is a page without text that shows a picture
or text drawn as lines; a full-page picture with a few letters on it (a stamp, a page number); a scan whose
invisible text, by another program, is poor; and a page whose text the caller knows to be garbled.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import islice

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c
import regex
from PIL import Image

from prism.ingest.readers.pdf_line import Line
from prism.ingest.readers.pictures import MAX_PIXELS
from prism.ingest.readers.protocol import SourceFile
from prism.ingest.readers.recognize import recognizer
from prism.ingest.readers.recognize_pages import page_warnings, recognize_pages
from prism.ingest.readers.recognized_lines import line_texts, paragraphs_of
from prism.ingest.readers.recognized_page import RecognizedPage
from prism.ingest.readers.word_places import PlacedWord, boxes_of
from prism.text.listing import listed
from prism.types import Box, PageSpan

_DOTS_PER_INCH = 300
_POINTS_PER_INCH = 72
_FEW_CHARS = 50
_FULL_PAGE_SHARE = 0.5
_MIN_STROKES = 30
_LOOKED_AT = 300
_MIN_ODD_SHARE = 0.03
_MANY_TIMES = 2
_SAME_WORDS_SHARE = 0.6

_ODD_WORD = regex.compile(
    r"\p{L}[^\p{L}\p{M}\d\s'’\-‐–—./@&_:,()\[\]]+\p{L}|[«»^~|<>*\\{}]|\p{Ll}\d\p{Ll}|\p{Ll}\p{Lu}{2}|\ufffd"
)


class Scan(Enum):
    """Why a page is recognized."""

    NONE = "its text is good, or it shows nothing"
    PICTURE = "no text, a picture"
    STAMPED = "few letters on a full-page picture"
    POOR_LAYER = "a scan with poor invisible text"
    GARBLED = "text in a font that does not say which letters it draws"


@dataclass(frozen=True, slots=True)
class Recognition:
    """What recognition made of a document: lines per sheet that take the place of its own, the pages they are
    from, sheets that could not be read, and what to say."""

    lines: Mapping[int, tuple[Line, ...]]
    pages: Mapping[int, RecognizedPage]
    unread_sheets: tuple[int, ...]
    warnings: tuple[str, ...]


def scan_of(page: pdfium.PdfPage, lines: Sequence[Line], *, is_garbled: bool = False) -> Scan:
    """Whether a page is to be recognized. `is_garbled`: its letters are known not to mean what they say."""
    if is_garbled:
        return Scan.GARBLED
    chars = _chars(lines)
    share, strokes, invisible, visible = _drawn(page)
    if not chars:
        return Scan.PICTURE if share or strokes >= _MIN_STROKES else Scan.NONE
    if chars < _FEW_CHARS and share >= _FULL_PAGE_SHARE:
        return Scan.STAMPED
    if share >= _FULL_PAGE_SHARE and invisible > visible and _odd_share(_text(lines)) >= _MIN_ODD_SHARE:
        return Scan.POOR_LAYER
    return Scan.NONE


def render(page: pdfium.PdfPage) -> Image.Image:
    """A page as a grey picture of 300 dots per inch; of less where it would be very large."""
    inches = page.get_width() * page.get_height() / _POINTS_PER_INCH**2
    dots = min(_DOTS_PER_INCH, (MAX_PIXELS / max(inches, 1e-6)) ** 0.5)
    picture: Image.Image = page.render(scale=dots / _POINTS_PER_INCH, grayscale=True).to_pil()
    return picture.convert("L")


def recognize_scans(
    file: SourceFile,
    scans: Mapping[int, Scan],
    own: Mapping[int, Sequence[Line]],
    sizes: Mapping[int, tuple[float, float]],
    picture_of: Callable[[int], Image.Image],
    pages: int,
) -> Recognition:
    """Recognize a document's pages.

    Args:
        scans: the sheets to recognize, with the reason.
        own: the lines their text layer has.
        sizes: their width and height in points.
        picture_of: renders a sheet.
        pages: how many the document has.

    Raises:
        UnreadableError: `read.ocr` is `on` and recognition cannot run.
    """
    if not scans:
        return Recognition({}, {}, (), ())

    def begun(sheet: int) -> None:
        file.on_page(sheet, pages)
        file.on_recognizing()

    recognizes = recognizer(file.settings, file.name)
    if recognizes.obstacle:
        unread = tuple(sheet for sheet in sorted(scans) if scans[sheet] is not Scan.POOR_LAYER)
        return Recognition({}, {}, unread, tuple(_not_recognized(scans, recognizes.obstacle)))
    read = recognize_pages(sorted(scans), picture_of, recognizes, begun)
    lines: dict[int, tuple[Line, ...]] = {}
    used: dict[int, RecognizedPage] = {}
    for sheet, page in read.items():
        if taken := _taken(scans[sheet], own[sheet], page, sizes[sheet]):
            lines[sheet], used[sheet] = taken, page
    told = {
        sheet: page
        for sheet, page in read.items()
        if sheet in used or not (page.is_wholly_read or scans[sheet] is Scan.POOR_LAYER)
    }
    unread = tuple(
        sheet
        for sheet, page in sorted(read.items())
        if not (page.is_wholly_read or scans[sheet] is Scan.POOR_LAYER)
        or (scans[sheet] is Scan.GARBLED and sheet not in used)
    )
    return Recognition(lines, used, unread, tuple(page_warnings(told, recognizes)))


def recognized_boxes(
    text: str, spans: Sequence[PageSpan], pages: Mapping[int, RecognizedPage]
) -> Iterator[Box]:
    """Where the words of recognized pages stand."""
    for span in spans:
        if page := pages.get(span.sheet):
            words = [PlacedWord(word.text, page.place(word)) for word in page.words]
            yield from boxes_of(text, span.start, span.end, words)


def _not_recognized(scans: Mapping[int, Scan], obstacle: str) -> Iterator[str]:
    for reasons, said in (
        ((Scan.PICTURE,), "no text on sheet {}: pictures only (scanned?); {}"),
        ((Scan.STAMPED,), "little text on sheet {}: the rest is a picture; {}"),
        ((Scan.POOR_LAYER,), "the text behind the scan on sheet {} holds many mistakes; {}"),
    ):
        if sheets := [sheet for sheet in sorted(scans) if scans[sheet] in reasons]:
            yield said.format(listed(sheets), obstacle)


def _taken(
    scan: Scan, own: Sequence[Line], page: RecognizedPage, size: tuple[float, float]
) -> tuple[Line, ...]:
    """The lines that take the place of a page's own; none where its own are to stay."""
    lines = tuple(_as_lines(page, size))
    if not lines:
        return ()
    if scan is Scan.POOR_LAYER:
        better = 2 * _odd_share(_text(lines)) < _odd_share(_text(own))
        return lines if better and 2 * _chars(lines) > _chars(own) else ()
    if scan is Scan.GARBLED:
        # A font that is not in the file is drawn with another, whose letters are as wrong.
        is_other = not _shares_words(own, lines) and 2 * _chars(lines) > _chars(own)
        return lines if is_other else ()
    if scan is Scan.STAMPED:
        if _chars(lines) < _MANY_TIMES * _chars(own):
            return ()
        return lines if _shares_words(own, lines) else (*own, *lines)
    return lines


def _as_lines(page: RecognizedPage, size: tuple[float, float]) -> Iterator[Line]:
    """Lines with their places in points; each knows its paragraph, and all have one size, since heights of
    recognized words say little about headings."""
    width, height = size if page.turned in (0, 180) else size[::-1]
    across, down = width / page.width, height / page.height
    for number, paragraph in enumerate(paragraphs_of(page)):
        for text, line in zip(line_texts(paragraph, goes_on=True), paragraph, strict=True):
            yield Line(
                cells=(text,),
                lefts=(min(word.left for word in line.words) * across,),
                rights=(max(word.right for word in line.words) * across,),
                bottom=height - max(word.bottom for word in line.words) * down,
                top=height - min(word.top for word in line.words) * down,
                size=_LINE_SIZE,
                is_bold=False,
                paragraph=number,
            )


_LINE_SIZE = 10.0


def _drawn(page: pdfium.PdfPage) -> tuple[float, int, int, int]:
    """Of a page's first objects: the share of it that pictures cover, strokes and shapes, invisible and
    visible pieces of text."""
    area = max(page.get_width() * page.get_height(), 1e-6)
    share, strokes, invisible, visible = 0.0, 0, 0, 0
    outer: pdfium.PdfObject | None = None
    for item in islice(page.get_objects(max_depth=4), _LOOKED_AT):
        if item.level == 0:
            outer = item
        if item.type == pdfium_c.FPDF_PAGEOBJ_IMAGE:
            # Places inside a form are the form's own; the form's are the page's, and count once.
            if outer is not None:
                left, bottom, right, top = outer.get_bounds()
                share += max(right - left, 0) * max(top - bottom, 0) / area
                outer = None
        elif item.type == pdfium_c.FPDF_PAGEOBJ_TEXT:
            is_invisible = (
                pdfium_c.FPDFTextObj_GetTextRenderMode(item.raw) == pdfium_c.FPDF_TEXTRENDERMODE_INVISIBLE
            )
            invisible, visible = invisible + is_invisible, visible + (not is_invisible)
        else:
            strokes += 1
    return share, strokes, invisible, visible


def _shares_words(own: Collection[Line], lines: Collection[Line]) -> bool:
    mine, its = set(_text(own).lower().split()), set(_text(lines).lower().split())
    return len(mine & its) >= _SAME_WORDS_SHARE * len(mine)


def _odd_share(text: str) -> float:
    """How many of the words look as no language writes them."""
    words = [word for word in text.split() if any(map(str.isalpha, word))]
    return sum(_ODD_WORD.search(word) is not None for word in words) / max(len(words), 1)


def _text(lines: Collection[Line]) -> str:
    return "\n".join(line.text for line in lines)


def _chars(lines: Collection[Line]) -> int:
    return sum(len(line.text) for line in lines)
