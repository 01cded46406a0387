"""Walk an HTML tree and write what it shows: headings, paragraphs, lists, code, tables."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final

from bs4.element import NavigableString, PageElement, PreformattedString, Tag

from prism.ingest.readers.builder import TextBuilder
from prism.ingest.readers.html_table import Row, data_rows, table_cells
from prism.ingest.readers.numbering import spell_number
from prism.types import BlockKind

BLOCKS: Final = frozenset(
    ("address", "article", "aside", "blockquote", "body", "center", "dd", "details", "dialog", "dir", "div",
     "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "header", "hgroup", "hr", "html",
     "legend", "li", "listing", "main", "menu", "nav", "noscript", "object", "ol", "optgroup", "p", "pre",
     "search", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul", "xmp",
     "caption", "h1", "h2", "h3", "h4", "h5", "h6", "title", "textarea")
)  # fmt: skip
_PLACE = "\ufdd0"
"""Stands in collected text where a sought tag stood: a code point that no text uses."""

_LISTS = ("ul", "ol", "menu", "dir", "dl")
_CODE = ("pre", "listing", "xmp")
_HEADING = re.compile(r"h([1-6])")
_SPACES = re.compile(r"[ \t\r\n\f]+")
_FORMS = {"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
_CODE_CLASS = re.compile("code|highlight|lang|source")
_ROLE_LEVEL = re.compile(r"[1-6]")

MAX_SHOWN_OPTIONS: Final = 20
"""A longer list of choices (countries, years) is no text: of it the chosen one is read."""

MIN_ALT_WORDS: Final = 4
"""A picture's description of so many words says something; shorter ones name it (`logo`)."""


class PageWriter:
    """Walks the tree with its own stack (pages nest deeper than Python recurses), collecting inline text
    until a block begins or ends. `places` tells afterwards where the tags of the ids `sought` stand."""

    def __init__(self, builder: TextBuilder, *, sought: Collection[str] = ()) -> None:
        self._builder = builder
        self._sought = sought
        self._pending: list[str] = []
        self.places: dict[str, int] = {}
        self._inline: list[str] = []
        self._lists: list[_List] = []
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
        self._mark(tag)
        if (text := inline_text(tag)) is not None:
            self._inline.append(text)
            return True
        if tag.name == "sup":
            self._inline.append(power_sign(tag, "".join(self._inline[-1:])))
        level = _heading_level(tag)
        if tag.name not in BLOCKS and not level:
            return False
        self._flush()
        if level:
            self._place(self._builder.length)
            for inner in tag.find_all(id=True) if self._sought else ():
                self._mark(inner)
            self._builder.heading(level, flat_text(tag))
            self._inline.clear()
            self._last_was_item = False
            return True
        if tag.name in _CODE:
            self._code(tag)
            return True
        if tag.name == "table" and (rows := data_rows(tag)) is not None:
            self._table(tag, rows)
            return True
        if tag.name in _LISTS:
            self._lists.append(_List(tag))
        elif tag.name == "li":
            self._prefix = self._item_prefix(tag)
        return False

    def _leave(self, tag: Tag) -> None:
        if tag.name in BLOCKS:
            self._flush()
        if tag.name in _LISTS and self._lists:
            self._lists.pop()
            self._last_was_item = self._last_was_item and bool(self._lists)
        if tag.name == "li":
            self._prefix = ""

    def _item_prefix(self, tag: Tag) -> str:
        depth = max(len(self._lists) - 1, 0)
        return "  " * depth + (self._lists[-1].mark(tag) if self._lists else "- ")

    def _flush(self) -> None:
        lines = [" ".join(line.split()) for line in "".join(self._inline).split("\n")]
        self._inline.clear()
        text = "\n".join(line for line in lines if line)
        if text.replace(_PLACE, "").strip():
            self._block(self._prefix + text)
            self._prefix = ""

    def _block(self, text: str) -> None:
        is_item = bool(self._lists)
        gap = "\n" if is_item and self._last_was_item else "\n\n"
        kind: BlockKind | None = "list" if is_item else None
        start = self._builder.block(text.replace(_PLACE, ""), gap=gap, kind=kind)
        at = text.find(_PLACE)
        for passed in range(text.count(_PLACE)):
            self._place(start + at - passed, 1)
            at = text.find(_PLACE, at + 1)
        self._last_was_item = is_item

    def _mark(self, tag: Tag) -> None:
        name = str(tag.get("id") or tag.get("name") or "")
        if name in self._sought:
            self._pending.append(name)
            self._inline.append(_PLACE)

    def _place(self, position: int, count: int | None = None) -> None:
        for name in self._pending[:count]:
            self.places.setdefault(name, position)
        del self._pending[:count]

    def _code(self, tag: Tag) -> None:
        for line_break in tag.find_all("br"):
            line_break.replace_with("\n")
        text = tag.get_text().strip("\n")
        if self._prefix:
            self._block(self._prefix + text)
            self._prefix = ""
            return
        self._builder.block(text, kind="code" if _is_code(tag) else None)
        self._last_was_item = False

    def _table(self, table: Tag, rows: Sequence[Row]) -> None:
        caption = table.find("caption")
        if isinstance(caption, Tag):
            self._builder.block(self._prefix + flat_text(caption))
            self._prefix = ""
        header, cells = table_cells(rows, flat_text)
        self._builder.table(cells, header=header)
        self._last_was_item = False


class _List:
    """How the items of a list are marked: bullets, or numbers as the page counts them."""

    def __init__(self, tag: Tag) -> None:
        self._is_ordered = tag.name == "ol"
        self._style = str(tag.get("type") or "1")
        self._step = -1 if tag.has_attr("reversed") else 1
        first = len(tag.find_all("li", recursive=False)) if self._step < 0 else 1
        self._next = _whole_number(tag.get("start"), first)

    def mark(self, item: Tag) -> str:
        """What stands before an item."""
        if not self._is_ordered:
            return "- "
        number = _whole_number(item.get("value"), self._next)
        self._next = number + self._step
        if number < 1 or self._style not in _FORMS:
            return f"{number}. "
        return f"{spell_number(number, _FORMS[self._style])}. "


def _whole_number(value: object, otherwise: int) -> int:
    text = str(value).strip()
    return int(text) if re.fullmatch(r"-?\d{1,6}", text, re.A) else otherwise


def _heading_level(tag: Tag) -> int:
    if found := _HEADING.fullmatch(tag.name):
        return int(found[1])
    if tag.get("role") == "heading":
        level = str(tag.get("aria-level") or "2")
        return int(level) if _ROLE_LEVEL.fullmatch(level) else 2
    return 0


def _is_code(tag: Tag) -> bool:
    """Whether preformatted text is code: poems and letters stand in `<pre>` too."""
    around = [*(tag.get("class") or ()), *((tag.parent.get("class") or ()) if tag.parent else ())]
    return tag.find("code") is not None or any(_CODE_CLASS.search(name) for name in around)


def inline_text(tag: Tag) -> str | None:
    """What a tag without text of its own shows, None for every other tag."""
    if tag.name == "br":
        return "\n"
    if tag.name == "wbr":
        return ""
    if tag.name == "img":
        alt = " ".join(str(tag.get("alt") or "").split())
        shows_formula = "\\" in alt or any("math" in name for name in tag.get("class") or ())
        figure = tag.find_parent("figure")
        has_caption = figure is not None and figure.find("figcaption") is not None
        says_something = len(alt.split()) >= MIN_ALT_WORDS and not has_caption
        return f" {alt} " if shows_formula or says_something else ""
    if tag.name == "select":
        return f" {_choices(tag)} "
    return None


def _choices(select: Tag) -> str:
    options = list(select.find_all("option"))
    if len(options) > MAX_SHOWN_OPTIONS:
        options = [option for option in options if option.has_attr("selected")][:1] or options[:1]
    return " / ".join(text for option in options if (text := " ".join(option.get_text().split())))


def power_sign(tag: Tag, before: str) -> str:
    """A raised number after a number is a power or a note, not further digits."""
    return "^" if before[-1:].isdigit() and tag.get_text().strip()[:1].isdigit() else ""


def flat_text(tag: Tag) -> str:
    """All text below a tag on one line; blocks and line breaks part words, inline tags do not."""
    parts: list[str] = []
    for node in tag.descendants:
        if isinstance(node, Tag):
            text = inline_text(node)
            if text is None and node.name == "sup":
                text = power_sign(node, "".join(parts[-1:]))
            parts.append(" " if node.name in BLOCKS else text or "")
        elif (
            isinstance(node, NavigableString)
            and not isinstance(node, PreformattedString)
            and (node.parent is None or node.parent.name != "option")
        ):
            parts.append(str(node))
    return " ".join("".join(parts).split())
