"""Characters no store can hold, mended as soon as a reader has produced them, with the spans kept true."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from prism.ingest.edits import Edit, apply_edits
from prism.text.storable import BROKEN, REPLACEMENT, mended, storable
from prism.types import SourceText


def repair(loaded: SourceText) -> SourceText:
    """`loaded` without NUL, U+FEFF and surrogates; a warning says how many characters were mended."""
    edits = [Edit(found.start(), found.end(), mended(found[0])) for found in _broken(loaded.text)]
    warnings = list(loaded.warnings)
    nuls = sum(loaded.text[edit.start] == "\x00" for edit in edits)
    lone = sum(edit.new == REPLACEMENT for edit in edits)
    if nuls:
        warnings.append(f"{_characters(nuls)} removed (NUL, which is not text)")
    if lone:
        warnings.append(f"{_characters(lone)} replaced by {REPLACEMENT} (half a character, unreadable)")
    repaired = apply_edits(loaded, edits)
    return replace(
        repaired,
        title=storable(loaded.title),
        pages=tuple(
            replace(page, label=storable(page.label)) if BROKEN.search(page.label) else page
            for page in repaired.pages
        ),
        sections=tuple(
            replace(section, path=tuple(map(storable, section.path)))
            if any(map(BROKEN.search, section.path))
            else section
            for section in repaired.sections
        ),
        tables=tuple(
            replace(table, header=storable(table.header)) if BROKEN.search(table.header) else table
            for table in repaired.tables
        ),
        warnings=tuple(map(storable, warnings)),
    )


def _broken(text: str) -> Iterator[re.Match[str]]:
    # Nearly every text is whole, and encoding it tells so ten times as fast as a search.
    try:
        text.encode()
    except UnicodeEncodeError:
        return BROKEN.finditer(text)
    return BROKEN.finditer(text) if "\x00" in text or "\ufeff" in text else iter(())


def _characters(count: int) -> str:
    return "1 character was" if count == 1 else f"{count} characters were"
