"""The text of OpenDocument's paragraphs as a reader sees it, and the notes, comments and boxes in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from prism.ingest.readers.odf_styles import Styles
from prism.ingest.readers.word_symbols import raised
from prism.ingest.readers.wordxml import attribute, child, local, whole

_SPACE = re.compile(r"[ \t\r\n]+")
_LEFT_OUT = frozenset(
    (
        "ruby-text", "note", "annotation", "annotation-end", "tracked-changes", "script", "hidden-text",
        "title", "desc", "event-listeners", "forms", "placeholder", "glue-point",
    )
)  # fmt: skip

VARYING = frozenset(
    (
        "page-number", "page-count", "date", "time", "file-name", "print-date", "print-time",
        "modification-date",
    )
)  # fmt: skip
"""Fields that differ from page to page or day to day."""

SHAPES = frozenset(
    (
        "frame", "custom-shape", "g", "rect", "ellipse", "circle", "polygon", "polyline", "path", "line",
        "connector", "caption", "regular-polygon", "measure",
    )
)  # fmt: skip
"""Drawn things, which may hold text."""

MAX_SPACES = 100


class OdfText:
    """Reads paragraphs. `notes` and `shapes` are those met since they were last taken; `comments` all."""

    def __init__(self, styles: Styles) -> None:
        self.styles = styles
        self.notes: list[tuple[str, Element]] = []
        self.shapes: list[Element] = []
        self.comments: list[str] = []
        self.hidden = False
        self._counts = {"note": 0, "endnote": 0}

    def of(self, paragraph: Element, *, skips_fields: bool = False) -> str:
        """A paragraph's text: white space as OpenDocument counts it."""
        text = "".join(self._pieces(paragraph, skips_fields))
        return re.sub(r" *\n *", "\n", text).strip(" ")

    def _pieces(self, element: Element, skips_fields: bool) -> Iterator[str]:
        style = attribute(element, "style-name") if local(element) in ("p", "h", "span") else ""
        if self.styles.is_hidden(style):
            self.hidden |= bool("".join(element.itertext()).strip())
            return
        is_raised = local(element) == "span" and self.styles.is_raised(style)
        yield _plain(element.text, is_raised)
        for part in element:
            yield from self._part(part, skips_fields)
            yield _plain(part.tail, is_raised)

    def _part(self, part: Element, skips_fields: bool) -> Iterator[str]:
        kind = local(part)
        if kind == "s":
            yield " " * min(whole(attribute(part, "c"), 1), MAX_SPACES)
        elif kind == "tab":
            yield "\t"
        elif kind == "line-break":
            yield "\n"
        elif kind == "note":
            yield self._note(part)
        elif kind == "annotation":
            self.comment(part)
        elif kind in SHAPES:
            self.shapes.append(part)
        elif kind not in _LEFT_OUT and not (skips_fields and kind in VARYING):
            yield from self._pieces(part, skips_fields)

    def _note(self, note: Element) -> str:
        kind = "endnote" if attribute(note, "note-class") == "endnote" else "note"
        self._counts[kind] += 1
        told = f"{kind} {self._counts[kind]}"
        body = child(note, "note-body")
        if body is not None:
            self.notes.append((told.capitalize(), body))
        return f" ({told})"

    def comment(self, annotation: Element) -> None:
        """Keep a comment with its author."""
        author = child(annotation, "creator")
        name = " ".join("".join(author.itertext()).split()) if author is not None else ""
        if said := self.line(annotation):
            self.comments.append(f"Comment{f' by {name}' if name else ''}: {said}")

    def line(self, element: Element) -> str:
        """All paragraphs below an element on one line."""
        texts = [self.of(part) for part in element.iter() if local(part) in ("p", "h")]
        return " ".join(" ".join(text.split()) for text in texts).strip()


def _plain(text: str | None, is_raised: bool) -> str:
    plain = _SPACE.sub(" ", text or "")
    return raised(plain) if is_raised else plain
