"""Markdown, read the way it is meant to be seen.

Headings open sections; front matter gives the title and is left out; emphasis, link targets and code
ticks are removed, so that a quoted sentence reads as prose; fenced code and formulas are kept character for
character (a `#` in them is no heading); tables become one line per row, HTML is read as HTML. Text before the
first heading is kept, and notes (`[^1]: …`) where they stand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from prism.ingest.kinds import Kind
from prism.ingest.readers.builder import TextBuilder
from prism.ingest.readers.encoding import decode
from prism.ingest.readers.html import plain_text, write_page
from prism.ingest.readers.protocol import SourceFile
from prism.types import SourceText

_FRONT_MATTER = re.compile(r"\A\s*---[ \t]*\r?\n(.*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.S)
_TOML_MATTER = re.compile(r"\A\s*\+\+\+[ \t]*\r?\n(.*?)\r?\n\+\+\+[ \t]*(?:\r?\n|\Z)", re.S)
_FRONT_TITLE = re.compile(r"""^title\s*[:=]\s*["']?(.+?)["']?\s*$""", re.M | re.I)
_KEY_LINE = re.compile(r"^[\w-]+\s*[:=]", re.M)
_FORMULA = re.compile(r"\$\$.+?\$\$|\$(?=\S)(?:[^$\n\\]|\\.)+?(?<=\S)\$(?!\d)", re.S)
_FORMULA_SIGNS = re.compile(r"[\\^_{}=]")
_HEADING_ID = re.compile(r"\s*\{[#.][^}]*\}\s*$")

MAX_NESTING: Final = 100
"""Lists and quotes inside each other; the parser passes over what lies deeper."""


def read(file: SourceFile) -> SourceText:
    """Read a Markdown file. Raises `UnreadableError` when the bytes are not text."""
    decoded = decode(file.data, file.name)
    named, source = _front_matter(decoded.text.lstrip("\ufeff"))
    builder = TextBuilder()
    # The parser would turn each NUL into U+FFFD; here NUL is debris to be removed and counted.
    nuls = source.count("\x00")
    write(source.replace("\x00", ""), builder)
    warnings = (
        *decoded.warnings,
        *([f"{nuls} characters were removed (NUL, which is not text)"] if nuls else []),
    )
    return builder.loaded(
        title=named or builder.first_heading or file.title, media_type=Kind.MARKDOWN.value, warnings=warnings
    )


def write(source: str, builder: TextBuilder) -> None:
    """Append a Markdown text to a document."""
    references: dict[str, Any] = {}
    writer = _Writer(builder)
    writer.write(_parser().parse(source, references))
    writer.notes(references)


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING}).enable(["table", "strikethrough"])
    parser.inline.ruler.before("escape", "formula", _formula)
    return parser


def _formula(state: StateInline, silent: bool) -> bool:
    """A rule of the parser: what stands between dollar signs and looks like TeX is taken as written."""
    found = _FORMULA.match(state.src, state.pos) if state.src[state.pos] == "$" else None
    if found is None or not _FORMULA_SIGNS.search(found[0]):
        return False
    if not silent:
        state.push("text", "", 0).content = found[0]
    state.pos = found.end()
    return True


def _front_matter(text: str) -> tuple[str, str]:
    """The title named in front matter, if any, and the text below it."""
    found = _FRONT_MATTER.match(text) or _TOML_MATTER.match(text)
    if not found or not _KEY_LINE.search(found[1]):
        return "", text
    title = _FRONT_TITLE.search(found[1])
    return (title[1] if title else ""), text[found.end() :]


class _Writer:
    """Turns block tokens into blocks of text."""

    def __init__(self, builder: TextBuilder) -> None:
        self._builder = builder
        self._lists: list[int | None] = []
        self._prefix = ""
        self._in_list_block = False

    def write(self, tokens: Sequence[Token]) -> None:
        """Append every block."""
        at = 0
        while at < len(tokens):
            token = tokens[at]
            if token.type == "heading_open":
                text = _HEADING_ID.sub("", _inline_text(tokens[at + 1]))
                self._builder.heading(int(token.tag[1]), text)
                self._in_list_block = False
                at += 2
            elif token.type == "table_open":
                at = self._table(tokens, at)
            else:
                self._one(token)
            at += 1

    def _one(self, token: Token) -> None:
        if token.type in ("bullet_list_open", "ordered_list_open"):
            is_ordered = token.type.startswith("ordered")
            self._lists.append(int(token.attrGet("start") or 1) if is_ordered else None)
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            self._lists.pop()
            self._in_list_block = bool(self._lists)
        elif token.type == "list_item_open":
            self._prefix = self._item_prefix()
        elif token.type == "inline":
            self._block(_inline_text(token))
        elif token.type in ("fence", "code_block"):
            self._code(token.content.rstrip("\n"))
        elif token.type == "html_block":
            self._html(token.content)

    def notes(self, references: Mapping[str, Any]) -> None:
        """Append notes of one word, which the parser takes for the targets of links."""
        for name, target in references.get("references", {}).items():
            if name.startswith("^"):
                self._block(f"[{name.lower()}]: {unquote(target['href'])}")

    def _html(self, markup: str) -> None:
        if self._lists or self._prefix:
            self._block(plain_text(markup))
            return
        write_page(self._builder, markup)
        self._in_list_block = False

    def _code(self, text: str) -> None:
        if self._lists:
            self._block(text)
            return
        self._builder.block(text, kind="code")
        self._in_list_block = False

    def _item_prefix(self) -> str:
        number = self._lists[-1]
        if number is not None:
            self._lists[-1] = number + 1
        return "  " * (len(self._lists) - 1) + ("- " if number is None else f"{number}. ")

    def _block(self, text: str) -> None:
        if not text.strip():
            return
        in_list = bool(self._lists)
        gap = "\n" if in_list and self._in_list_block else "\n\n"
        self._builder.block(self._prefix + text, gap=gap, kind="list" if in_list else None)
        self._prefix, self._in_list_block = "", in_list

    def _table(self, tokens: Sequence[Token], at: int) -> int:
        rows: list[list[str]] = []
        while tokens[at].type != "table_close":
            if tokens[at].type == "tr_open":
                rows.append([])
            elif tokens[at].type == "inline":
                rows[-1].append(_inline_text(tokens[at]))
            at += 1
        self._builder.table(rows, header=rows[0] if any(rows[0]) else ())
        self._in_list_block = False
        return at


def _inline_text(token: Token) -> str:
    text = ""
    kept: list[bool] = []
    for child in token.children or []:
        if child.type in ("em_open", "strong_open"):
            # `2*3*4` and `un*believ*able` open inside a word: there the stars may be signs, so they stay.
            kept.append(text[-1:].isalnum())
            text += child.markup if kept[-1] else ""
        elif child.type in ("em_close", "strong_close"):
            text += child.markup if kept.pop() else ""
        else:
            text += _piece(child)
    return text


def _piece(child: Token) -> str:
    if child.type in ("text", "code_inline", "image"):
        return child.content
    if child.type == "softbreak":
        return " "
    is_break = child.type == "hardbreak" or (child.type == "html_inline" and child.content.startswith("<br"))
    return "\n" if is_break else ""
