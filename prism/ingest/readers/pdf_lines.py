"""A PDF page as lines with their place, size and weight.

PDFium gives characters in drawing order and marks line ends. Here pieces that stand on one baseline are
put back together, wide gaps become cell boundaries, raised small digits (footnote marks) become
superscripts so that `₹50,000` with note 2 does not read `₹50,0002`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from prism.ingest.readers.pdf_cells import settle_cells
from prism.ingest.readers.pdf_characters import CharacterBox, Characters
from prism.ingest.readers.pdf_legible import is_legacy, without_meaning
from prism.ingest.readers.pdf_line import HYPHEN_AT_END, Line
from prism.ingest.readers.pdf_order import beside_labels, by_rows, left_to_right, title_first, visual_order

_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
BULLETS = str.maketrans(
    {"\uf0b7": "•", "\uf0a7": "▪", "\uf0d8": "➢", "\uf0fc": "✓", "\uf0a8": "▪", "\uf076": "❖"}
)
_PRESENTED = re.compile("[\ufb00-\ufdff\ufe70-\ufefc]")
"""Ligatures, and the forms Arabic letters take at their places in a word."""

_DOT_LEADER = re.compile(r"\s*(?:\.\s?){5,}\s*|\s*(?:…\s?){3,}\s*|\s*_{5,}\s*")
_HYPHENS = ("\x02", "\ufffe")
_LINE_END = re.compile(r"[\x02\ufffe]|[\r\n]+|\Z")
_SPACE_AFTER_MARK = re.compile(r"(?<=[⁰¹²³⁴⁵⁶⁷⁸⁹]) (?=[.,;:)\]])")
_SPACES = re.compile(r"\s+")
_DIGITS_AFTER_SOMETHING = re.compile(r"(?<=\S)\d+")
_DINGBATS = re.compile("dingbat|wingding", re.I)
_CELL_GAP_EM = 0.75
_EVEN_GAPS = 1.5
_LIST_MARK = re.compile(r"\(?\w{1,4}[.)]\s")
_DOWNWARDS = 3
_JUMP_BACK_PT = 5.0
_WORD_GAP_EM = 0.18
_SAME_BASELINE_EM = 0.35
_SUPERSCRIPT_SIZE = 0.8
_SUPERSCRIPT_RISE_EM = 0.12


def page_lines(text_page: Any, page: Any, own: int | None = None) -> tuple[list[Line], float]:
    """The lines of a PDFium text page in reading order, empty ones left out, and how high the page is as they
    are read.

    Args:
        own: how many characters come before those of filled-in fields; None where there are no fields.
    """
    characters = Characters(text_page, page)
    own = len(characters.text) if own is None else own
    spans: Iterable[tuple[int, int]] = _spans(characters.text[:own])
    if characters.turn:
        spans = [part for span in spans for part in _forward_parts(characters, *span)]
    filled = [
        part
        for start, end in _spans(characters.text[own:])
        for part in _level_parts(characters, start + own, end + own)
    ]
    pieces = beside_labels(_pieces(characters, spans), _pieces(characters, filled))
    lines: list[Line] = []
    for line in title_first(_ordered(pieces, characters.turn), characters.height):
        if lines and _continues(lines[-1], line):
            lines[-1] = _joined(lines[-1], line)
        else:
            lines.append(line)
    return settle_cells(lines), characters.height


def _pieces(characters: Characters, spans: Iterable[tuple[int, int]]) -> list[Line]:
    found = [_line(characters, start, end) for start, end in spans]
    return [piece for piece in found if piece is not None]


def _ordered(pieces: Sequence[Line], turn: int) -> list[Line]:
    if turn == _DOWNWARDS:
        # PDFium takes the lines of such pages as they come.
        return by_rows(pieces)
    return visual_order(left_to_right(pieces) if turn else pieces)


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Lines by their line ends; a hyphen PDFium found at a line end stands in place of one."""
    start = 0
    for found in _LINE_END.finditer(text):
        end = found.end() if found[0] in _HYPHENS else found.start()
        if end > start:
            yield start, end
        start = found.end()


def _forward_parts(characters: Characters, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The parts of a line that each go on to the right: PDFium may put words of turned text together
    backwards."""
    begin = start
    for gap, at in _gaps(characters, start, end):
        if gap < -_JUMP_BACK_PT:
            yield begin, at
            begin = at
    yield begin, end


def _level_parts(characters: Characters, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The parts of a line that each stand at one height: PDFium may take several fields for one line."""
    begin = start
    for _, at in _gaps(characters, start, end):
        before, after = characters.loose_box(begin), characters.loose_box(at)
        if before.bottom > after.top or after.bottom > before.top:
            yield begin, at
            begin = at
    yield begin, end


def _line(characters: Characters, start: int, end: int) -> Line | None:
    text = characters.text
    inked = [at for at in range(start, end) if not text[at].isspace() and text[at] != "\x00"]
    if not inked:
        return None
    first, last, middle = inked[0], inked[-1], inked[len(inked) // 2]
    boxes = [characters.loose_box(at) for at in (first, middle, last)]
    body = max(boxes, key=lambda box: box.top - box.bottom)
    size = max(body.top - body.bottom, 1.0)
    gaps = _gaps(characters, first, last + 1)
    if not _is_on_page(body, characters):
        return None
    starts = [first, *(at for gap, at in gaps if gap > _CELL_GAP_EM * size)]
    cells = [
        _cell(characters, at, stop, size) for at, stop in zip(starts, [*starts[1:], last + 1], strict=True)
    ]
    is_bullet = _is_bullet(characters, first, last)
    if is_bullet:
        cells[0] = "•" + cells[0][1:]
    else:
        cells[-1] = _ended(characters, cells[-1], last)
    inks = [
        (*characters.ink(at), *characters.ink(stop - 1))
        for at, stop in zip(starts, [*_ends_before(text, starts[1:]), last + 1], strict=True)
    ]
    return Line(
        cells=tuple(cells),
        lefts=tuple(min(ink) for ink in inks),
        rights=tuple(max(ink) for ink in inks),
        bottom=body.bottom,
        top=body.top,
        size=size,
        is_bold=characters.is_bold(first) and characters.is_bold(middle) and characters.is_bold(last),
        is_even=_is_even(gaps, _LIST_MARK.match(text, first, last + 1) is not None),
        unreadable=_unreadable_share(characters, inked[is_bullet:]),
    )


def _is_bullet(characters: Characters, first: int, last: int) -> bool:
    """Whether a piece begins with a letter that its font draws as a list mark."""
    letter, after = characters.text[first], characters.text[first + 1 : first + 2]
    if letter in "•▪➢✓❖" or (first < last and not after.isspace()):
        return False
    is_control = letter < " " and first == last and characters.is_unmapped(first)
    return is_control or (letter.isalnum() and _DINGBATS.search(characters.font(first)) is not None)


def _is_on_page(box: CharacterBox, characters: Characters) -> bool:
    """Whether any of a line may be seen: some programs leave notes to themselves outside the page."""
    return box.top > 0 and box.bottom < characters.height and box.right > 0 and box.left < characters.width


def _unreadable_share(characters: Characters, inked: Sequence[int]) -> float:
    """The share of a line's letters that its font does not name, or names wrongly."""
    if not inked:
        return 0.0
    text = "".join(characters.text[at] for at in inked)
    if is_legacy(characters.font(inked[0]), text):
        return 1.0
    unnamed = without_meaning(text.translate(BULLETS))
    if any(characters.is_unmapped(inked[at]) for at in (0, len(inked) // 2, -1)):
        unnamed = max(unnamed, sum(map(characters.is_unmapped, inked)))
    return unnamed / len(inked)


def _ended(characters: Characters, cell: str, last: int) -> str:
    """The last cell, with PDFium's various hyphens at a line end made one mark."""
    if cell[-1:] in (*_HYPHENS, "\xad") or (cell.endswith("-") and characters.is_hyphen(last)):
        return cell[:-1] + HYPHEN_AT_END
    return cell


def _gaps(characters: Characters, start: int, end: int) -> list[tuple[float, int]]:
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


def _cell(characters: Characters, start: int, end: int, size: float) -> str:
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
    cell = _PRESENTED.sub(lambda found: unicodedata.normalize("NFKC", found[0]), cell.translate(BULLETS))
    text = _DOT_LEADER.sub(" … ", " ".join(cell.split()))
    return _SPACE_AFTER_MARK.sub("", text).strip(" ")


def _gap(characters: Characters, before: int, after: int) -> float:
    return characters.ink(after)[0] - characters.ink(before)[1]


def _first_raised(characters: Characters, start: int, end: int, size: float) -> int:
    """Where the raised digits at the end of a run of digits begin; `end` when the last one is not raised."""
    base = characters.loose_box(start - 1)
    while end > start and _is_raised(characters.loose_box(end - 1), base, size):
        end -= 1
    return end


def _is_raised(box: CharacterBox, base: CharacterBox, size: float) -> bool:
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
        unreadable=(before.unreadable * len(before.text) + line.unreadable * len(line.text))
        / (len(before.text) + len(line.text)),
    )


def _is_mark(before: Line, line: Line) -> bool:
    """Whether a piece that is all digits is a footnote mark: small and raised."""
    return line.size < _SUPERSCRIPT_SIZE * before.size and (
        line.bottom - before.bottom > _SUPERSCRIPT_RISE_EM * before.size
    )
