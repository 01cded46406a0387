"""What an Office file says of itself."""

from __future__ import annotations

import re

from prism.ingest.readers.parts import Parts
from prism.ingest.readers.wordxml import local

_NO_TITLE = re.compile(
    r"(power\s?point|microsoft word|slide 1|title|untitled|presentation\d*|document\d*)"
    r"( presentation)?( - .*)?",
    re.I,
)
"""Titles that programs put in by themselves, and that name nothing."""


def document_title(parts: Parts) -> str:
    """The title of `docProps/core.xml`, nothing where it is missing or a program's own."""
    named = parts.of_kind("", "core-properties")
    properties = parts.xml_or_none(named[0] if named else "docProps/core.xml")
    found = "" if properties is None else next((e.text or "" for e in properties if local(e) == "title"), "")
    title = " ".join(found.split())
    return "" if _NO_TITLE.fullmatch(title) else title
