"""Blocks of pages to one text with page, section and table spans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from prism.ingest.readers.builder import CELL_SEPARATOR, is_number
from prism.ingest.readers.pdf_blocks import blocks_of
from prism.ingest.readers.pdf_layout import (
    Block,
    continues_over_page,
    footnotes_first,
    running_apart,
)
from prism.ingest.readers.pdf_line import HYPHEN_AT_END, Line
from prism.ingest.readers.pdf_numbered import with_numbered_headings
from prism.ingest.readers.pdf_outline import Bookmark, with_outline
from prism.ingest.readers.typography import Typography, join_lines, rounded_size, typography
from prism.types import PageSpan, SectionSpan, TableSpan

_MIN_TABLE_ROWS = 3
_ROWS_COMPARED = 3
_ALIGNED_EM = 0.5
_ALIGNED_SHARE = 0.7
_TITLE_SHEETS = 2
_TITLE_WORDS = 12
_MAX_TITLE_CHARS = 200
_STAMP_PAGES = 3
_STAMP_SHARE = 0.4
_PLACE_POINTS = 10
"""How exactly the same place is meant: a seventh of an inch."""


@dataclass(frozen=True, slots=True)
class Assembled:
    """A PDF's text with its structure; `title` is the heading that most looks like one, or empty."""

    text: str
    title: str
    pages: tuple[PageSpan, ...]
    sections: tuple[SectionSpan, ...]
    tables: tuple[TableSpan, ...]


def assemble(
    pages: Sequence[Sequence[Line]], labels: Sequence[str], outline: Sequence[Bookmark] = ()
) -> Assembled:
    """Put the pages' lines together.

    Args:
        pages: lines per sheet, without running headers and footers.
        labels: printed page labels, same length.
        outline: the document's own, as far as it has one.
    """
    style = typography(pages)
    blocks = _without_repeated_heads([blocks_of(lines, style) for lines in pages])
    title = _title(blocks[:_TITLE_SHEETS], style)
    blocks = with_outline(with_numbered_headings(blocks, style), outline)
    writer = _Writer(style, [*_letterheads(blocks, title), *_stamps(blocks)])
    for sheet, (page, label) in enumerate(zip(blocks, labels, strict=True), 1):
        following = blocks[sheet] if sheet < len(blocks) else []
        writer.page(sheet, label, _for_page_turn(writer.last, page, following, style))
    writer.end_table()
    return Assembled(
        text=writer.text,
        title=title,
        pages=tuple(writer.pages),
        sections=tuple(writer.sections),
        tables=tuple(writer.tables),
    )


def _for_page_turn(
    before: Block | None, page: Sequence[Block], following: Sequence[Block], style: Typography
) -> Sequence[Block]:
    """The page's blocks, with its footnotes and running lines out of the way of paragraphs that run over the
    page turns."""
    inner, after = _inner(page), _inner(following)
    reordered = footnotes_first(inner, style)
    runs_on = bool(reordered and after) and continues_over_page(reordered[-1], after[0])
    runs_in = before is not None and bool(inner) and continues_over_page(before, inner[0])
    if runs_on:
        running = [block for block in page if block.first.is_running]
        heads = [block for block in running if page.index(block) < page.index(inner[0])]
        page = [*heads, *reordered, *(block for block in running if block not in heads)]
    return running_apart(page, runs_in=runs_in, runs_on=runs_on)


def _inner(page: Sequence[Block]) -> list[Block]:
    return [block for block in page if not block.first.is_running]


def _without_repeated_heads(pages: Sequence[Sequence[Block]]) -> list[list[Block]]:
    """The pages without the column names that a table repeats where it goes on over a page turn."""
    result: list[list[Block]] = []
    table: list[Block] = []
    for page in pages:
        repeated = 0
        while (
            repeated < min(len(page), len(table) - 1) and page[repeated].cells == table[repeated].cells != ()
        ):
            repeated += 1
        kept = list(page[repeated:])
        result.append(kept)
        end = len(kept)
        while end and kept[end - 1].kind == "row":
            end -= 1
        table = [*table, *kept] if end == 0 else kept[end:]
    return result


class _Writer:
    """Appends blocks; a paragraph cut by a page turn goes on after a plain space."""

    def __init__(self, style: Typography, not_heads: Collection[Block]) -> None:
        self._style = style
        self._not_heads = not_heads
        self._parts: list[str] = []
        self._length = 0
        self.last: Block | None = None
        self._headings: list[tuple[int, str]] = []
        self._rows: list[tuple[int, Block]] = []
        self.pages: list[PageSpan] = []
        self.sections: list[SectionSpan] = []
        self.tables: list[TableSpan] = []

    @property
    def text(self) -> str:
        """Everything so far."""
        return "".join(self._parts)

    def page(self, sheet: int, label: str, blocks: Sequence[Block]) -> None:
        """Append a page and note its span."""
        start: int | None = None
        for place, block in enumerate(blocks):
            at = self._block(block, is_page_turn=place == 0)
            start = at if start is None else start
        self.pages.append(PageSpan(sheet, label, self._length if start is None else start, self._length))

    def _block(self, block: Block, *, is_page_turn: bool) -> int:
        """Append one block; returns where its text starts."""
        before = self.last
        if before is not None and is_page_turn and continues_over_page(before, block):
            return self._continue(before, block)
        self._finish_hyphen("-")
        if before is not None:
            is_list = before.kind == block.kind and block.kind in ("item", "row")
            self._append("\n" if is_list else "\n\n")
        start = self._length
        self._append(block.text)
        self.last = block
        if block.kind == "heading" and block not in self._not_heads:
            self._section(start, block)
        if block.kind == "row":
            if self._rows and not _is_same_table([row for _, row in self._rows[-_ROWS_COMPARED:]], block):
                self.end_table()
            self._rows.append((start, block))
        else:
            self.end_table()
        return start

    def _continue(self, before: Block, block: Block) -> int:
        joined = join_lines(before.text, block.text, self._style.words)
        between = joined[len(before.text.rstrip(HYPHEN_AT_END)) : len(joined) - len(block.text)]
        self._finish_hyphen("")
        self._append(between)
        start = self._length
        self._append(block.text)
        self.last = block
        return start

    def _finish_hyphen(self, hyphen: str) -> None:
        if self._parts and self._parts[-1].endswith(HYPHEN_AT_END):
            self._parts[-1] = self._parts[-1][:-1] + hyphen
            self._length += len(hyphen) - 1

    def _section(self, start: int, block: Block) -> None:
        self._headings = [(level, name) for level, name in self._headings if level < block.level]
        self._headings.append((block.level, block.text))
        self.sections.append(SectionSpan(start, tuple(name for _, name in self._headings)))

    def end_table(self) -> None:
        """Note the table that ends here, if one does; a table may run over pages."""
        if len(self._rows) >= _MIN_TABLE_ROWS:
            start = self._rows[0][0]
            last_start, last = self._rows[-1]
            rows = [block for _, block in self._rows]
            self.tables.append(TableSpan(start, last_start + len(last.text), _header(rows)))
        self._rows = []

    def _append(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)


def _is_same_table(rows: Sequence[Block], block: Block) -> bool:
    """Whether a row goes on with the table of the rows before it: as many cells, or, where some are empty,
    most of them under or flush with theirs."""
    if len(rows[-1].cells) == len(block.cells):
        return True
    slack = _ALIGNED_EM * block.first.size
    edges = [edge for row in rows for edge in (*row.first.lefts, *row.first.rights)]
    aligned = [
        any(min(abs(edge - left), abs(edge - right)) < slack for edge in edges)
        for left, right in zip(block.first.lefts, block.first.rights, strict=True)
    ]
    return len(block.cells) > 2 and sum(aligned) > _ALIGNED_SHARE * len(aligned)


def _header(rows: Sequence[Block]) -> str:
    """The first row, when it names columns: bold above rows that are not, or words above a column that holds
    numbers below."""
    first, below = rows[0].cells, rows[1:]
    if any(map(is_number, first)):
        return ""
    has_names = rows[0].first.is_bold and not any(row.first.is_bold for row in below)
    columns = range(len(first))
    has_numbers = any(
        2 * sum(is_number(row.cells[place]) for row in below if place < len(row.cells)) > len(below)
        for place in columns
    )
    return CELL_SEPARATOR.join(first) if has_names or has_numbers else ""


def _letterheads(pages: Sequence[Sequence[Block]], title: str) -> list[Block]:
    """Large print of the first sheet that heads nothing: the only one of its size, and not the title."""
    headings = [block for page in pages for block in page if block.kind == "heading"]
    counts = Counter(rounded_size(block.first.size) for block in headings)
    return [
        block
        for block in pages[0]
        if block.kind == "heading" and counts[rounded_size(block.first.size)] == 1 and block.text != title
    ]


def _stamps(pages: Sequence[Sequence[Block]]) -> list[Block]:
    """Large print that comes back on many pages at the same place, such as a watermark (`Withdrawn`):
    part of the text, but it heads nothing, and the section it lies across goes on."""
    headings = [[block for block in page if block.kind == "heading"] for page in pages]
    seen = Counter(key for page in headings for key in {_stamp(block) for block in page})
    needed = max(_STAMP_PAGES, _STAMP_SHARE * sum(map(bool, pages)))
    return [block for page in headings for block in page if seen[_stamp(block)] >= needed]


def _stamp(block: Block) -> tuple[str, int, int]:
    """What comes back: the words, and where their first line stands."""
    return block.text, round(block.first.left / _PLACE_POINTS), round(block.first.middle / _PLACE_POINTS)


def _title(pages: Sequence[Sequence[Block]], style: Typography) -> str:
    """The heading of the first sheet that has one which is large and says something: size counts once for
    each of its first twelve words, so that a subject line beats a two-word letterhead."""

    def weight(block: Block) -> float:
        return block.first.size / style.body_size * min(len(block.text.split()), _TITLE_WORDS)

    for page in pages:
        headings = [block for block in page if block.kind == "heading" and len(block.text) < _MAX_TITLE_CHARS]
        if headings:
            return max(headings, key=weight).text.replace(HYPHEN_AT_END, "-").strip("-–—_* ")
    return ""
