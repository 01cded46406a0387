"""A PDF page as lines with their place, size and weight.

PDFium gives characters in drawing order and marks line ends. Here pieces that stand on one baseline are
put back together, wide gaps become cell boundaries, raised small digits (footnote marks) become
superscripts so that `₹50,000` with note 2 does not read `₹50,0002`.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pypdfium2.raw as pdfium

from prism.ingest.readers.pdf_cells import settle_cells
from prism.ingest.readers.pdf_line import HYPHEN_AT_END, Line
from prism.ingest.readers.pdf_order import visual_order

_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
BULLETS = str.maketrans(
    {"\uf0b7": "•", "\uf0a7": "▪", "\uf0d8": "➢", "\uf0fc": "✓", "\uf0a8": "▪", "\uf076": "❖"}
)
_DOT_LEADER = re.compile(r"\s*(?:\.\s?){5,}\s*|\s*(?:…\s?){3,}\s*|\s*_{5,}\s*")
_HYPHENS = ("\x02", "\ufffe")
_LINE_END = re.compile(r"[\x02\ufffe]|[\r\n]+|\Z")
_SPACE_AFTER_MARK = re.compile(r"(?<=[⁰¹²³⁴⁵⁶⁷⁸⁹]) (?=[.,;:)\]])")
_BOLD_WEIGHT = 600
_SPACES = re.compile(r"\s+")
_DIGITS_AFTER_SOMETHING = re.compile(r"(?<=\S)\d+")
_CELL_GAP_EM = 0.75
_EVEN_GAPS = 1.5
_LIST_MARK = re.compile(r"\(?\w{1,4}[.)]\s")
_WORD_GAP_EM = 0.18
_SAME_BASELINE_EM = 0.35
_SUPERSCRIPT_SIZE = 0.8
_SUPERSCRIPT_RISE_EM = 0.12


@dataclass(frozen=True, slots=True)
class _Box:
    left: float
    right: float
    bottom: float
    top: float


class _Characters:
    """A text page's characters; a thin, typed view over PDFium's C calls."""

    def __init__(self, text_page: Any) -> None:
        self._page = text_page
        self.text = _characters(text_page)
        self._loose = pdfium.FS_RECTF()
        self._tight = [ctypes.c_double() for _ in range(4)]

    def loose_box(self, at: int) -> _Box:
        """The em box: as high as the font size, wherever the ink is."""
        pdfium.FPDFText_GetLooseCharBox(self._page, at, self._loose)
        box = self._loose
        return _Box(box.left, box.right, min(box.bottom, box.top), max(box.bottom, box.top))

    def ink(self, at: int) -> tuple[float, float]:
        """The left and right edge of the ink."""
        left, right, bottom, top = self._tight
        pdfium.FPDFText_GetCharBox(self._page, at, left, right, bottom, top)
        return left.value, right.value

    def is_bold(self, at: int) -> bool:
        """Whether the font says it is bold, by weight or by name."""
        if pdfium.FPDFText_GetFontWeight(self._page, at) >= _BOLD_WEIGHT:
            return True
        name = ctypes.create_string_buffer(128)
        flags = ctypes.c_int()
        pdfium.FPDFText_GetFontInfo(self._page, at, name, 128, flags)
        return b"bold" in name.value.lower()

    def is_hyphen(self, at: int) -> bool:
        """Whether PDFium takes this for a hyphen that splits a word at a line end."""
        return bool(pdfium.FPDFText_IsHyphen(self._page, at) == 1)


def _characters(text_page: Any) -> str:
    count = pdfium.FPDFText_CountChars(text_page)
    get = pdfium.FPDFText_GetUnicode
    return "".join(chr(get(text_page, at)) for at in range(max(count, 0)))


def page_lines(text_page: Any) -> list[Line]:
    """The lines of a PDFium text page in reading order, empty ones left out."""
    characters = _Characters(text_page)
    lines: list[Line] = []
    pieces = [_line(characters, start, end) for start, end in _spans(characters.text)]
    for line in visual_order([piece for piece in pieces if piece is not None]):
        if lines and _continues(lines[-1], line):
            lines[-1] = _joined(lines[-1], line)
        else:
            lines.append(line)
    return settle_cells(lines)


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Lines by their line ends; a hyphen PDFium found at a line end stands in place of one."""
    start = 0
    for found in _LINE_END.finditer(text):
        end = found.end() if found[0] in _HYPHENS else found.start()
        if end > start:
            yield start, end
        start = found.end()


def _line(characters: _Characters, start: int, end: int) -> Line | None:
    text = characters.text
    inked = [at for at in range(start, end) if not text[at].isspace() and text[at] != "\x00"]
    if not inked:
        return None
    first, last, middle = inked[0], inked[-1], inked[len(inked) // 2]
    boxes = [characters.loose_box(at) for at in (first, middle, last)]
    body = max(boxes, key=lambda box: box.top - box.bottom)
    size = max(body.top - body.bottom, 1.0)
    gaps = _gaps(characters, first, last + 1)
    starts = [first, *(at for gap, at in gaps if gap > _CELL_GAP_EM * size)]
    cells = [
        _cell(characters, at, stop, size) for at, stop in zip(starts, [*starts[1:], last + 1], strict=True)
    ]
    cells[-1] = _ended(characters, cells[-1], last)
    return Line(
        cells=tuple(cells),
        lefts=tuple(characters.ink(at)[0] for at in starts),
        rights=(
            *(characters.ink(at - 1)[1] for at in _ends_before(characters.text, starts[1:])),
            characters.ink(last)[1],
        ),
        bottom=body.bottom,
        top=body.top,
        size=size,
        is_bold=characters.is_bold(first) and characters.is_bold(middle) and characters.is_bold(last),
        is_even=_is_even(gaps, _LIST_MARK.match(text, first, last + 1) is not None),
    )


def _ended(characters: _Characters, cell: str, last: int) -> str:
    """The last cell, with PDFium's various hyphens at a line end made one mark."""
    if cell[-1:] in (*_HYPHENS, "\xad") or (cell.endswith("-") and characters.is_hyphen(last)):
        return cell[:-1] + HYPHEN_AT_END
    return cell


def _gaps(characters: _Characters, start: int, end: int) -> list[tuple[float, int]]:
    """The width of every space in points, and where the text goes on after it."""
    return [
        (_gap(characters, found.start() - 1, found.end()), found.end())
        for found in _SPACES.finditer(characters.text, start, end)
        if start < found.start() and found.end() < end
    ]


def _is_even(gaps: Sequence[tuple[float, int]], is_listed: bool) -> bool:
    """Whether all gaps are alike, leaving out the one after a list mark: a justified line."""
    widths = [gap for gap, _ in gaps[1 if is_listed else 0 :]]
    return len(widths) > 1 and max(widths) < _EVEN_GAPS * min(widths)


def _ends_before(text: str, starts: Sequence[int]) -> list[int]:
    """Where the ink before each start ends."""
    return [len(text[:start].rstrip()) for start in starts]


def _cell(characters: _Characters, start: int, end: int, size: float) -> str:
    """The text of a cell on one line, raised digits as superscripts."""
    text = characters.text
    parts: list[str] = []
    done = start
    for found in _DIGITS_AFTER_SOMETHING.finditer(text, start, end):
        if found.start() == start:
            continue
        first = _first_raised(characters, found.start(), found.end(), size)
        if first < found.end():
            parts += (text[done:first], " ", text[first : found.end()].translate(_SUPERSCRIPTS))
            done = found.end()
    parts.append(text[done:end])
    return _tidy("".join(parts))


def _tidy(cell: str) -> str:
    text = _DOT_LEADER.sub(" … ", " ".join(cell.translate(BULLETS).split()))
    return _SPACE_AFTER_MARK.sub("", text).strip(" ")


def _gap(characters: _Characters, before: int, after: int) -> float:
    return characters.ink(after)[0] - characters.ink(before)[1]


def _first_raised(characters: _Characters, start: int, end: int, size: float) -> int:
    """Where the raised digits at the end of a run of digits begin; `end` when the last one is not raised."""
    base = characters.loose_box(start - 1)
    while end > start and _is_raised(characters.loose_box(end - 1), base, size):
        end -= 1
    return end


def _is_raised(box: _Box, base: _Box, size: float) -> bool:
    is_small = box.top - box.bottom < _SUPERSCRIPT_SIZE * (base.top - base.bottom)
    return is_small and box.bottom - base.bottom > _SUPERSCRIPT_RISE_EM * size


def _continues(before: Line, line: Line) -> bool:
    """Whether `line` stands on the baseline of `before`, further right."""
    size = max(before.size, line.size)
    return (
        abs(before.middle - line.middle) < _SAME_BASELINE_EM * size
        and line.left >= before.right - _SAME_BASELINE_EM * size
        and before.bottom <= line.middle <= before.top
    )


def _joined(before: Line, line: Line) -> Line:
    gap, size = line.left - before.right, max(before.size, line.size)
    first = line.cells[0]
    if first.isdigit() and _is_mark(before, line):
        first, gap = first.translate(_SUPERSCRIPTS), max(gap, _WORD_GAP_EM * size * 1.01)
    is_cell = gap > _CELL_GAP_EM * size
    if is_cell:
        cells = (*before.cells, first, *line.cells[1:])
    else:
        space = " " if gap > _WORD_GAP_EM * size else ""
        cells = (*before.cells[:-1], _tidy(before.cells[-1] + space + first), *line.cells[1:])
    return replace(
        before,
        cells=cells,
        lefts=(*before.lefts, *line.lefts[0 if is_cell else 1 :]),
        rights=(*before.rights[: None if is_cell else -1], *line.rights),
        bottom=min(before.bottom, line.bottom),
        top=max(before.top, line.top),
        size=size,
        is_bold=before.is_bold and line.is_bold,
    )


def _is_mark(before: Line, line: Line) -> bool:
    """Whether a piece that is all digits is a footnote mark: small and raised."""
    return line.size < _SUPERSCRIPT_SIZE * before.size and (
        line.bottom - before.bottom > _SUPERSCRIPT_RISE_EM * before.size
    )
