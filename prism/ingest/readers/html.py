"""HTML: what a reader of the page sees, without scripts, styles, navigation and hidden parts.

Headings open sections, list items keep a bullet or number, table rows keep their cells, `<pre>` keeps its
lines. Text that lies outside any section or paragraph tag is kept. Tables that only lay out the page (they
hold another table, or block content in one column) are read as running text. `html_unseen.py` says what is
left out, `html_page.py` walks the rest, `html_table.py` lays out tables.
"""

from __future__ import annotations

import re

from bs4 import BeautifulSoup
from bs4.element import Tag

from prism.ingest.kinds import Kind
from prism.ingest.readers.builder import TextBuilder
from prism.ingest.readers.encoding import decode
from prism.ingest.readers.html_page import PageWriter, flat_text
from prism.ingest.readers.html_unseen import drop_menus, drop_unseen
from prism.ingest.readers.protocol import SourceFile
from prism.types import SourceText

_CHARSET = re.compile(rb"""<(?:meta|\?xml)[^>]*?(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]+)""", re.I)
_XML_PROLOG = re.compile(r"<\?xml(?:[^>]*>)?")


def read(file: SourceFile) -> SourceText:
    """Read an HTML page. Raises `UnreadableError` when the bytes are not text."""
    decoded = decode(file.data, file.name, declared=declared_charset(file.data))
    builder = TextBuilder()
    named, has_frames = write_page(builder, decoded.text)
    frames = ("the page shows other pages in frames; add those files themselves",) if has_frames else ()
    return builder.loaded(
        title=named or builder.first_heading or file.title,
        media_type=Kind.HTML.value,
        warnings=(*decoded.warnings, *frames),
    )


def declared_charset(data: bytes) -> str:
    """The encoding a page names for itself, or nothing."""
    declared = _CHARSET.search(data[:4096])
    return declared[1].decode("ascii", "ignore") if declared else ""


def write_page(builder: TextBuilder, markup: str) -> tuple[str, bool]:
    """Append what is seen of a page; returns its `<title>` and whether it is a set of frames.

    A page that shows nothing without its scripts is read as a browser without scripts shows it, menus too.
    """
    soup = parsed(markup.replace("\x00", ""))
    named = " ".join(soup.title.get_text(" ").split()) if soup.title else ""
    has_frames = soup.find("frame") is not None
    drop_unseen(soup)
    drop_menus(soup)
    before = builder.length
    PageWriter(builder).walk(soup)
    if builder.length == before:
        soup = parsed(markup.replace("\x00", ""))
        drop_unseen(soup, keeps_fallbacks=True)
        PageWriter(builder).walk(soup)
    return named, has_frames


def plain_text(markup: str) -> str:
    """The visible text of a piece of HTML, as it stands inside other formats."""
    soup = parsed(markup)
    drop_unseen(soup)
    return flat_text(soup)


def parsed(markup: str) -> Tag:
    """The tree of a page. Without any tag it is text; the parser would take that for a file name."""
    return BeautifulSoup(_XML_PROLOG.sub("", markup) if "<" in markup else f"<pre>{markup}", "lxml")
