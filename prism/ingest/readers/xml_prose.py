"""Write an XML tree of prose: headings, paragraphs, lists, tables, code and notes by their usual names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from xml.etree.ElementTree import Element

from prism.ingest.readers.builder import TextBuilder
from prism.ingest.readers.merged_cells import Cell, lay_out, span
from prism.ingest.readers.xml_line import has_own_text, line_of, raw_line
from prism.ingest.readers.xml_tree import attribute, child, local_name

_TITLES = ("title", "head", "heading")
_ITEMS = ("li", "item", "listitem", "list-item", "step", "varlistentry", "def-item")
_LISTS = (
    "list",
    "ul",
    "ol",
    "itemizedlist",
    "orderedlist",
    "variablelist",
    "simplelist",
    "procedure",
    "def-list",
)
_ORDERED = ("ol", "orderedlist", "procedure")
_ROWS = ("tr", "row")
_CELLS = ("td", "th", "entry", "cell")
_CODE = ("programlisting", "screen", "literallayout", "preformat", "codeblock", "eg", "pre", "code-block")
_BLOCKS = frozenset(
    ("p", "para", "simpara", "table", "table-wrap", "tgroup", "fig", "figure", "disp-quote", "blockquote",
     "div", "boxed-text", "section", "sec", "note", "verse-group", *_LISTS, *_CODE)
)  # fmt: skip
_INLINE = frozenset(
    ("a", "abbrev", "acronym", "b", "bold", "citetitle", "code", "command", "email", "emph", "emphasis",
     "ext-link", "filename", "firstterm", "hi", "i", "italic", "link", "literal", "monospace",
     "named-content", "q", "quote", "replaceable", "sc", "span", "strong", "sub", "subscript", "sup",
     "superscript", "ulink", "underline", "uri", "userinput", "xref", "lb", "br", "strike",
     "styled-content", "inline-formula", "math", "break", "tex-math", "alternatives", "disp-formula")
)  # fmt: skip


def title_of(root: Element) -> str:
    """The name a document gives itself: its first title."""
    for element in root.iter():
        if local_name(element) in _TITLES and (text := line_of(element)):
            return text
    return ""


class ProseWriter:
    """Walks a tree with a stack of its own, so that depth is no obstacle. `handlers` write elements of a
    vocabulary in ways of their own, by name."""

    def __init__(
        self, builder: TextBuilder, handlers: Mapping[str, Callable[[Element], None]] | None = None
    ) -> None:
        self._builder = builder
        self._handlers = handlers or {}
        self._lists: list[int | None] = []
        self._prefix = ""
        self._was_item = False

    def write(self, root: Element, level: int = 1) -> None:
        """Append everything below `root`, whose own title opens a section of `level`."""
        stack: list[tuple[Element | str, int, bool]] = [(root, level, False)]
        while stack:
            node, depth, is_leaving = stack.pop()
            if isinstance(node, str):
                self.block(" ".join(node.split()))
            elif is_leaving:
                self._leave(node)
            elif not self._whole(node, depth):
                inner = self._enter(node, depth)
                stack.append((node, depth, True))
                stack.extend((part, inner, False) for part in reversed(_parts(node)))

    def heading(self, level: int, text: str) -> None:
        """Append a heading, which ends any list."""
        self._builder.heading(level, text)
        self._was_item = False

    def block(self, text: str) -> None:
        """Append a paragraph, as an item where the walk is in a list."""
        if not text.strip():
            return
        is_item = bool(self._lists)
        gap = "\n" if is_item and self._was_item else "\n\n"
        self._builder.block(self._prefix + text, gap=gap, kind="list" if is_item else None)
        self._prefix, self._was_item = "", is_item

    def table(self, element: Element) -> None:
        """Append a table with its title before it."""
        for inner in element:
            if local_name(inner) in ("title", "caption"):
                self.block(line_of(inner))
        rows = [inner for inner in element.iter() if local_name(inner) in _ROWS]
        heads = sum(
            local_name(inner) in _ROWS
            for head in element.iter()
            if local_name(head) == "thead"
            for inner in head.iter()
        )
        if not heads and rows and len(rows[0]) > 1:
            heads = int(all(local_name(cell) == "th" for cell in rows[0]))
        cells = [[_cell(cell) for cell in row if local_name(cell) in _CELLS] for row in rows]
        header, filled = lay_out(cells, heads)
        self._builder.table(filled, header=header if heads else None)
        self._was_item = False

    def _whole(self, element: Element, level: int) -> bool:
        """Write an element that is one block; False where it holds blocks."""
        kind = local_name(element)
        if kind in self._handlers:
            self._handlers[kind](element)
        elif kind in _TITLES:
            self.heading(level, line_of(element))
        elif kind in _CODE:
            self._builder.block("".join(element.itertext()).strip("\n"), kind="code")
            self._was_item = False
        elif kind in ("table", "informaltable") and _is_table(element):
            self.table(element)
        elif any(_is_block(inner, element) for inner in element):
            return False
        else:
            if kind in _ITEMS:
                self._prefix = self._mark()
            self.block(line_of(element))
            self._prefix = ""
        return True

    def _enter(self, element: Element, level: int) -> int:
        """Open an element; returns the level of titles in it."""
        kind = local_name(element)
        if kind in _LISTS:
            ordered = kind in _ORDERED or attribute(element, "list-type") == "order"
            self._lists.append(1 if ordered else None)
        elif kind in _ITEMS:
            self._prefix = self._mark()
        title, label = _title(element), child(element, "label")
        if title is None:
            return level
        self.heading(level, f"{line_of(label)} {line_of(title)}" if label is not None else line_of(title))
        return level + 1

    def _leave(self, element: Element) -> None:
        kind = local_name(element)
        if kind in _LISTS:
            self._lists.pop()
            self._was_item = self._was_item and bool(self._lists)
        elif kind in _ITEMS:
            self._prefix = ""

    def _mark(self) -> str:
        number = self._lists[-1] if self._lists else None
        if number is not None:
            self._lists[-1] = number + 1
        return "  " * max(len(self._lists) - 1, 0) + ("- " if number is None else f"{number}. ")


def _title(element: Element) -> Element | None:
    return next((inner for inner in element if local_name(inner) in _TITLES), None)


def _parts(element: Element) -> list[Element | str]:
    """What stands in an element, in order: blocks, and runs of text and inline elements. Its title, which
    was written when it was entered, is not among them."""
    title = _title(element)
    parts: list[Element | str] = []
    run = [element.text or ""]
    for inner in element:
        if inner is title or (title is not None and local_name(inner) == "label"):
            pass
        elif _is_block(inner, element):
            parts += ["".join(run), inner]
            run = []
        else:
            run.append(raw_line(inner))
        run.append(inner.tail or "")
    return [part for part in [*parts, "".join(run)] if not isinstance(part, str) or part.strip()]


def _is_block(inner: Element, around: Element) -> bool:
    """A block by its name; any other element by whether text stands beside it."""
    kind = local_name(inner)
    if kind in _INLINE:
        return False
    return kind in _BLOCKS or not has_own_text(around)


def _is_table(element: Element) -> bool:
    """Whether all words of a table stand in its cells or above it."""
    placed = [inner for inner in element if local_name(inner) in ("title", "caption")]
    rows = [inner for inner in element.iter() if local_name(inner) in _ROWS]
    placed += [cell for row in rows for cell in row if local_name(cell) in _CELLS]
    return bool(rows) and sum(map(_letters, placed)) == _letters(element)


def _letters(element: Element) -> int:
    return sum(len("".join(text.split())) for text in element.itertext())


def _cell(element: Element) -> Cell:
    rows = attribute(element, "rowspan")
    more = attribute(element, "morerows")
    height = span(rows) if rows else span(more, at_zero=0) + 1 if more else 1
    return Cell(line_of(element), span(attribute(element, "colspan")), height)
