"""What stands outside Word's running text: footnotes, endnotes, comments, page headers and footers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from prism.ingest.readers.parts import Parts, relation_id
from prism.ingest.readers.word_text import WordText
from prism.ingest.readers.wordxml import attribute, local

_PAGE_FIELD = re.compile(r"\s*(?:PAGE|NUMPAGES|SECTIONPAGES|DATE|TIME|FILENAME|SAVEDATE|PRINTDATE)\b", re.I)
ONLY_PAGE = re.compile(
    r"[\W\d_]*(?:page|seite|página|pagina|strana|strona|side|sida|стр(?:аница)?|पृष्ठ|第|页|頁|ページ|쪽)?[\W\d_]*"
    r"(?:of|von|de|di|sur|van|z|из|av|af|/|का|共)?[\W\d_]*(?:页|頁|ページ|쪽)?[\W\d_]*",
    re.I,
)
"""A line of a header or footer that says no more than on which page it is."""


def notes_of(part: Element | None, kind: str) -> dict[str, Element]:
    """The notes of a part by id, without the lines that separate them from the text."""
    return {
        attribute(note, "id"): note
        for note in (part if part is not None else ())
        if local(note) == kind and attribute(note, "type") in ("", "normal")
    }


def comments_of(part: Element | None) -> Iterator[tuple[str, str, Element]]:
    """Id, author and content of each comment."""
    for comment in part if part is not None else ():
        if local(comment) == "comment":
            yield attribute(comment, "id"), " ".join(attribute(comment, "author").split()), comment


def one_line(element: Element, text: WordText) -> str:
    """All paragraphs below an element on one line."""
    return " ".join(" ".join(text.of(part).split()) for part in element.iter() if local(part) == "p").strip()


def page_edges(parts: Parts, main: str, body: Element, text: WordText) -> Iterator[tuple[str, str]]:
    """(`Header` or `Footer`, text) of each one the sections use, every text once, page numbers left out."""
    related = parts.related(main)
    seen: set[tuple[str, str]] = set()
    for reference in body.iter():
        kind = local(reference).removesuffix("Reference")
        if kind not in ("header", "footer"):
            continue
        found = related.get(relation_id(reference))
        root = parts.xml_or_none(found.target) if found is not None else None
        lines = (
            _edge_line(part, text) for part in (root.iter() if root is not None else ()) if local(part) == "p"
        )
        told = (kind.capitalize(), "\n".join(line for line in lines if line))
        if told[1] and told not in seen:
            seen.add(told)
            yield told


def _edge_line(paragraph: Element, text: WordText) -> str:
    """A line of a header without fields that differ from page to page."""
    changing = list(_changing(paragraph))
    for part in changing:
        part.text = ""
    line = " ".join(text.of(paragraph).split()).strip(" |-–—·•")
    return "" if changing and ONLY_PAGE.fullmatch(line) else line


def _changing(paragraph: Element) -> Iterator[Element]:
    """The text elements of page numbers, dates and the like, in either form of a field."""
    for field in paragraph.iter():
        if local(field) == "fldSimple" and _PAGE_FIELD.match(attribute(field, "instr")):
            yield from (part for part in field.iter() if local(part) == "t")
    instruction, is_result, depth = "", False, 0
    for part in paragraph.iter():
        kind = local(part)
        if kind == "fldChar":
            state = attribute(part, "fldCharType")
            depth += (state == "begin") - (state == "end")
            if state == "begin" and depth == 1:
                instruction, is_result = "", False
            is_result = state == "separate" or (is_result and depth > 0)
        elif kind == "instrText" and not is_result:
            instruction += part.text or ""
        elif kind == "t" and is_result and _PAGE_FIELD.match(instruction):
            yield part
