"""PPTX: one page per slide, read from its XML: title, shapes in the order they are read, notes, comments.

python-pptx refuses the strict dialect, a missing layout and a broken relationship; people have such files.
What is the same on every slide (date, footer, number) is left out. A hidden slide is read and named in a
warning, for its author kept it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import replace
from xml.etree.ElementTree import Element

from prism.errors import TooLargeError, UnreadableError
from prism.ingest.kinds import Kind
from prism.ingest.readers.builder import TextBuilder
from prism.ingest.readers.container import opened
from prism.ingest.readers.drawing import paragraph_text
from prism.ingest.readers.office_properties import document_title
from prism.ingest.readers.parts import Parts, relation_id
from prism.ingest.readers.protocol import SourceFile
from prism.ingest.readers.slide import SlideWriter
from prism.ingest.readers.wordxml import attribute, child, local
from prism.types import SourceText

_MAIN = "ppt/presentation.xml"
_SLIDE_NAME = re.compile(r"ppt/slides/slide(\d+)\.xml", re.I)


def read(file: SourceFile) -> SourceText:
    """Read a PPTX file.

    Raises:
        UnreadableError: damaged, or no slides in it.
        TooLargeError: more slides than `read.max_pages`, or it unpacks to more than `read.max_unpacked_mb`.
    """
    with opened(file) as container:
        parts = Parts(container)
        slides, warnings = _slides(parts, container.members)
        if len(slides) > file.settings.max_pages:
            raise TooLargeError(
                f"{file.name}: {len(slides)} slides are over the limit of {file.settings.max_pages}. "
                "Raise read.max_pages or split the file."
            )
        presentation = _Presentation(parts)
        for sheet, part in enumerate(slides, 1):
            file.on_page(sheet, len(slides))
            presentation.write(sheet, part)
        title = document_title(parts)
    if not slides or len(presentation.damaged) == len(slides):
        raise UnreadableError(f"{file.name}: damaged (no slide in it can be read). Save it again.")
    loaded = presentation.builder.loaded(
        title=title or presentation.builder.first_heading or file.title,
        media_type=Kind.PPTX.value,
        warnings=[*warnings, *presentation.warnings(), *container.warnings()],
    )
    return replace(loaded, unread_sheets=tuple(presentation.pictures))


def _slides(parts: Parts, members: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """The slides in their order, and what is wrong with the list of them."""
    main = parts.main(_MAIN)
    root = parts.xml_or_none(main)
    listed = child(root, "sldIdLst")
    related = parts.related(main)
    ids = [relation_id(one) for one in listed] if listed is not None else []
    found = [related[one].target for one in ids if one in related and parts.member(related[one].target)]
    if found and len(found) == len(ids):
        return found, []
    lying = sorted(
        (int(match[1]), member) for member in members if (match := _SLIDE_NAME.fullmatch(member)) is not None
    )
    if found:
        return found, [f"slides missing from the file: {len(ids) - len(found)} of {len(ids)}"]
    order = ["the list of slides is damaged; they stand in the order of their numbers"] if lying else []
    return [member for _, member in lying], order


class _Presentation:
    """Writes slide after slide, keeping going where one is damaged."""

    def __init__(self, parts: Parts) -> None:
        self.builder = TextBuilder()
        self.damaged: list[int] = []
        self.pictures: list[int] = []
        self._hidden: list[int] = []
        self._unread: list[str] = []
        self._parts = parts
        self._authors = _authors(parts)

    def write(self, sheet: int, part: str) -> None:
        """Append one slide with its notes and comments as a page."""
        start = self.builder.length
        try:
            slide = self._parts.xml(part)
        except UnreadableError:
            slide = None
        if slide is None:
            self.damaged.append(sheet)
            self.builder.page(sheet, str(sheet), start)
            return
        writer = SlideWriter(self.builder, self._parts, part)
        writer.write(slide)
        self._unread.extend(f"slide {sheet}: {what}" for what in writer.unread)
        if writer.has_picture and self.builder.length == start:
            self.pictures.append(sheet)
        if attribute(slide, "show") in ("0", "false"):
            self._hidden.append(sheet)
        for notes in self._parts.of_kind(part, "notesSlide"):
            self._notes(notes)
        for comments in self._parts.of_kind(part, "comments"):
            self._comments(self._parts.xml_or_none(comments))
        self.builder.page(sheet, str(sheet), start)

    def warnings(self) -> Iterator[str]:
        """What was not read, or is not seen in the show."""
        for sheets, what in (
            (self.damaged, "damaged and not read"),
            (self._hidden, "hidden in the show, but read"),
            (self.pictures, "a picture without text, not read"),
        ):
            if sheets:
                yield f"slide{'s' if len(sheets) > 1 else ''} {', '.join(map(str, sheets))}: {what}"
        yield from self._unread

    def _notes(self, part: str) -> None:
        notes = self._parts.xml_or_none(part)
        lines = [
            paragraph_text(paragraph)
            for shape in (notes.iter() if notes is not None else ())
            if local(shape) == "sp" and SlideWriter.is_notes_body(shape)
            for paragraph in shape.iter()
            if local(paragraph) == "p"
        ]
        if any(lines):
            self.builder.block("Notes: " + "\n".join(filter(None, lines)))

    def _comments(self, comments: Element | None) -> None:
        for comment in comments.iter() if comments is not None else ():
            if local(comment) not in ("cm", "reply"):
                continue
            author = self._authors.get(attribute(comment, "authorId"), "")
            body = child(comment, "txBody")
            paragraphs = [part for part in body.iter() if local(part) == "p"] if body is not None else []
            text = " ".join(map(paragraph_text, paragraphs)).strip()
            plain = child(comment, "text")
            text = text or ((plain.text or "").strip() if plain is not None else "")
            if text:
                self.builder.block(f"Comment by {author}: {text}" if author else f"Comment: {text}")


def _authors(parts: Parts) -> dict[str, str]:
    """Names of those who comment, by id, in the older and the newer form."""
    main = parts.main(_MAIN)
    lists = [parts.first(main, "commentAuthors"), parts.first(main, "authors")]
    lists.append(parts.xml_or_none(posixpath.join(posixpath.dirname(main), "commentAuthors.xml")))
    return {
        attribute(one, "id"): attribute(one, "name") for part in lists if part is not None for one in part
    }
