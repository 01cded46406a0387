"""JATS, the XML of scientific articles (also NLM's and PubMed Central's): title, people, abstract, sections,
figures' captions, tables, references. What only machines use of an article's metadata is left out."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from prism.ingest.readers.builder import TextBuilder
from prism.ingest.readers.xml_line import line_of
from prism.ingest.readers.xml_prose import ProseWriter
from prism.ingest.readers.xml_shape import own_text
from prism.ingest.readers.xml_tree import attribute, child, local_name

_UNSEEN = ("graphic", "media", "object-id", "alt-text", "alternatives")
_PARTS = ("front", "front-stub", "body", "back")


def is_article(element: Element) -> bool:
    """Whether an element is an article of this vocabulary."""
    return local_name(element) == "article" and any(local_name(inner) in _PARTS for inner in element)


def write_articles(builder: TextBuilder, root: Element) -> str:
    """Append the articles of a file, and what stands around them; returns the title of the only one."""
    titles: list[str] = []

    def article(element: Element) -> None:
        if is_article(element):
            titles.append(_write_article(builder, element))
        else:
            ProseWriter(builder).write(element)

    ProseWriter(builder, {"article": article}).write(root)
    return titles[0] if len(titles) == 1 else ""


def _write_article(builder: TextBuilder, article: Element, level: int = 1) -> str:
    writer = ProseWriter(builder)
    writer = ProseWriter(
        builder,
        {
            "fig": lambda element: _figure(writer, element),
            "table-wrap": lambda element: _table(writer, element),
            "ref": lambda element: _reference(writer, element),
        },
    )
    front = next((inner for inner in article if local_name(inner) in ("front", "front-stub")), None)
    title = _front(writer, front, level) if front is not None else ""
    writer.block(own_text(article))
    for part in article:
        if local_name(part) in ("sub-article", "response"):
            _write_article(builder, part, level + 1)
        elif part is not front and local_name(part) != "processing-meta":
            writer.write(part, level + 1)
    return title


def _front(writer: ProseWriter, front: Element, level: int) -> str:
    meta = child(front, "article-meta")
    meta = meta if meta is not None else front
    group = child(meta, "title-group")
    titles = [line_of(inner) for inner in group if local_name(inner) in ("article-title", "subtitle")] if (
        group is not None
    ) else []  # fmt: skip
    title = ": ".join(filter(None, titles))
    writer.heading(level, title)
    people = [_person(inner) for inner in meta.iter() if local_name(inner) == "contrib"]
    writer.block(", ".join(filter(None, people)))
    affiliations = [line_of(inner) for inner in meta.iter() if local_name(inner) == "aff"]
    writer.block("\n".join(dict.fromkeys(filter(None, affiliations))))
    writer.block(_published(front, meta))
    for inner in meta:
        if local_name(inner) in ("abstract", "trans-abstract"):
            if child(inner, "title") is None:
                writer.heading(level + 1, "Abstract")
            writer.write(inner, level + 1)
        elif local_name(inner) == "kwd-group":
            words = [line_of(word) for word in inner.iter() if local_name(word) == "kwd"]
            writer.block("Keywords: " + ", ".join(words) if words else "")
    return title


def _person(contributor: Element) -> str:
    for inner in contributor.iter():
        if local_name(inner) in ("collab", "string-name"):
            return line_of(inner)
        if local_name(inner) == "name":
            parts = (child(inner, part) for part in ("prefix", "given-names", "surname", "suffix"))
            return " ".join(line_of(part) for part in parts if part is not None)
    return ""


def _published(front: Element, meta: Element) -> str:
    """Where and when: `Journal 12(3), 2024. doi:10.1/x`."""
    journal = next((line_of(inner) for inner in front.iter() if local_name(inner) == "journal-title"), "")
    volume, issue = child(meta, "volume"), child(meta, "issue")
    year = next((line_of(inner) for inner in meta.iter() if local_name(inner) == "year"), "")
    doi = next(
        (
            line_of(inner)
            for inner in meta
            if local_name(inner) == "article-id" and attribute(inner, "pub-id-type") == "doi"
        ),
        "",
    )
    number = (line_of(volume) if volume is not None else "") + (
        f"({line_of(issue)})" if issue is not None else ""
    )
    place = ", ".join(filter(None, (" ".join(filter(None, (journal, number))), year)))
    return ". ".join(filter(None, (place, f"doi:{doi}" if doi else "")))


def _figure(writer: ProseWriter, figure: Element) -> None:
    said = [line_of(inner) for inner in figure if local_name(inner) not in _UNSEEN]
    writer.block(" ".join(filter(None, (*said, own_text(figure)))))


def _table(writer: ProseWriter, wrap: Element) -> None:
    named = [line_of(inner) for inner in wrap if local_name(inner) in ("label", "caption")]
    writer.block(" ".join(filter(None, named)))
    for inner in wrap:
        if local_name(inner) not in ("label", "caption", *_UNSEEN):
            writer.write(inner)


def _reference(writer: ProseWriter, reference: Element) -> None:
    label = child(reference, "label")
    rest = " ".join(line_of(inner) for inner in reference if inner is not label)
    text = " ".join(filter(None, (line_of(label) if label is not None else "", rest)))
    writer.block(text)
