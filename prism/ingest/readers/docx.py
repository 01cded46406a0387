"""DOCX: paragraphs and tables in document order, straight from the document's XML.

Both dialects (transitional and strict) are read, because tags are matched by their local name. Headings
come from the styles (and from outline levels); headers and footers are left out; text in shapes is kept
where the shape is anchored; deleted revisions are left out, inserted ones kept; a merged cell is written
once, in its first row and column.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from xml.etree.ElementTree import Element

from prism.errors import UnreadableError
from prism.ingest.kinds import Kind
from prism.ingest.readers.builder import TextBuilder
from prism.ingest.readers.container import opened
from prism.ingest.readers.numbering import Numbering, read_numbering
from prism.ingest.readers.protocol import SourceFile
from prism.ingest.readers.wordxml import attribute, child, local, value
from prism.types import SourceText

_HEADING_NAME = re.compile(r"heading ([1-9])", re.I)
_SKIPPED = frozenset(("del", "moveFrom", "Fallback", "instrText", "delText"))


def read(file: SourceFile) -> SourceText:
    """Read a DOCX file.

    Raises:
        UnreadableError: damaged, or no document in it.
        TooLargeError: it unpacks to more than `read.max_unpacked_mb`.
    """
    with opened(file) as container:
        body = container.xml("word/document.xml")
        styles = container.xml("word/styles.xml")
        numbering = container.xml("word/numbering.xml")
        footnotes = container.xml("word/footnotes.xml")
        properties = container.xml("docProps/core.xml")
    if body is None:
        raise UnreadableError(f"{file.name}: damaged (it holds no document). Save it again.")
    document = _Document(_heading_levels(styles), read_numbering(numbering, styles))
    document.walk(body)
    for note in _notes(footnotes):
        document.builder.block(note)
    return document.builder.loaded(
        title=_named(properties) or document.title or document.builder.first_heading or file.title,
        media_type=Kind.DOCX.value,
    )


def _named(properties: Element | None) -> str:
    found = "" if properties is None else next((e.text or "" for e in properties if local(e) == "title"), "")
    return " ".join(found.split())


def _notes(footnotes: Element | None) -> Iterator[str]:
    for note in footnotes if footnotes is not None else ():
        if local(note) == "footnote" and not attribute(note, "type"):
            number, text = attribute(note, "id"), " ".join(_text(note).split())
            if text:
                yield f"Note {number}: {text}"


def _heading_levels(styles: Element | None) -> Mapping[str, int]:
    """Style id → heading level (1 outermost, 0 for the document's title), following `basedOn`."""
    by_id = (
        {attribute(style, "styleId"): style for style in styles if local(style) == "style"}
        if styles is not None
        else {}
    )

    def level(style_id: str, depth: int = 0) -> int | None:
        style = by_id.get(style_id)
        if style is None or depth > 10:
            return None
        name = value(child(style, "name"))
        if name.lower() == "title":
            return 0
        if found := _HEADING_NAME.fullmatch(name):
            return int(found[1])
        outline = value(child(style, "pPr", "outlineLvl"))
        if outline.isdigit() and int(outline) < 9:
            return int(outline) + 1
        return level(value(child(style, "basedOn")), depth + 1)

    return {style_id: found for style_id in by_id if (found := level(style_id)) is not None}


class _Document:
    """Walks the body, keeping the order of paragraphs, tables and shapes."""

    def __init__(self, heading_levels: Mapping[str, int], numbering: Numbering) -> None:
        self.builder = TextBuilder()
        self.title = ""
        self._heading_levels = heading_levels
        self._numbering = numbering
        self._last_was_item = False

    def walk(self, container: Element) -> None:
        """Append every paragraph and table below `container`, looking through content controls."""
        for element in container:
            kind = local(element)
            if kind == "p":
                self._paragraph(element)
            elif kind == "tbl":
                self._table(element)
            elif kind not in _SKIPPED and kind not in ("sectPr", "pPr"):
                self.walk(element)

    def _paragraph(self, paragraph: Element) -> None:
        style = value(child(paragraph, "pPr", "pStyle"))
        number, is_item = self._numbering.mark(paragraph, style)
        text = _text(paragraph).strip()
        level = self._level(paragraph, style)
        if text and level is not None and "\n" not in text and len(text) < 300:
            self.title = self.title or (text if level == 0 else "")
            self.builder.heading(max(level, 0), number + text)
            self._last_was_item = False
        elif text:
            gap = "\n" if is_item and self._last_was_item else "\n\n"
            self.builder.block(number + text, gap=gap)
            self._last_was_item = is_item
        for box in _text_boxes(paragraph):
            self.walk(box)

    def _level(self, paragraph: Element, style: str) -> int | None:
        outline = value(child(paragraph, "pPr", "outlineLvl"))
        if outline.isdigit() and int(outline) < 9:
            return int(outline) + 1
        return self._heading_levels.get(style)

    def _table(self, table: Element) -> None:
        rows = list(_rows(table))
        cells = [[_cell_text(cell) for cell in _cells(row)] for row in rows]
        if len(rows) == 1 and len(cells[0]) == 1:
            # A one-cell table is a box around text.
            self.walk(_cells(rows[0])[0])
            return
        is_header = bool(rows) and child(rows[0], "trPr", "tblHeader") is not None
        self.builder.table(cells, header=cells[0] if is_header else None)
        self._last_was_item = False


def _rows(table: Element) -> Iterator[Element]:
    for element in table:
        if local(element) == "tr":
            yield element
        elif local(element) not in _SKIPPED and local(element) not in ("tblPr", "tblGrid", "tc"):
            yield from _rows(element)


def _cells(row: Element) -> list[Element]:
    found: list[Element] = []
    for element in row:
        if local(element) == "tc":
            found.append(element)
        elif local(element) not in _SKIPPED and local(element) != "trPr":
            found.extend(_cells(element))
    return found


def _cell_text(cell: Element) -> str:
    """All text of a cell on one line; nothing for the continuation of a cell merged downwards."""
    merge = child(cell, "tcPr", "vMerge")
    if merge is not None and value(merge) != "restart":
        return ""
    paragraphs = [part for part in cell.iter() if local(part) == "p"]
    return " ".join(" ".join(_text(paragraph).split()) for paragraph in paragraphs).strip()


def _text(element: Element) -> str:
    return "".join(_pieces(element))


def _pieces(element: Element) -> Iterator[str]:
    """The text of runs in order; shapes and deleted revisions are left to others."""
    for part in element:
        kind = local(part)
        if kind == "t":
            yield part.text or ""
        elif kind in ("tab", "ptab"):
            yield "\t"
        elif kind in ("br", "cr"):
            yield "\n"
        elif kind == "noBreakHyphen":
            yield "-"
        elif kind == "sym":
            yield _symbol(part)
        elif kind == "footnoteReference":
            yield f" (note {attribute(part, 'id')})"
        elif kind not in _SKIPPED and kind not in ("pPr", "rPr", "txbxContent"):
            yield from _pieces(part)


def _symbol(part: Element) -> str:
    """A symbol font's character; private-use codes have no meaning outside the font."""
    code = int(attribute(part, "char") or "0", 16)
    return "" if code == 0 or 0xE000 <= code <= 0xF8FF else chr(code)


def _text_boxes(element: Element) -> Iterator[Element]:
    for part in element:
        if local(part) == "txbxContent":
            yield part
        elif local(part) not in _SKIPPED:
            yield from _text_boxes(part)
