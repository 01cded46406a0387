"""ODP: OpenDocument presentations, one page per slide: title, shapes in the order they are read, notes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from xml.etree.ElementTree import Element

from prism.errors import TooLargeError, UnreadableError
from prism.ingest.kinds import Kind
from prism.ingest.readers.odf_body import OdfBody
from prism.ingest.readers.odf_package import package
from prism.ingest.readers.odf_text import SHAPES
from prism.ingest.readers.protocol import SourceFile
from prism.ingest.readers.slide_order import Frame, reading_order
from prism.ingest.readers.wordxml import attribute, child, local
from prism.types import SourceText

_FURNITURE = frozenset(("page-number", "date-time", "footer", "header", "page"))
_MAX_TITLE_CHARS = 300
_LENGTH = re.compile(r"(-?[\d.]+)(cm|mm|in|pt|px|pc)?")
_MM = {"cm": 10.0, "mm": 1.0, "in": 25.4, "pt": 25.4 / 72, "px": 25.4 / 96, "pc": 25.4 / 6}


def read(file: SourceFile) -> SourceText:
    """Read an ODP file.

    Raises:
        UnreadableError: damaged, password protected, or no slides in it.
        TooLargeError: more slides than `read.max_pages`, or it unpacks to more than `read.max_unpacked_mb`.
    """
    with package(file) as odf:
        presentation = odf.body("presentation")
        slides = [part for part in presentation if local(part) == "page"] if presentation is not None else []
        if not slides:
            raise UnreadableError(f"{file.name}: damaged (no slide in it can be read). Save it again.")
        if len(slides) > file.settings.max_pages:
            raise TooLargeError(
                f"{file.name}: {len(slides)} slides are over the limit of {file.settings.max_pages}. "
                "Raise read.max_pages or split the file."
            )
        body = OdfBody(odf)
        hidden, pictures = [], []
        for sheet, slide in enumerate(slides, 1):
            file.on_page(sheet, len(slides))
            start, body.has_picture = body.builder.length, False
            _write(body, slide)
            if body.has_picture and body.builder.length == start:
                pictures.append(sheet)
            if body.styles.is_hidden_page(attribute(slide, "style-name")):
                hidden.append(sheet)
            body.builder.page(sheet, str(sheet), start)
        title = odf.title()
    told = ((hidden, "hidden in the show, but read"), (pictures, "a picture without text, not read"))
    warnings = [
        f"slide{'s' if len(sheets) > 1 else ''} {', '.join(map(str, sheets))}: {what}"
        for sheets, what in told
        if sheets
    ]
    loaded = body.builder.loaded(
        title=title or body.builder.first_heading or file.title,
        media_type=Kind.ODP.value,
        warnings=[*warnings, *body.warnings(), *odf.warnings()],
    )
    return replace(loaded, unread_sheets=tuple(pictures))


def _write(body: OdfBody, slide: Element) -> None:
    shapes = [
        shape for shape in slide if local(shape) in SHAPES and attribute(shape, "class") not in _FURNITURE
    ]
    titles = [
        shape
        for shape in shapes
        if attribute(shape, "class") == "title" and 0 < len(body.text.line(shape)) < _MAX_TITLE_CHARS
    ]
    body.start_anew()
    if titles:
        body.builder.heading(1, body.text.line(titles[0]))
    else:
        body.builder.leave_sections()
    _write_shapes(body, [shape for shape in shapes if shape not in titles[:1]])
    body.end()
    notes = child(slide, "notes")
    lines = [
        body.text.of(part).strip()
        for shape in (notes if notes is not None else ())
        if attribute(shape, "class") not in _FURNITURE
        for part in shape.iter()
        if local(part) in ("p", "h")
    ]
    if any(lines):
        body.builder.block("Notes: " + "\n".join(filter(None, lines)))
    for annotation in (part for part in slide if local(part) == "annotation"):
        body.text.comment(annotation)
    for comment in body.text.comments:
        body.builder.block(comment)
    body.text.comments.clear()


def _write_shapes(body: OdfBody, shapes: Sequence[Element]) -> None:
    for shape in shapes:
        body.has_picture |= child(shape, "image") is not None
    saying = [
        shape
        for shape in shapes
        if any(local(part) in ("p", "h", "object", "table") for part in shape.iter())
    ]
    for place in reading_order([_frame(shape) for shape in saying]):
        body.start_anew()
        if local(saying[place]) == "g":
            _write_shapes(body, [part for part in saying[place] if local(part) in SHAPES])
        else:
            body.walk([saying[place]])


def _frame(shape: Element) -> Frame | None:
    """Where a shape stands; a group stands where its shapes do."""
    if local(shape) == "g":
        frames = [found for part in shape if local(part) in SHAPES and (found := _frame(part)) is not None]
        return (
            Frame(
                min(one.left for one in frames),
                min(one.top for one in frames),
                max(one.right for one in frames),
                max(one.bottom for one in frames),
            )
            if frames
            else None
        )
    sides = [_mm(attribute(shape, name)) for name in ("x", "y", "width", "height")]
    known = [side for side in sides if side is not None]
    if len(known) < len(sides):
        return None
    left, top, width, height = known
    return Frame(left, top, left + width, top + height)


def _mm(length: str) -> float | None:
    found = _LENGTH.fullmatch(length.strip())
    try:
        return float(found[1]) * _MM.get(found[2] or "cm", 1.0) if found else None
    except ValueError:
        return None
