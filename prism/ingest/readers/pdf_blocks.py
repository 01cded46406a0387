"""The blocks of a PDF page: its own text by the layout, recognized lines by the paragraphs they came in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import groupby

from prism.ingest.readers.pdf_layout import Block, page_blocks
from prism.ingest.readers.pdf_line import Line
from prism.ingest.readers.recognized_lines import LIST_MARK
from prism.ingest.readers.typography import Typography, join_lines


def blocks_of(lines: Sequence[Line], style: Typography) -> list[Block]:
    """The blocks of one page, in reading order."""
    own = [line for line in lines if line.paragraph is None]
    return [
        *page_blocks(own, style),
        *_paragraphs([line for line in lines if line.paragraph is not None], style),
    ]


def _paragraphs(lines: Sequence[Line], style: Typography) -> Iterator[Block]:
    for _, group in groupby(lines, key=lambda line: (line.paragraph, line.is_running)):
        paragraph = list(group)
        text = reduce(
            lambda before, after: join_lines(before, after, style.words), (line.text for line in paragraph)
        )
        yield Block("item" if LIST_MARK.match(text) else "paragraph", text, paragraph[0], paragraph[-1])
