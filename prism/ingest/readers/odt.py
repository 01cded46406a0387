"""ODT: OpenDocument text. Deleted text of tracked changes is kept apart in the file, and left out.

Notes stand at the end of the section that refers to them, comments and the pages' headers and footers (each
once) at the end of the document. It is one page: the file does not say where pages end.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from prism.errors import UnreadableError
from prism.ingest.kinds import Kind
from prism.ingest.readers.odf_body import OdfBody
from prism.ingest.readers.odf_package import package
from prism.ingest.readers.odf_text import OdfText
from prism.ingest.readers.protocol import SourceFile
from prism.ingest.readers.word_notes import ONLY_PAGE
from prism.ingest.readers.wordxml import child, local
from prism.types import SourceText


def read(file: SourceFile) -> SourceText:
    """Read an ODT file.

    Raises:
        UnreadableError: damaged, password protected, no text document in it, or only pictures.
        TooLargeError: it unpacks to more than `read.max_unpacked_mb`.
    """
    with package(file) as odf:
        text = odf.body("text")
        if text is None:
            raise UnreadableError(f"{file.name}: damaged (it holds no text document). Save it again.")
        body = OdfBody(odf)
        body.walk(text)
        body.end()
        body.builder.leave_sections()
        for line in (*body.text.comments, *_page_edges(odf.styles, body.text)):
            body.builder.block(line)
        title = odf.title()
    if not body.builder.length and body.has_picture:
        raise UnreadableError(
            f"{file.name}: no readable text (only pictures). "
            "Save it as PDF and run text recognition (OCR) on it."
        )
    return body.builder.loaded(
        title=title or body.title or body.builder.first_heading or file.title,
        media_type=Kind.ODT.value,
        warnings=(*body.warnings(), *odf.warnings()),
    )


def _page_edges(styles: Element | None, text: OdfText) -> Iterator[str]:
    """Headers and footers of the page styles, every text once, page numbers left out."""
    seen: set[str] = set()
    masters = child(styles, "master-styles")
    for edge in (part for page in (masters if masters is not None else ()) for part in page):
        kind = local(edge).split("-")[0].capitalize()
        if kind not in ("Header", "Footer"):
            continue
        lines = [
            " ".join(text.of(part, skips_fields=True).split()).strip(" |-–—")
            for part in edge.iter()
            if local(part) in ("p", "h")
        ]
        told = f"{kind}: " + "\n".join(line for line in lines if line and not ONLY_PAGE.fullmatch(line))
        if told not in seen and not told.endswith(": "):
            seen.add(told)
            yield told
