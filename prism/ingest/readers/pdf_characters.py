"""A PDF page's characters with their places, as its reader turns the page.

Text may run upwards (a wide table on an upright sheet), upside down or from right to left. Here the page is
turned, and mirrored for Arabic and Hebrew, so that whoever puts lines together always goes from left to right
and from top to bottom.
"""

from __future__ import annotations

import ctypes
import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

import pypdfium2.raw as pdfium

_BOLD_WEIGHT = 600
_SAMPLED_ANGLES = 40
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_LAM_ALEF = re.compile("\u0644[\u0622\u0623\u0625\u0627]")
_LETTER = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class CharacterBox:
    """Where a character stands, in points from the lower left corner of the page as it is read."""

    left: float
    right: float
    bottom: float
    top: float


class Characters:
    """The characters of a PDFium text page; a thin, typed view over its C calls."""

    def __init__(self, text_page: Any, page: Any) -> None:
        self._page = text_page
        count = max(pdfium.FPDFText_CountChars(text_page), 0)
        get = pdfium.FPDFText_GetUnicode
        self.text = "".join(chr(get(text_page, at)) for at in range(count))
        self._loose = pdfium.FS_RECTF()
        self._tight = [ctypes.c_double() for _ in range(4)]
        bounds = pdfium.FS_RECTF()
        pdfium.FPDF_GetPageBoundingBox(page, bounds)
        self._origin = bounds.left, bounds.bottom
        self._size = bounds.right - bounds.left, bounds.top - bounds.bottom
        self._turn = self._usual_turn()
        self._is_mirrored = False
        self._is_upright = self._turn == 0 and self._origin == (0, 0)
        self.width, self.height = self._size if self._turn % 2 == 0 else self._size[::-1]
        if found := _RIGHT_TO_LEFT.findall(self.text):
            self._is_mirrored = 2 * len(found) > len(_LETTER.findall(self.text))
            self._is_upright = self._is_upright and not self._is_mirrored
            self.text = self._ligatures_forwards()

    @property
    def turn(self) -> int:
        """By how many quarters against the clock the text is turned."""
        return self._turn

    def loose_box(self, at: int) -> CharacterBox:
        """The em box: as high as the font size, wherever the ink is."""
        pdfium.FPDFText_GetLooseCharBox(self._page, at, self._loose)
        box = self._loose
        return self._turned(box.left, box.right, min(box.bottom, box.top), max(box.bottom, box.top))

    def ink(self, at: int) -> tuple[float, float]:
        """The left and right edge of the ink."""
        left, right, bottom, top = self._tight
        pdfium.FPDFText_GetCharBox(self._page, at, left, right, bottom, top)
        box = self._turned(left.value, right.value, bottom.value, top.value)
        return box.left, box.right

    def font(self, at: int) -> str:
        """The name of the font."""
        name = ctypes.create_string_buffer(128)
        pdfium.FPDFText_GetFontInfo(self._page, at, name, 128, ctypes.c_int())
        return name.value.decode("latin-1")

    def is_bold(self, at: int) -> bool:
        """Whether the font says it is bold, by weight or by name."""
        if pdfium.FPDFText_GetFontWeight(self._page, at) >= _BOLD_WEIGHT:
            return True
        return "bold" in self.font(at).lower()

    def is_hyphen(self, at: int) -> bool:
        """Whether PDFium takes this for a hyphen that splits a word at a line end."""
        return bool(pdfium.FPDFText_IsHyphen(self._page, at) == 1)

    def is_unmapped(self, at: int) -> bool:
        """Whether the font does not say which letter this is."""
        return bool(pdfium.FPDFText_HasUnicodeMapError(self._page, at) == 1)

    def _usual_turn(self) -> int:
        """By how many quarters against the clock most of the text is turned; PDFium counts with it."""
        inked = [at for at, letter in enumerate(self.text) if letter > " "]
        step = max(len(inked) // _SAMPLED_ANGLES, 1)
        angles = [pdfium.FPDFText_GetCharAngle(self._page, at) for at in inked[::step]]
        turns = Counter(-round(angle / (math.pi / 2)) % 4 for angle in angles if angle >= 0)
        return turns.most_common(1)[0][0] if turns else 0

    def _turned(self, left: float, right: float, bottom: float, top: float) -> CharacterBox:
        if self._is_upright:
            return CharacterBox(left, right, bottom, top)
        width, height = self._size
        left, right = left - self._origin[0], right - self._origin[0]
        bottom, top = bottom - self._origin[1], top - self._origin[1]
        if self._turn == 1:
            left, right, bottom, top = bottom, top, width - right, width - left
        elif self._turn == 2:
            left, right, bottom, top = width - right, width - left, height - top, height - bottom
        elif self._turn == 3:
            left, right, bottom, top = height - top, height - bottom, left, right
        if self._is_mirrored:
            left, right = self.width - right, self.width - left
        return CharacterBox(left, right, bottom, top)

    def _ligatures_forwards(self) -> str:
        """The text; PDFium writes letters from right to left forwards, but those that one sign stands for
        backwards, save where Unicode has the sign."""
        letters = list(self.text)
        at = 0
        while at < len(letters):
            end = at + 1
            if _RIGHT_TO_LEFT.match(letters[at]):
                place = self.loose_box(at)
                while end < len(letters) and letters[end] not in "\r\n" and self.loose_box(end) == place:
                    end += 1
                if not _LAM_ALEF.fullmatch(self.text, at, end):
                    letters[at:end] = letters[at:end][::-1]
            at = end
        return "".join(letters)
