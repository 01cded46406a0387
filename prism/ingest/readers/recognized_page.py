"""A page as text recognition reads it: lines of words with their places, and how well it went."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from prism.ingest.readers.tesseract import ReadWord

PageState = Literal["read", "partly", "unsure", "blank", "failed"]


@dataclass(frozen=True, slots=True)
class RecognizedLine:
    """A line of a page. `paragraph` numbers its paragraph on the page."""

    words: tuple[ReadWord, ...]
    paragraph: int


@dataclass(frozen=True, slots=True)
class RecognizedPage:
    """What was read.

    `state`: `read`; `partly`, a sixth of it or more could not be; `unsure`, there is text and none of it is
    sure; `blank`, nothing that looks like text; `failed`, for the `reason` given. The picture was turned
    `straightened` degrees counter-clockwise about its middle, then `turned` degrees clockwise to be upright:
    `width` and `height` are those of the picture so turned, in which words have their places.
    """

    state: PageState
    lines: tuple[RecognizedLine, ...]
    width: int
    height: int
    turned: int = 0
    straightened: float = 0.0
    reason: str = ""

    @property
    def is_wholly_read(self) -> bool:
        """Whether nothing of it is left that could not be read."""
        return self.state in ("read", "blank")

    @property
    def words(self) -> Iterator[ReadWord]:
        """All words, in reading order."""
        return (word for line in self.lines for word in line.words)

    def place(self, word: ReadWord) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of a word in the picture as it was given, in fractions of its width and
        height."""
        left, right = word.left / self.width, word.right / self.width
        top, bottom = word.top / self.height, word.bottom / self.height
        left, top, right, bottom = {
            0: (left, top, right, bottom),
            90: (top, 1 - right, bottom, 1 - left),
            180: (1 - right, 1 - bottom, 1 - left, 1 - top),
            270: (1 - bottom, left, 1 - top, right),
        }[self.turned]
        if not self.straightened:
            return left, top, right, bottom
        corners = [self._askew(x, y) for x in (left, right) for y in (top, bottom)]
        across, down = [x for x, _ in corners], [y for _, y in corners]
        return max(min(across), 0.0), max(min(down), 0.0), min(max(across), 1.0), min(max(down), 1.0)

    def _askew(self, x: float, y: float) -> tuple[float, float]:
        """Where a point of the straightened picture was before, in fractions."""
        width, height = (self.width, self.height) if self.turned in (0, 180) else (self.height, self.width)
        angle = math.radians(self.straightened)
        across, down = (x - 0.5) * width, (y - 0.5) * height
        return (
            (across * math.cos(angle) - down * math.sin(angle)) / width + 0.5,
            (across * math.sin(angle) + down * math.cos(angle)) / height + 0.5,
        )
