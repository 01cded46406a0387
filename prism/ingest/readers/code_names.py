"""The names that a source file defines: its classes, functions, sections of settings, tables of SQL.

Pygments tells names from strings and comments, in the language of the file's ending; formats whose names
stand at the start of a line are read by their own pattern.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Final

from pygments.lexers import get_lexer_for_filename
from pygments.token import Token
from pygments.util import ClassNotFound

MAX_NAMED_CHARS: Final = 2_000_000
"""Longer texts have no names sought in them: they are data more often than code, and Pygments takes seconds
for each million characters."""

_WORDS = frozenset(
    ("def", "class", "function", "func", "fn", "fun", "sub", "interface", "struct", "enum", "trait", "impl",
     "module", "mod", "namespace", "object", "record", "protocol", "extension", "type", "message", "service")
)  # fmt: skip
_HEADER = re.compile(r"^[ \t]*\[+([^\[\]\n]+)\]+[ \t]*(?:[#;].*)?$", re.M)
_YAML_KEY = re.compile(r"^([A-Za-z_][\w.-]*):(?=\s|$)", re.M)
_SHELL_FUNCTION = re.compile(r"^[ \t]*(?:function[ \t]+([\w:.-]+)|([\w:.-]+)[ \t]*\(\))", re.M)
_PATTERNS = {
    ".yaml": _YAML_KEY,
    ".yml": _YAML_KEY,
    ".toml": _HEADER,
    ".ini": _HEADER,
    ".cfg": _HEADER,
    ".conf": _HEADER,
    ".sql": re.compile(
        r"^[ \t]*CREATE\s+(?:OR\s+REPLACE\s+)?(?:\w+\s+){0,2}?"
        r"(?:TABLE|VIEW|FUNCTION|PROCEDURE|TRIGGER|TYPE|INDEX)\s+"
        r"(?:IF\s+NOT\s+EXISTS\s+)?([\w.\"`\[\]]+)",
        re.M | re.I,
    ),
    ".sh": _SHELL_FUNCTION,
    ".bash": _SHELL_FUNCTION,
    ".zsh": _SHELL_FUNCTION,
    ".tex": re.compile(r"^[ \t]*\\((?:sub)*)(?:section|chapter|part)\*?\{([^{}\n]+)\}", re.M),
}
_ABOVE = re.compile(r"[ \t]*(?:@|#|//|/\*|\*|--)")
_TAB_WIDTH = 4
_TYPED = re.compile(r"[\w\s*&<>:,\[\].~]*")


@dataclass(frozen=True, slots=True)
class Definition:
    """A name, the start of the line where it is defined, and how deep inside others."""

    start: int
    depth: int
    name: str


def definitions(text: str, name: str) -> list[Definition]:
    """The definitions of a file in order; none in a text of over `MAX_NAMED_CHARS`."""
    if len(text) > MAX_NAMED_CHARS:
        return []
    ending = PurePosixPath(name).suffix.lower()
    if ending in _PATTERNS:
        return list(_matched(text, _PATTERNS[ending]))
    try:
        lexer = get_lexer_for_filename(PurePosixPath(name).name.lower(), stripnl=False, ensurenl=False)
    except ClassNotFound:
        return []
    return list(_lexed(text, lexer))


def _matched(text: str, pattern: re.Pattern[str]) -> Iterator[Definition]:
    for found in pattern.finditer(text):
        *depth, name = (group for group in found.groups() if group is not None)
        yield Definition(
            _with_comments(text, found.start()), len(depth[0]) // 3 if depth else 0, name.strip().strip('"`')
        )


def _lexed(text: str, lexer: Any) -> Iterator[Definition]:
    last = -1
    word_at, brackets = -1, 0
    for at, kind, token in lexer.get_tokens_unprocessed(text):
        start = text.rfind("\n", 0, at) + 1
        if word_at >= 0 and (start > word_at or kind in Token.Literal):
            word_at = -1
        if kind in Token.Keyword and token.strip() in _WORDS and _may_precede(text[start:at]):
            word_at, brackets = at, 0
            continue
        if word_at >= 0 and kind in Token.Punctuation:
            # Go writes what a method belongs to in brackets before its name.
            brackets += token.count("(") - token.count(")")
            word_at = word_at if "(" in token or brackets or ")" in token else -1
            continue
        is_defined = word_at >= 0 and kind in Token.Name and not brackets
        is_typed = kind is Token.Name.Function and _TYPED.fullmatch(text[start:at].strip()) is not None
        if kind is Token.Name.Class and not is_defined:
            is_typed = _may_precede(text[start:at])
        if not (is_defined or is_typed) or start == last:
            continue
        last, word_at = start, -1
        before = text[start:at]
        indent = before[: len(before) - len(before.lstrip())].expandtabs(_TAB_WIDTH)
        yield Definition(_with_comments(text, start), len(indent), token.strip())


def _with_comments(text: str, start: int) -> int:
    """Where the comments and decorators directly above a line begin, which belong to what it defines."""
    while start > 0:
        above = text.rfind("\n", 0, start - 1) + 1
        if _ABOVE.match(text, above, start) is None:
            break
        start = above
    return start


def _may_precede(before: str) -> bool:
    """Whether words before a definition are those that may stand there (`export default`, `pub(crate)`)."""
    return re.fullmatch(r"[\w\s()@]*", before) is not None and "=" not in before
