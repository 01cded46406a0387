"""Lines of a page to paragraphs, list items, headings and table rows.

Two lines belong to one paragraph when the first word of the second would not have fitted on the first,
or when the second plainly goes on (a small letter after an unfinished line). A list mark, a heading, a
table row or a large gap begins something new.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from prism.ingest.readers.builder import CELL_SEPARATOR
from prism.ingest.readers.pdf_line import HYPHEN_AT_END, Line, with_cells
from prism.ingest.readers.typography import HEADING_SIZE, Typography, is_unspaced, join_lines, rounded_size

BlockKind = Literal["paragraph", "item", "heading", "row"]

_LIST_MARK = re.compile(
    r"(?:[•●○▪■◦‣➢✓❖*·]\s*|[–—-]\s+|\(?(?:\d{1,3}|[a-zA-Z]|[ivxlcdm]{1,6})[.)]\s+"
    r"|\((?:\d{1,3}|[a-zA-Z]{1,2}|[ivxlcdm]{1,6})\)\s*|\d{1,3}(?:\.\d{1,3})+\.?\s+)\S"
)
_INLINE_MARK = re.compile(r"\(|\d+\.\d+\s+[^\W\d_A-Z]")
_COUNTING_MARK = re.compile(r"\(?(\d{1,3}|[a-z]|[ivx]{1,5})[.)]", re.I)
_ROMAN_PAIRS = set(
    pairwise(("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii"))
)
_CHAPTER = re.compile(r"(?:chapter|part|annex(?:ure)?|appendix|schedule)\b", re.I)
_NUMBERED = re.compile(r"(?:section\s+)?((?:\d{1,3}|[A-Z])(?:\.\d{1,3})*\.?)(?<=[\d.])\s", re.I)
_LEVELS_PER_SIZE = 5
_ENDS_SENTENCE = re.compile(r"[.!?:;।。！？…][\"'”’)\]]*(?:\s*[⁰¹²³⁴⁵⁶⁷⁸⁹]+)?$")
_GOES_ON = re.compile(
    r"(?:,|[–-]|\b(?:is|are|was|were|be|been|the|a|an|of|to|and|or|nor|in|on|at|by|for|from|with|not|no|per|"
    r"shall|will|may|must|can|has|have|had|that|which|who|than|as|if|its|their|this|these|any|such|under|upto))$",
    re.I,
)
_LETTERS = re.compile(r"[^\W\d_]")
_FOOTNOTE_MARK = re.compile(r"(?:\d{1,3}|[⁰¹²³⁴⁵⁶⁷⁸⁹]+|[*†‡§])\s*\S")
_FOOTNOTE_SIZE = 0.93
_MAX_HEADING_CHARS = 200
_LINE_GAP_EM = 1.0
_NEIGHBOURS = 6


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a page. `level` is a heading's (1 outermost), `cells` a table row's."""

    kind: BlockKind
    text: str
    first: Line
    last: Line
    level: int = 0
    cells: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Edge:
    """Where a column ends, in points. `is_shared`: more lines than one reach it; a single line says little
    about where its column ends."""

    right: float
    is_shared: bool


def page_blocks(lines: Sequence[Line], style: Typography) -> list[Block]:
    """The blocks of one page, in reading order as drawn."""
    blocks: list[Block] = []
    for place in range(len(lines)):
        line = _as_prose(lines, place)
        kind = _kind(line, style)
        edge = _right_edge(lines, place)
        before = blocks[-1] if blocks else None
        cell = _wrapped_cell(before, line) if before is not None else None
        if before is not None and cell is not None:
            blocks[-1] = _with_cell_text(before, line, cell, style)
        elif before is not None and _is_same_block(before, line, kind, edge, style):
            blocks[-1] = _extended(before, line, style)
        else:
            blocks.append(_block(kind, line, style))
    return blocks


def footnotes_first(blocks: Sequence[Block], style: Typography) -> list[Block]:
    """The blocks with footnotes moved before the last paragraph, so that this paragraph can run on over
    the page turn."""
    notes = len(blocks)
    while notes > 1 and _is_footnote(blocks[notes - 1], style):
        notes -= 1
    if notes == len(blocks) or notes < 2:
        return list(blocks)
    return [*blocks[: notes - 1], *blocks[notes:], blocks[notes - 1]]


def running_apart(blocks: Sequence[Block], *, runs_in: bool, runs_on: bool) -> list[Block]:
    """The blocks with running lines moved behind the first other one (`runs_in`: it goes on from the page
    before) and before the last (`runs_on`: it goes on over the page turn)."""
    inner = [block for block in blocks if not block.first.is_running]
    if len(inner) == len(blocks) or not inner:
        return list(blocks)
    rest = list(blocks)
    if runs_on:
        rest.remove(inner[-1])
        rest.append(inner[-1])
    if runs_in:
        rest.remove(inner[0])
        rest.insert(0, inner[0])
    return rest


def _is_footnote(block: Block, style: Typography) -> bool:
    return (
        block.first.size < _FOOTNOTE_SIZE * style.body_size and _FOOTNOTE_MARK.match(block.text) is not None
    )


def _wrapped_cell(row: Block, line: Line) -> int | None:
    """Which cell of a table row this line goes on in: it stands right below the row, under a cell that is
    not the first, whose number is returned; a line beside the row is a new cell, one past the last."""
    if row.kind != "row" or len(line.cells) > 1 or line.is_running or row.first.is_running:
        return None
    size = max(line.size, row.last.size)
    beside = row.last.bottom - 0.2 * size <= line.middle <= row.first.top and line.left > row.last.right
    if beside:
        return len(row.cells)
    if line.middle >= row.last.middle or row.last.bottom - line.top > _LINE_GAP_EM * size:
        return None
    below = [at for at, left in enumerate(row.first.lefts) if abs(left - line.left) < 0.6 * size]
    if not below:  # a cell whose lines are centred
        below = [at for at in range(1, len(row.first.cells)) if _is_centred_below(row.first, at, line, size)]
    return below[0] if below and below[0] > 0 else None


def _is_centred_below(row: Line, at: int, line: Line, size: float) -> bool:
    """Whether a line lies under a cell, middle under middle, and under no part of the cell before."""
    middles = (row.lefts[at] + row.rights[at]) / 2, (line.left + line.right) / 2
    return abs(middles[0] - middles[1]) < 0.6 * size and line.left > row.rights[at - 1]


def _with_cell_text(row: Block, line: Line, cell: int, style: Typography) -> Block:
    cells = [*row.cells, ""] if cell == len(row.cells) else list(row.cells)
    cells[cell] = join_lines(cells[cell], line.text, style.words) if cells[cell] else line.text
    return replace(row, text=CELL_SEPARATOR.join(cells), cells=tuple(cells), last=line)


def continues_over_page(before: Block, after: Block) -> bool:
    """Whether the last block of a page runs on in the first block of the next."""
    if before.kind not in ("paragraph", "item") or after.kind != "paragraph":
        return False
    if before.text.endswith(HYPHEN_AT_END):
        return True
    if _ENDS_SENTENCE.search(before.text):
        return False
    first = after.text[0]
    is_new = first.isupper() and not _GOES_ON.search(before.text) and len(before.text) < 60
    return not is_new


def _as_prose(lines: Sequence[Line], place: int) -> Line:
    """The line; as one cell when it is a justified line whose wide spaces look like cell gaps: a line of
    prose above or below it begins and ends at the same places."""
    line = lines[place]
    neighbours = (*lines[max(place - 1, 0) : place], *lines[place + 1 : place + 2])
    is_prose = len(line.cells) > 1 and any(
        len(other.cells) == 1 and abs(other.left - line.left) < 2 and abs(other.right - line.right) < 2
        for other in neighbours
    )
    return with_cells(line, [0]) if is_prose else line


def _kind(line: Line, style: Typography) -> BlockKind:
    if len(line.cells) > 1 and not (len(line.cells) == 2 and _LIST_MARK.fullmatch(line.cells[0] + " x")):
        return "row"
    if line.is_running:
        return "paragraph"
    if _is_heading(line, style):
        return "heading"
    return "item" if _LIST_MARK.match(line.text) else "paragraph"


def _is_heading(line: Line, style: Typography) -> bool:
    text = line.text
    if len(text) > _MAX_HEADING_CHARS or len(_LETTERS.findall(text)) < 3 or "\ufffd" in text or "@" in text:
        return False
    is_large = line.size >= HEADING_SIZE * style.body_size
    return (is_large or (line.is_bold and style.bold_is_rare)) and not re.search(r"[.,;]$", text)


def _is_same_block(before: Block, line: Line, kind: BlockKind, edge: _Edge, style: Typography) -> bool:
    last = before.last
    gap = last.bottom - line.top
    if abs(gap) > _LINE_GAP_EM * max(line.size, last.size) or line.middle >= last.middle:
        return False
    if "row" in (before.kind, kind) or line.is_running or last.is_running:
        return False
    if before.text.endswith(HYPHEN_AT_END):
        return True
    if _starts_footnote(line, style):
        return False
    fits = last.right + _first_word_width(line) < edge.right - 0.2 * last.size
    if before.kind == "heading":
        same_look = rounded_size(line.size) == rounded_size(last.size) and line.is_bold == last.is_bold
        # A bold paragraph looks like a heading until its last line ends in a full stop.
        return same_look and (not fits or (kind == "heading" and line.text[0].islower()))
    if kind == "heading" and rounded_size(line.size) != rounded_size(last.size):
        return False
    is_unfinished = not _ENDS_SENTENCE.search(before.text)
    if kind == "heading":
        return not fits and is_unfinished
    if kind == "item":
        # `as per clause / (a) above`, `a rate of / 2.5 per cent`: what looks like a mark can be part of a
        # sentence when the line before is full and unfinished. After `(c)`, `(d)` is the next item.
        if _is_next_item(before.text, line.text):
            return False
        is_inline = _INLINE_MARK.match(line.text) is not None
        return is_inline and is_unfinished and not fits and not before.text.endswith((",", "and", "or"))
    if not fits:
        goes_on = not line.text[0].isupper() or _GOES_ON.search(before.text) is not None
        return edge.is_shared or (is_unfinished and goes_on)
    return is_unfinished and line.text[0].islower()


def _is_next_item(before: str, after: str) -> bool:
    """Whether two texts begin with list marks that follow each other: `(c)` and `(d)`, `ii.` and `iii.`."""
    marks = _COUNTING_MARK.match(before), _COUNTING_MARK.match(after)
    if marks[0] is None or marks[1] is None:
        return False
    first, second = marks[0][1].lower(), marks[1][1].lower()
    if first.isdigit() or second.isdigit():
        return first.isdigit() and second.isdigit() and int(second) == int(first) + 1
    is_next_letter = len(first) == len(second) == 1 and ord(second) == ord(first) + 1
    return is_next_letter or (first, second) in _ROMAN_PAIRS


def _starts_footnote(line: Line, style: Typography) -> bool:
    return line.size < _FOOTNOTE_SIZE * style.body_size and re.match(r"\d{1,3} [A-Z]", line.text) is not None


def _right_edge(lines: Sequence[Line], place: int) -> _Edge:
    """How far right lines reach around here, in the column of the line before this one."""
    reference = lines[max(place - 1, 0)]
    near = lines[max(place - _NEIGHBOURS, 0) : place + _NEIGHBOURS]
    rights = [line.right for line in near if line.left < reference.right and line.right > reference.left]
    edge = max(rights, default=reference.right)
    return _Edge(edge, sum(right > edge - reference.size for right in rights) > 1)


def _first_word_width(line: Line) -> float:
    """The width of a space and the line's first word, from the line's average character. Chinese and Japanese
    wrap anywhere, but keep signs off the ends of lines."""
    text = line.text
    word = 3 if is_unspaced(text[0]) else len(text.split(" ", 1)[0])
    return (line.right - line.left) / max(len(text), 1) * (word + 1)


def _block(kind: BlockKind, line: Line, style: Typography) -> Block:
    if kind == "row":
        return Block(kind, CELL_SEPARATOR.join(line.cells), line, line, cells=line.cells)
    level = heading_level(line, style) if kind == "heading" else 0
    return Block(kind, line.text, line, line, level)


def _extended(before: Block, line: Line, style: Typography) -> Block:
    text = join_lines(before.text, line.text, style.words)
    is_heading = before.kind == "heading" and _is_heading(line, style) and len(text) <= _MAX_HEADING_CHARS
    kind: BlockKind = "paragraph" if before.kind == "heading" and not is_heading else before.kind
    return Block(kind, text, before.first, line, before.level if is_heading else 0)


def heading_level(line: Line, style: Typography) -> int:
    """By size, largest first; within a size, a chapter is above a name, a name above `1.` or `A.`, and that
    above `1.1`, `C.1` and `(i)`."""
    size = rounded_size(line.size)
    by_size = sum(size < larger for larger in style.heading_sizes)
    return 1 + by_size * _LEVELS_PER_SIZE + _depth(line.text)


def _depth(text: str) -> int:
    if _CHAPTER.match(text):
        return 0
    if text.startswith("("):
        return 4
    numbered = _NUMBERED.match(text)
    return min(2 + numbered[1].rstrip(".").count("."), 4) if numbered else 1
