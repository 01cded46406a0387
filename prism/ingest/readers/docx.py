"""DOCX: paragraphs and tables in document order, straight from the document's XML.

Both dialects (transitional and strict) are read, because tags are matched by their local name. Headings
come from the styles (and from outline levels); text in shapes stands where the shape is anchored; deleted
revisions are left out, inserted ones kept. Footnotes and endnotes stand at the end of the section that refers
to them, comments and the pages' headers and footers (each once) at the end of the document. It is one page:
Word lays pages out when it prints, and the breaks it notes from the last time are not those of the next.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.etree.ElementTree import Element

from prism.errors import UnreadableError
from prism.ingest.kinds import Kind
from prism.ingest.readers.container import opened
from prism.ingest.readers.numbering import read_numbering
from prism.ingest.readers.office_properties import document_title
from prism.ingest.readers.parts import Parts
from prism.ingest.readers.protocol import SourceFile
from prism.ingest.readers.word_body import WordBody
from prism.ingest.readers.word_notes import comments_of, notes_of, one_line, page_edges
from prism.ingest.readers.wordxml import attribute, child, local, value, whole
from prism.types import SourceText

_MAIN = "word/document.xml"
_HEADING_NAME = re.compile(r"heading ([1-9])", re.I)


def read(file: SourceFile) -> SourceText:
    """Read a DOCX file.

    Raises:
        UnreadableError: damaged, no document in it, or only pictures.
        TooLargeError: it unpacks to more than `read.max_unpacked_mb`.
    """
    with opened(file) as container:
        parts = Parts(container)
        main = parts.main(_MAIN)
        body = parts.xml(main)
        if body is None:
            raise UnreadableError(f"{file.name}: damaged (it holds no document). Save it again.")
        styles = parts.first(main, "styles")
        document = WordBody(
            _heading_levels(styles),
            read_numbering(parts.first(main, "numbering"), styles),
            {kind: notes_of(parts.first(main, kind + "s"), kind) for kind in ("footnote", "endnote")},
            parts,
            main,
        )
        document.walk(body)
        document.end()
        _end_matter(document, parts, main, body)
        title = document_title(parts)
    if not document.builder.length and document.text.has_picture:
        raise UnreadableError(
            f"{file.name}: no readable text (only pictures). "
            "Save it as PDF and run text recognition (OCR) on it."
        )
    return document.builder.loaded(
        title=title or document.title or document.builder.first_heading or file.title,
        media_type=Kind.DOCX.value,
        warnings=(*document.warnings(), *container.warnings()),
    )


def _end_matter(document: WordBody, parts: Parts, main: str, body: Element) -> None:
    """Comments, headers and footers, under no heading."""
    builder, text = document.builder, document.text
    builder.leave_sections()
    for identifier, author, comment in comments_of(parts.first(main, "comments")):
        if said := one_line(comment, text):
            quoted = text.commented.get(identifier, "")
            about = f" on “{quoted}”" if quoted else ""
            builder.block(f"Comment{f' by {author}' if author else ''}{about}: {said}")
    for kind, line in page_edges(parts, main, body, text):
        builder.block(f"{kind}: {line}")


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
        if name.lower() == "title" or (name == "Heading" and depth == 0):
            # LibreOffice names the titles of old Word files so.
            return 0
        if found := _HEADING_NAME.fullmatch(name):
            return int(found[1])
        outline = value(child(style, "pPr", "outlineLvl"))
        if outline:
            return whole(outline) + 1 if whole(outline, 9) < 9 else None
        return level(value(child(style, "basedOn")), depth + 1)

    return {style_id: found for style_id in by_id if (found := level(style_id)) is not None}
