"""reStructuredText, read by docutils as it is meant to be seen.

Files are never inserted and raw output never made. Roles and directives of Sphinx, which docutils does not
know, leave their text. What docutils cannot parse at all is read as plain text, with a warning.
"""

from __future__ import annotations

import re
from typing import Any, Final

from docutils import nodes
from docutils.core import publish_doctree
from docutils.parsers.rst import Parser, roles
from docutils.parsers.rst.states import Inliner
from docutils.utils import SystemMessage

from prism.ingest.kinds import Kind
from prism.ingest.readers.builder import TextBuilder
from prism.ingest.readers.encoding import decode
from prism.ingest.readers.protocol import SourceFile
from prism.ingest.readers.rst_writer import EMPTY_CELL, RstWriter, role_text
from prism.types import SourceText

_SETTINGS: Final = {
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "_disable_config": True,
    "doctitle_xform": False,
    "docinfo_xform": False,
    "sectsubtitle_xform": False,
    "syntax_highlight": "none",
    "report_level": 5,
    "halt_level": 5,
    "traceback": True,
    "warning_stream": False,
    "line_length_limit": 100_000_000,
}
"""What a text may do (nothing but be text), and that nobody is told of its faults on the terminal."""

_FIRST_CELL_EMPTY = re.compile(r"(?m)^([ \t]*)(=+(?: +=+)+[ \t]*\n)\1 (?= +\S)")
"""A row below a table's border that begins with an empty cell: docutils takes it for the rest of a row above,
and drops it."""

_FAILURES = (
    SystemMessage, RecursionError, ValueError, TypeError, AttributeError, LookupError, AssertionError,
    NotImplementedError, OSError,
)  # fmt: skip
"""What docutils is known to raise on odd input."""


def read(file: SourceFile) -> SourceText:
    """Read a reStructuredText file. Raises `UnreadableError` when the bytes are not text."""
    decoded = decode(file.data, file.name)
    source = decoded.text.lstrip("\ufeff")
    nuls = source.count("\x00")
    source = source.replace("\x00", "")
    warnings = list(decoded.warnings)
    if nuls:
        warnings.append(f"{nuls} characters were removed (NUL, which is not text)")
    builder = TextBuilder()
    writer = RstWriter(builder, parse)
    tree = parse(source)
    if tree is not None:
        writer.write(tree)
        warnings += writer.warnings
    else:
        builder.block(source)
        warnings.append("read as plain text: it cannot be parsed as reStructuredText")
    return builder.loaded(
        title=builder.first_heading or file.title, media_type=Kind.RST.value, warnings=warnings
    )


def parse(source: str) -> nodes.document | None:
    """The tree of a text, with unknown directives in it as messages; None where docutils fails."""
    marked = _FIRST_CELL_EMPTY.sub(rf"\1\2\1{EMPTY_CELL}", source)
    try:
        return publish_doctree(marked, parser=Parser(inliner=_inliner()), settings_overrides=dict(_SETTINGS))
    except _FAILURES:
        return None


def _inliner() -> Inliner:
    """Reads a role that docutils does not know as its text. An own class cannot: docutils looks its patterns
    up in the class of the object itself."""
    inliner = Inliner()
    known_only = inliner.interpreted

    def interpreted(rawsource: str, text: str, role: str, lineno: int) -> tuple[list[Any], list[Any]]:
        known, _ = roles.role(role, inliner.language, lineno, inliner.reporter)
        if known:
            found: tuple[list[Any], list[Any]] = known_only(rawsource, text, role, lineno)
            return found
        return [nodes.inline(rawsource, role_text(nodes.unescape(text)))], []

    inliner.interpreted = interpreted
    return inliner
