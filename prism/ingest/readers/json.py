"""JSON, as lines that name their values; records of a list are page spans of their own."""

from __future__ import annotations

from collections.abc import Iterator

from prism.errors import UnreadableError
from prism.ingest.kinds import Kind
from prism.ingest.readers.encoding import decode
from prism.ingest.readers.json_records import RecordText, groups_of
from prism.ingest.readers.json_values import BrokenJsonError, Value, values
from prism.ingest.readers.protocol import SourceFile
from prism.types import SourceText


def read(file: SourceFile) -> SourceText:
    """Read a JSON file; several values one after the other are a list of records.

    What stands before a fault is read, and the fault is a warning.

    Raises:
        UnreadableError: not text, or no JSON from the start.
        TooLargeError: over `read.max_chars`.
    """
    decoded = decode(file.data, file.name)
    written, warnings = whole(decoded.text, file)
    return written.loaded(Kind.JSON.value, (*decoded.warnings, *warnings))


def whole(text: str, file: SourceFile) -> tuple[RecordText, list[str]]:
    """The lines of a JSON text, and what was wrong with it. Raises as `read` does."""
    written = RecordText(file)
    fault: list[BrokenJsonError] = []
    lines = _Lines(text)
    several = _holds_several(text)
    for group in groups_of(_until_fault(text, fault), are_records=several):
        record = f"{group.name} record {group.number}".strip()
        written.add(group, record if group.number else f"line {lines.number_at(group.at)}")
    if not fault:
        return written, []
    line = _Lines(text).number_at(fault[0].at)
    if written.is_empty:
        raise UnreadableError(
            f"{file.name}: not JSON (line {line}: {fault[0]}). "
            "Correct it, or name it .txt to add it as text."
        )
    return written, [f"damaged JSON, read up to line {line}: {fault[0]}"]


def _until_fault(text: str, fault: list[BrokenJsonError]) -> Iterator[Value]:
    try:
        yield from values(text)
    except BrokenJsonError as error:
        fault.append(error)


def _holds_several(text: str) -> bool:
    """Whether the first line is a value and more follow, as in JSON Lines under another name."""
    first, _, others = text.strip("\ufeff \t\r\n").partition("\n")
    try:
        return bool(others.strip()) and bool(list(values(first)))
    except BrokenJsonError:
        return False


class _Lines:
    """Line numbers of places that come in order."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._number = 1

    def number_at(self, at: int) -> int:
        """The line of a place at or after the last one."""
        self._number += self._text.count("\n", self._at, at)
        self._at = at
        return self._number
