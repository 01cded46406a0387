"""A text that grows line by line, within the limit of a file."""

from __future__ import annotations

from prism.errors import TooLargeError
from prism.ingest.readers.protocol import SourceFile


class GrowingText:
    """Collects pieces of text and tells where each stands."""

    def __init__(self, file: SourceFile) -> None:
        self._file = file
        self._parts: list[str] = []
        self.length = 0

    def append(self, text: str, gap: str) -> int:
        """Append `text`, after `gap` when it is not the first; returns where it starts.

        Raises:
            TooLargeError: over `read.max_chars`.
        """
        start = self.length + len(gap) if self.length else 0
        self._parts.append(gap + text if self.length else text)
        self.length = start + len(text)
        limit = self._file.settings.max_chars
        if self.length > limit:
            raise TooLargeError(
                f"{self._file.name}: more than {limit:,} characters, the limit. "
                "Raise read.max_chars or split the file."
            )
        return start

    def whole(self) -> str:
        """Everything so far."""
        return "".join(self._parts)
