"""JSON Lines: a record per line, a page span each, labelled with the line's number."""

from __future__ import annotations

from prism.ingest.kinds import Kind
from prism.ingest.readers.encoding import decode
from prism.ingest.readers.json import whole
from prism.ingest.readers.json_records import Group, RecordText
from prism.ingest.readers.json_values import BrokenJsonError, values
from prism.ingest.readers.protocol import SourceFile
from prism.types import SourceText

_LISTED_LINES = 10


def read(file: SourceFile) -> SourceText:
    """Read a JSON Lines file. Lines that are no JSON are listed and cost no others.

    Raises:
        UnreadableError: not text, or no line is JSON.
        TooLargeError: over `read.max_chars`.
    """
    decoded = decode(file.data, file.name)
    lines = decoded.text.split("\n")
    written = RecordText(file)
    broken: list[int] = []
    for number, line in enumerate(lines, 1):
        try:
            found = [(value.path, value.text) for value in values(line)]
        except BrokenJsonError:
            broken.append(number)
            continue
        if found:
            written.add(Group("", number, found, 0), f"line {number}")
    warnings = [f"not JSON: {_listed(broken)}; left out"] if broken else []
    if len(broken) * 2 > sum(bool(line.strip()) for line in lines):
        # Records written over several lines each, or no JSON at all.
        written, warnings = whole(decoded.text, file)
    return written.loaded(Kind.JSON_LINES.value, (*decoded.warnings, *warnings))


def _listed(lines: list[int]) -> str:
    shown = ", ".join(map(str, lines[:_LISTED_LINES]))
    more = len(lines) - _LISTED_LINES
    return f"line{'s' if len(lines) > 1 else ''} {shown}" + (f" and {more} more" if more > 0 else "")
