"""A picture as a document: a photographed page, a screenshot, a scan of several pages in one TIFF."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce

from prism.errors import TooLargeError, UnreadableError
from prism.ingest.kinds import Kind
from prism.ingest.readers.builder import TextBuilder
from prism.ingest.readers.pictures import open_pages
from prism.ingest.readers.protocol import SourceFile
from prism.ingest.readers.recognize import recognizer
from prism.ingest.readers.recognize_pages import page_warnings, recognize_pages
from prism.ingest.readers.recognized_lines import line_texts, paragraphs_of
from prism.ingest.readers.recognized_page import RecognizedPage
from prism.ingest.readers.typography import join_lines
from prism.ingest.readers.word_places import PlacedWord, boxes_of
from prism.types import Box, SourceText


def read(file: SourceFile) -> SourceText:
    """Read a picture by text recognition. Where that cannot be had the text is empty and its pages are named
    as unread.

    Raises:
        UnreadableError: damaged, without any text, or `read.ocr` is `on` and recognition cannot run.
        TooLargeError: more than `read.max_pages` frames, or more dots than fit into memory.
    """
    count, page_of = open_pages(file.data, file.name)
    if count > file.settings.max_pages:
        raise TooLargeError(
            f"{file.name}: {count} pages are over the limit of {file.settings.max_pages}. "
            "Raise read.max_pages or split the file."
        )
    recognizes = recognizer(file.settings, file.name)
    sheets = range(1, count + 1)
    if recognizes.obstacle:
        page_of(0)  # a damaged picture is told as such
        return _unread(file, sheets, recognizes.obstacle)
    pages = recognize_pages(
        sheets,
        lambda sheet: page_of(sheet - 1),
        recognizes,
        lambda sheet: _tell(file, sheet, count),
    )
    if all(page.state == "blank" for page in pages.values()):
        raise UnreadableError(f"{file.name}: no readable text in this picture.")
    builder = TextBuilder()
    for sheet in sheets:
        start = None
        for paragraph in _paragraphs(pages[sheet]):
            at = builder.block(paragraph)
            start = at if start is None else start
        builder.page(sheet, str(sheet), builder.length if start is None else start)
    loaded = builder.loaded(
        title=file.title,
        media_type=Kind.IMAGE.value,
        warnings=tuple(page_warnings(pages, recognizes)),
    )
    return replace(
        loaded,
        boxes=tuple(_boxes(loaded, pages)),
        unread_sheets=tuple(sheet for sheet in sheets if not pages[sheet].is_wholly_read),
    )


def _tell(file: SourceFile, sheet: int, count: int) -> None:
    file.on_page(sheet, count)
    file.on_recognizing()


def _unread(file: SourceFile, sheets: Sequence[int], obstacle: str) -> SourceText:
    builder = TextBuilder()
    for sheet in sheets:
        builder.page(sheet, str(sheet), 0)
    loaded = builder.loaded(title=file.title, media_type=Kind.IMAGE.value, warnings=(obstacle,))
    return replace(loaded, unread_sheets=tuple(sheets))


def _paragraphs(page: RecognizedPage) -> Iterator[str]:
    for lines in paragraphs_of(page):
        yield reduce(lambda before, after: join_lines(before, after, {}), line_texts(lines))


def _boxes(loaded: SourceText, pages: dict[int, RecognizedPage]) -> Iterator[Box]:
    for span in loaded.pages:
        page = pages[span.sheet]
        words = [PlacedWord(word.text, page.place(word)) for word in page.words]
        yield from boxes_of(loaded.text, span.start, span.end, words)
