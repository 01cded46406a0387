"""The tree of a reStructuredText document as blocks of text."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Sequence
from typing import Any

from docutils import nodes

from prism.ingest.readers.builder import TextBuilder
from prism.ingest.readers.rst_table import rows_of

EMPTY_CELL = "\ue000"
"""Stands in the first cell of a row where that is empty."""

_ROLE_TARGET = re.compile(r"(.+?)\s*<[^<>]+>", re.S)
_DIRECTIVE = re.compile(r"\s*\.\.[ ]+(?:\|[^|]+\|\s+)?([\w:+.-]+)::[ \t]*(.*)")
_OPTION = re.compile(r":[\w-]+:(?:\s|\Z)")
_WITHOUT_TEXT = re.compile(
    r"auto\w+|toctree|index|highlight|currentmodule|(?:py:)?currentmodule|default-domain|tabularcolumns|"
    r"sectionauthor|codeauthor|module|program|contents"
)
"""Directives that say nothing a reader sees in this file."""

_FROM_ELSEWHERE = re.compile(r"literalinclude|mdinclude")
_REFUSED = re.compile(r"directive disabled|access deactivated")
_VERBATIM = re.compile(
    r"doctest|testcode|testoutput|testsetup|prompt|ipython|graphviz|digraph|mermaid|plantuml|uml|"
    r"jupyter-execute|productionlist|code-cell|code-block|code|sourcecode|parsed-literal|math"
)
_WITHOUT_ARGUMENT = re.compile(r"only|ifconfig|container|rst-class|tab-set|grid|code-block|code|sourcecode")
_SIGNATURE = re.compile(
    r"\w+:\w+|function|class|method|attribute|data|exception|staticmethod|classmethod|property|"
    r"option|cmdoption|envvar|describe|object"
)
_VERSIONS = {
    "versionadded": "New in version ",
    "versionchanged": "Changed in version ",
    "deprecated": "Deprecated since version ",
}
_FILE_SETTINGS = frozenset(("orphan", "tocdepth", "nosearch", "nocomments"))
_SKIPPED = (
    nodes.comment, nodes.substitution_definition, nodes.target, nodes.pending, nodes.meta, nodes.raw,
    nodes.decoration, nodes.label,
)  # fmt: skip
_CODE = (nodes.literal_block, nodes.doctest_block, nodes.math_block)
_MAX_DEPTH = 20


def role_text(text: str) -> str:
    """What a reader sees of a role of Sphinx: `title <target>` is its title, `~a.b.C` is `C`."""
    if found := _ROLE_TARGET.fullmatch(text):
        return found[1]
    if text.startswith("~"):
        return text[1:].rpartition(".")[2]
    return text.removeprefix("!")


class RstWriter:
    """Appends the nodes of a tree. `parse` reads what stands inside directives that are not known."""

    def __init__(self, builder: TextBuilder, parse: Callable[[str], nodes.document | None]) -> None:
        self.warnings: list[str] = []
        self._builder = builder
        self._parse = parse
        self._level = 0
        self._lists = 0
        self._prefix = ""
        self._in_list_block = False
        self._depth = 0

    def write(self, node: nodes.Node) -> None:
        """Append all that stands below a node."""
        for child in node.children:
            self._one(child)

    def _one(self, node: Any) -> None:
        if isinstance(node, _SKIPPED):
            return
        name = node.__class__.__name__
        if isinstance(node, nodes.system_message):
            self._message(node)
        elif isinstance(node, _CODE):
            self._block(node.astext().rstrip("\n"), is_code=True)
        elif isinstance(node, nodes.title):
            self._title(node)
        elif (handler := getattr(self, f"_{name}", None)) is not None:
            handler(node)
        elif isinstance(node, nodes.Admonition):
            self._labelled(name.capitalize(), node)
        elif isinstance(node, nodes.TextElement):
            self._block(inline_text(node))
        elif isinstance(node, nodes.Text):
            self._block(str(node))
        else:
            self.write(node)

    def _block(self, text: str, *, is_code: bool = False, is_close: bool = False) -> None:
        text = text.replace(EMPTY_CELL, " ")
        if not text.strip():
            return
        in_list = self._lists > 0
        gap = "\n" if is_close or (in_list and self._in_list_block) else "\n\n"
        kind = None
        if in_list or self._prefix:
            kind = "list"
        elif is_code:
            kind = "code"
        self._builder.block(self._prefix + text, gap=gap, kind=kind)  # type: ignore[arg-type]
        self._prefix, self._in_list_block = "", in_list

    def _section(self, node: nodes.section) -> None:
        self._level += 1
        self.write(node)
        self._level -= 1

    def _title(self, node: nodes.title) -> None:
        if isinstance(node.parent, nodes.section):
            self._builder.heading(self._level, inline_text(node))
            self._in_list_block = False
        else:
            self._block(inline_text(node))

    def _bullet_list(self, node: nodes.bullet_list) -> None:
        self._items(node, ["- "] * len(node.children))

    def _enumerated_list(self, node: nodes.enumerated_list) -> None:
        first = int(node.get("start", 1))
        kind, before, after = node.get("enumtype", "arabic"), node.get("prefix", ""), node.get("suffix", ".")
        marks = [
            f"{before}{_enumerator(kind, number)}{after} "
            for number in range(first, first + len(node.children))
        ]
        self._items(node, marks)

    def _items(self, node: nodes.Element, marks: Sequence[str]) -> None:
        self._lists += 1
        for item, mark in zip(node.children, marks, strict=True):
            self._prefix = "  " * (self._lists - 1) + mark
            self.write(item)
            self._prefix = ""
        self._lists -= 1
        self._in_list_block = self._lists > 0

    def _definition_list_item(self, node: nodes.definition_list_item) -> None:
        terms = [inline_text(child) for child in node.children if not isinstance(child, nodes.definition)]
        self._block(" : ".join(terms))
        is_first = True
        for definition in node.findall(nodes.definition):
            if definition.parent is not node:
                continue
            for child in definition.children:
                if is_first and isinstance(child, nodes.paragraph):
                    self._block(inline_text(child), is_close=True)
                else:
                    self._one(child)
                is_first = False

    def _field(self, node: nodes.field) -> None:
        name, body = inline_text(node.children[0]), node.children[1]
        if name.lower() not in _FILE_SETTINGS:
            self._labelled(name, body)

    def _option_list_item(self, node: nodes.option_list_item) -> None:
        options = ", ".join(option.astext() for option in node.children[0].children)
        self._labelled(options, node.children[1])

    def _footnote(self, node: nodes.Element) -> None:
        label = next((child.astext() for child in node.children if isinstance(child, nodes.label)), "")
        self._prefix = f"[{label}] "
        self.write(node)
        self._prefix = ""

    _citation = _footnote

    def _admonition(self, node: nodes.admonition) -> None:
        self.write(node)

    def _topic(self, node: nodes.topic) -> None:
        if "contents" not in node.get("classes", ()):
            self.write(node)

    def _line_block(self, node: nodes.line_block) -> None:
        self._block("\n".join(_lines(node)))

    def _image(self, node: nodes.image) -> None:
        self._block(node.get("alt", ""))

    def _table(self, node: nodes.table) -> None:
        for child in node.children:
            if isinstance(child, nodes.title):
                self._block(inline_text(child))
        rows, header = rows_of(node, inline_text)
        self._builder.table(rows, header=header)
        self._in_list_block = False

    def _labelled(self, label: str, body: nodes.Element) -> None:
        """A body whose first paragraph carries a label: `Note: …`."""
        first = body.children[0] if body.children else None
        if not isinstance(first, nodes.paragraph):
            self._block(f"{label}:" if first is not None else label)
            self.write(body)
            return
        self._block(f"{label}: {inline_text(first)}")
        for child in body.children[1:]:
            self._one(child)

    def _message(self, node: nodes.system_message) -> None:
        """What docutils complains of: a directive that it does not know or will not follow, else a text that
        it could not parse."""
        written = next((child for child in node.children if isinstance(child, nodes.literal_block)), None)
        if written is None:
            return
        text = written.astext()
        first, *rest = text.split("\n")
        directive = _DIRECTIVE.match(first)
        if directive is None:
            self._block(textwrap.dedent(text))
        elif _FROM_ELSEWHERE.fullmatch(directive[1]) or _REFUSED.search(node.children[0].astext()):
            self.warnings.append(
                f"other files and raw output are left out: {directive[1]} {directive[2]}".rstrip()
            )
        elif not _WITHOUT_TEXT.fullmatch(directive[1]):
            self._directive(directive[1], directive[2], rest)

    def _directive(self, name: str, argument: str, lines: Sequence[str]) -> None:
        head: list[str] = [argument]
        body = list(lines)
        while body and body[0].strip():
            line = body.pop(0).strip()
            if not _OPTION.match(line):
                head.append(line)
        text = textwrap.dedent("\n".join(body)).strip("\n")
        if not _SIGNATURE.fullmatch(name):
            # A text that begins on the line after the name; only signatures go on there.
            text = "\n".join([*head[1:], *([""] if head[1:] else []), text])
            head = [_VERSIONS.get(name, "") + argument]
        if not _WITHOUT_ARGUMENT.fullmatch(name):
            self._block("\n".join(line for line in head if line))
        if _VERBATIM.fullmatch(name):
            self._block(text, is_code=True)
        elif text:
            self._depth += 1
            tree = self._parse(text) if self._depth <= _MAX_DEPTH else None
            if tree is not None:
                self.write(tree)
            else:
                self._block(text)
            self._depth -= 1


def inline_text(node: Any) -> str:
    """The text of a paragraph or a cell on one line."""
    return " ".join("".join(_pieces(node)).split())


def _pieces(node: Any) -> Sequence[str]:
    if isinstance(node, nodes.Text):
        return [str(node).replace(EMPTY_CELL, "")]
    if isinstance(node, nodes.system_message | nodes.comment | nodes.substitution_definition | nodes.raw):
        return []
    if isinstance(node, nodes.image):
        return [node.get("alt", "")]
    if isinstance(node, nodes.footnote_reference | nodes.citation_reference):
        return [f"[{node.astext()}]"]
    gap = "" if isinstance(node, nodes.TextElement) else " "
    return [piece for child in node.children for piece in (*_pieces(child), gap)]


def _lines(node: Any, indent: str = "") -> Sequence[str]:
    lines: list[str] = []
    for child in node.children:
        if isinstance(child, nodes.line_block):
            lines += _lines(child, indent + "  ")
        else:
            lines.append(indent + inline_text(child))
    return lines


def _enumerator(kind: str, number: int) -> str:
    if kind in ("loweralpha", "upperalpha"):
        letter = chr(ord("a") + (number - 1) % 26)
        return letter if kind == "loweralpha" else letter.upper()
    if kind in ("lowerroman", "upperroman"):
        return _roman(number) if kind == "upperroman" else _roman(number).lower()
    return str(number)


def _roman(number: int) -> str:
    written = ""
    signs = ((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"),
             (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))  # fmt: skip
    for size, sign in signs:
        while number >= size:
            written += sign
            number -= size
    return written
