"""One slide's shapes as text: title, then everything else in reading order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element

from prism.ingest.readers.builder import TextBuilder
from prism.ingest.readers.drawing import (
    body_text,
    content,
    level_of,
    paragraph_text,
    write_chart,
    write_diagram,
)
from prism.ingest.readers.merged import Cell, plain_rows
from prism.ingest.readers.parts import Parts, relation_id
from prism.ingest.readers.placeholders import (
    FURNITURE,
    TITLES,
    BulletCounter,
    Inheritance,
    placeholder_type,
)
from prism.ingest.readers.slide_order import reading_order
from prism.ingest.readers.wordxml import attribute, child, local, whole

_SHAPES = frozenset(("sp", "grpSp", "graphicFrame", "pic", "cxnSp"))
_MAX_TITLE_CHARS = 300


class SlideWriter:
    """Writes a slide into the builder; `unread` names what it holds and cannot be read."""

    def __init__(self, builder: TextBuilder, parts: Parts, part: str) -> None:
        self.unread: list[str] = []
        self.has_picture = False
        self._builder = builder
        self._parts = parts
        self._part = part
        self._inherited = Inheritance(parts, part)

    @staticmethod
    def is_notes_body(shape: Element) -> bool:
        """Whether a shape of a notes page holds notes, not the slide's picture, a number or a date."""
        return placeholder_type(shape) not in FURNITURE

    def write(self, slide: Element) -> None:
        """Append the title as a heading and the rest below it; a slide without title is under no heading."""
        tree = child(slide, "cSld", "spTree")
        shapes = [shape for shape in _shapes(tree) if placeholder_type(shape) not in FURNITURE]
        titles = [
            shape
            for shape in shapes
            if placeholder_type(shape) in TITLES
            and 0 < len(body_text(child(shape, "txBody"))) < _MAX_TITLE_CHARS
        ]
        if titles:
            self._builder.heading(1, body_text(child(titles[0], "txBody")))
        else:
            self._builder.leave_sections()
        self._write_all([shape for shape in shapes if shape not in titles[:1]])

    def _write_all(self, shapes: Sequence[Element]) -> None:
        self.has_picture |= any(local(shape) == "pic" for shape in shapes)
        saying = [shape for shape in shapes if _says(shape)]
        for place in reading_order([self._inherited.frame(shape) for shape in saying]):
            self._write_one(saying[place])

    def _write_one(self, shape: Element) -> None:
        kind = local(shape)
        if kind == "grpSp":
            self._write_all(_shapes(shape))
        elif kind == "graphicFrame":
            self._frame(shape)
        self._text(shape)

    def _text(self, shape: Element) -> None:
        body = child(shape, "txBody")
        if body is None:
            return
        counter = BulletCounter()
        was_item = False
        for paragraph in content(body):
            text = paragraph_text(paragraph) if local(paragraph) == "p" else ""
            if not text:
                continue
            mark = counter.mark(self._inherited.bullet(shape, paragraph), level_of(child(paragraph, "pPr")))
            gap = "\n" if mark and was_item else "\n\n"
            self._builder.block(mark + text, gap=gap, kind="list" if mark else None)
            was_item = bool(mark)

    def _frame(self, frame: Element) -> None:
        for part in list(_deep(frame)):
            kind = local(part)
            if kind == "tbl":
                self._table(part)
            elif kind == "chart" and relation_id(part):
                self._related(relation_id(part), "chart")
            elif kind == "relIds":
                self._related(relation_id(part, "dm"), "diagram")
            elif kind == "oleObj":
                self.unread.append(
                    f"an embedded object was not read ({attribute(part, 'progId') or 'unknown'})"
                )

    def _related(self, identifier: str, what: str) -> None:
        found = self._parts.related(self._part).get(identifier)
        root = self._parts.xml_or_none(found.target) if found is not None and not found.is_outside else None
        if root is None:
            self.unread.append(f"a {what} is missing or damaged")
        elif what == "chart":
            write_chart(self._builder, root)
        else:
            write_diagram(self._builder, root)

    def _table(self, table: Element) -> None:
        rows = [
            [_cell(cell) for cell in row if local(cell) == "tc" and not _is_covered(cell)]
            for row in table
            if local(row) == "tr"
        ]
        is_marked = attribute(child(table, "tblPr"), "firstRow") in ("1", "true")
        plain, names = plain_rows(rows, 1 if is_marked else None)
        self._builder.table(plain, header=names)


def _shapes(tree: Element | None) -> list[Element]:
    return [part for part in content(tree) if local(part) in _SHAPES] if tree is not None else []


def _says(shape: Element) -> bool:
    """Whether a shape holds anything to read; one drawn behind the others does not part them."""
    return any(
        local(part) == "graphicFrame" or (local(part) == "txBody" and body_text(part))
        for part in shape.iter()
    )


def _deep(element: Element) -> Iterator[Element]:
    """Everything below, but not inside tables; alternatives once."""
    for part in content(element):
        yield part
        if local(part) != "tbl":
            yield from _deep(part)


def _cell(cell: Element) -> Cell:
    return Cell(body_text(child(cell, "txBody")), _span(cell, "gridSpan"), _span(cell, "rowSpan"))


def _span(cell: Element, name: str) -> int:
    return whole(attribute(cell, name), 1)


def _is_covered(cell: Element) -> bool:
    return any(attribute(cell, name) in ("1", "true") for name in ("hMerge", "vMerge"))
