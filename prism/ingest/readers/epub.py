"""EPUB books: the documents of the spine in reading order, each a page, each through the HTML reader.

Headings are those of the documents; a document without any gets the name the table of contents has for it.
The table of contents itself is left out: it repeats the headings. Pages are labelled as in the printed book
where the EPUB lists them, else by their place in the spine (`ch. 3`).
"""

from __future__ import annotations

from collections.abc import Mapping

from bs4.element import Tag

from prism.errors import UnreadableError
from prism.ingest.kinds import Kind
from prism.ingest.readers.builder import TextBuilder
from prism.ingest.readers.container import Container, opened
from prism.ingest.readers.encoding import decode
from prism.ingest.readers.epub_package import Item, Package, read_contents, read_package
from prism.ingest.readers.html import declared_charset, parsed
from prism.ingest.readers.html_page import PageWriter
from prism.ingest.readers.html_unseen import drop_unseen
from prism.ingest.readers.protocol import SourceFile
from prism.types import SourceText

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_MIN_CONTENTS_LINKS = 3
_CONTENTS_SHARE = 0.8


def read(file: SourceFile) -> SourceText:
    """Read an EPUB.

    Raises:
        UnreadableError: damaged, or copy protected.
        TooLargeError: it unpacks to more than the limits allow.
    """
    builder = TextBuilder()
    with opened(file) as container:
        package = read_package(container, file.name)
        warnings = [f"{path} is missing from the book" for path in package.missing]
        _write(builder, container, package, file, warnings)
    if not builder.length and package.spine:
        warnings.append("the book holds no text (pictures of pages?)")
    return builder.loaded(
        title=package.title or builder.first_heading or file.title,
        media_type=Kind.EPUB.value,
        warnings=tuple(dict.fromkeys(warnings)),
    )


def _write(
    builder: TextBuilder, container: Container, package: Package, file: SourceFile, warnings: list[str]
) -> None:
    names, labels = read_contents(container, package, file.name)
    printed = ""
    by = "\n".join(filter(None, (package.title, ", ".join(package.authors))))
    for place, item in enumerate(package.spine, 1):
        file.on_page(place, len(package.spine))
        soup = _document(container, item, file.name, warnings)
        if soup is None:
            continue
        before = builder.length
        if not before:
            builder.block(by)
        if soup.find(_HEADINGS) is None and soup.get_text().strip() and names.get(item.path):
            builder.heading(1, names[item.path])
        writer = PageWriter(builder, sought=labels.get(item.path, {}))
        writer.walk(soup)
        if builder.length > before:
            start = before + 2 if before else 0
            marks = {at: labels[item.path][key] for key, at in writer.places.items()}
            printed = _note_pages(builder, place, start, printed, marks)


def _document(container: Container, item: Item, name: str, warnings: list[str]) -> Tag | None:
    """A document's tree, None where there is nothing to read in it."""
    if "nav" in item.properties.split():
        return None
    data = container.read(item.path)
    try:
        decoded = decode(data, f"{name}: {item.path}", declared=declared_charset(data))
    except UnreadableError:
        warnings.append(f"{item.path} is not text and was left out")
        return None
    warnings.extend(decoded.warnings)
    soup = parsed(decoded.text.replace("\x00", ""))
    is_contents = _is_contents(soup)
    drop_unseen(soup)
    return None if is_contents else soup


def _is_contents(soup: Tag) -> bool:
    """Whether a document is nothing but links into the book."""
    links = [link for link in soup.find_all("a", href=True) if "://" not in str(link["href"])]
    linked = sum(len("".join(link.get_text().split())) for link in links)
    body = soup.find("body") or soup
    named = sum(len("".join(head.get_text().split())) for head in soup.find_all(_HEADINGS) if not head.a)
    chars = len("".join(body.get_text().split())) - named
    return len(links) >= _MIN_CONTENTS_LINKS and linked >= _CONTENTS_SHARE * chars


def _note_pages(builder: TextBuilder, place: int, start: int, printed: str, marks: Mapping[int, str]) -> str:
    """One page for a document, or one for each printed page in it; returns the printed page it ends on."""
    for at in sorted(marks):
        if at > start:
            builder.page(place, printed or f"ch. {place}", start, at)
        start, printed = at, marks[at]
    builder.page(place, printed or f"ch. {place}", start)
    return printed
