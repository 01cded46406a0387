"""Characters no store can hold, mended as soon as a reader has produced them.

NUL cuts strings short in C code and terminals; an unpaired surrogate cannot be encoded as UTF-8, so
hashing and SQLite refuse it; U+FEFF inside a text is a byte order mark that came along with a joined
file. Two surrogates that belong together are one character written in halves (PDF readers do it).
"""

from __future__ import annotations

import re
from dataclasses import replace

from prism.ingest.edits import Edit, apply_edits
from prism.types import Loaded

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

_BROKEN = re.compile("\x00|\ufeff|[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]")


def repair(loaded: Loaded) -> Loaded:
    """`loaded` without NUL, U+FEFF and surrogates; a warning says how many characters were mended."""
    edits = [Edit(found.start(), found.end(), _mended(found[0])) for found in _BROKEN.finditer(loaded.text)]
    warnings = list(loaded.warnings)
    nuls = sum(loaded.text[edit.start] == "\x00" for edit in edits)
    lone = sum(edit.new == REPLACEMENT for edit in edits)
    if nuls:
        warnings.append(f"{_characters(nuls)} removed (NUL, which is not text)")
    if lone:
        warnings.append(f"{_characters(lone)} replaced by {REPLACEMENT} (half a character, unreadable)")
    title = _BROKEN.sub(lambda found: _mended(found[0]), loaded.title)
    return replace(apply_edits(loaded, edits), title=title, warnings=tuple(warnings))


def _mended(broken: str) -> str:
    if len(broken) == 2:
        return broken.encode("utf-16", "surrogatepass").decode("utf-16")
    return "" if broken in "\x00\ufeff" else REPLACEMENT


def _characters(count: int) -> str:
    return "1 character was" if count == 1 else f"{count} characters were"
