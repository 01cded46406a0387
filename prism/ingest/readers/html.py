"""HTML: what a reader of the page sees, without scripts, styles, navigation and hidden parts.

Headings open sections, list items keep a bullet or number, table rows keep their cells, `<pre>` keeps its
lines. Text that lies outside any section or paragraph tag is kept. Tables that only lay out the page (they
hold another table, or block content in one column) are read as running text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from bs4 import BeautifulSoup
from bs4.element import NavigableString, PageElement, PreformattedString, Tag

from prism.ingest.kinds import Kind
from prism.ingest.readers.builder import TextBuilder
from prism.ingest.readers.encoding import decode
from prism.ingest.readers.protocol import SourceFile
from prism.types import SourceText

_DROPPED = ("script", "style", "nav", "template", "noscript", "iframe", "object", "svg", "canvas", "head",
            "select", "button", "dialog", "audio", "video", "map")  # fmt: skip
_BLOCKS = frozenset(
    ("address", "article", "aside", "blockquote", "body", "center", "dd", "details", "div", "dl", "dt",
     "fieldset", "figcaption", "figure", "footer", "form", "header", "hr", "html", "legend", "li", "main",
     "ol", "p", "pre", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
     "caption", "h1", "h2", "h3", "h4", "h5", "h6", "title")
)  # fmt: skip
_HEADING = re.compile(r"h([1-6])")
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
_CHARSET = re.compile(rb"""<(?:meta|\?xml)[^>]*?(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]+)""", re.I)
_XML_PROLOG = re.compile(r"<\?xml(?:[^>]*>)?")
_SPACES = re.compile(r"[ \t\r\n\f]+")


def read(file: SourceFile) -> SourceText:
    """Read an HTML page. Raises `UnreadableError` when the bytes are not text."""
    declared = _CHARSET.search(file.data[:4096])
    decoded = decode(file.data, file.name, declared=declared[1].decode("ascii") if declared else "")
    soup = _parsed(decoded.text.replace("\x00", ""))
    named = soup.title.get_text(" ", strip=True) if soup.title else ""
    for unseen in soup.find_all(_is_unseen):
        unseen.extract()
    page = _Page()
    page.walk(soup)
    return page.builder.loaded(
        title=" ".join(named.split()) or page.builder.first_heading or file.title,
        media_type=Kind.HTML.value,
        warnings=decoded.warnings,
    )


def plain_text(markup: str) -> str:
    """The visible text of a piece of HTML, as it stands inside other formats."""
    soup = _parsed(markup)
    for unseen in soup.find_all(_is_unseen):
        unseen.extract()
    return _flat_text(soup)


def _parsed(markup: str) -> BeautifulSoup:
    """The tree of a page. Without any tag it is text; the parser would take that for a file name."""
    return BeautifulSoup(_XML_PROLOG.sub("", markup) if "<" in markup else f"<pre>{markup}", "lxml")


def _is_unseen(tag: Tag) -> bool:
    return (
        tag.name in _DROPPED
        or tag.has_attr("hidden")
        or bool(_HIDDEN_STYLE.search(str(tag.get("style") or "")))
        or (tag.name == "input")
    )


class _Page:
    """Walks the tree with its own stack (pages nest deeper than Python recurses), collecting inline text
    until a block begins or ends."""

    def __init__(self) -> None:
        self.builder = TextBuilder()
        self._inline: list[str] = []
        self._bullets: list[int] = []
        self._prefix = ""
        self._last_was_item = False

    def walk(self, root: Tag) -> None:
        """Append everything below `root`."""
        stack: list[tuple[PageElement, bool]] = [(root, True)]
        while stack:
            node, is_entering = stack.pop()
            if isinstance(node, NavigableString):
                if not isinstance(node, PreformattedString):
                    self._inline.append(_SPACES.sub(" ", node))
            elif not isinstance(node, Tag):
                continue
            elif not is_entering:
                self._leave(node)
            elif not self._enter(node):
                stack.append((node, False))
                stack.extend((child, True) for child in reversed(node.contents))
        self._flush()

    def _enter(self, tag: Tag) -> bool:
        """Open a tag; True when it was read as a whole."""
        if tag.name == "br":
            self._inline.append("\n")
            return True
        if tag.name == "img":
            return True
        if tag.name not in _BLOCKS:
            return False
        self._flush()
        if heading := _HEADING.fullmatch(tag.name):
            self.builder.heading(int(heading[1]), _flat_text(tag))
            return True
        if tag.name == "pre":
            self.builder.block(tag.get_text().strip("\n"))
            return True
        if tag.name == "table" and not _is_layout(tag):
            self._table(tag)
            return True
        if tag.name in ("ul", "ol"):
            self._bullets.append(1 if tag.name == "ol" else 0)
        if tag.name == "li":
            self._prefix = self._item_prefix()
        return False

    def _leave(self, tag: Tag) -> None:
        if tag.name in _BLOCKS:
            self._flush()
        if tag.name in ("ul", "ol") and self._bullets:
            self._bullets.pop()
            self._last_was_item = self._last_was_item and bool(self._bullets)
        if tag.name == "li":
            self._prefix = ""

    def _item_prefix(self) -> str:
        depth = max(len(self._bullets) - 1, 0)
        number = self._bullets[-1] if self._bullets else 0
        if number:
            self._bullets[-1] += 1
        return "  " * depth + (f"{number}. " if number else "- ")

    def _flush(self) -> None:
        lines = [" ".join(line.split()) for line in "".join(self._inline).split("\n")]
        self._inline.clear()
        text = "\n".join(line for line in lines if line)
        if not text:
            return
        is_item = bool(self._bullets)
        gap = "\n" if is_item and self._last_was_item else "\n\n"
        self.builder.block(self._prefix + text, gap=gap)
        self._prefix, self._last_was_item = "", is_item

    def _table(self, table: Tag) -> None:
        if caption := table.find("caption"):
            self.builder.block(_flat_text(caption))
        rows = [row for row in table.find_all("tr") if row.find_parent("table") is table]
        cells = [[_flat_text(cell) for cell in _cells(row)] for row in rows]
        header = next((cells[i] for i, row in enumerate(rows[:1]) if _is_header_row(row)), None)
        self.builder.table(cells, header=header)
        self._last_was_item = False


def _cells(row: Tag) -> Sequence[Tag]:
    return [cell for cell in row.find_all(("td", "th")) if cell.find_parent("tr") is row]


def _flat_text(tag: Tag) -> str:
    """All text below a tag on one line; blocks and line breaks part words, inline tags do not."""
    parts: list[str] = []
    for node in tag.descendants:
        if isinstance(node, Tag):
            parts.append(" " if node.name in _BLOCKS or node.name == "br" else "")
        elif isinstance(node, NavigableString) and not isinstance(node, PreformattedString):
            parts.append(str(node))
    return " ".join("".join(parts).split())


def _is_header_row(row: Tag) -> bool:
    cells = _cells(row)
    return len(cells) > 1 and (
        row.find_parent("thead") is not None or all(cell.name == "th" for cell in cells)
    )


def _is_layout(table: Tag) -> bool:
    """Whether a table only places blocks on the page: read what is in it as running text."""
    if table.get("role") == "presentation" or table.find("table"):
        return True
    widest = max((len(_cells(row)) for row in table.find_all("tr")), default=0)
    return widest < 2
