"""What was measured as Markdown tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from eval.reading.measure import Means, Measured, means
from eval.wording.escape import as_markdown
from eval.wording.figures import NONE, decimal


def reading_table(measured: Sequence[Measured]) -> str:
    """A row per file, then the means, then why files were refused."""
    return "\n".join(_rows(measured)) + "\n"


def missing_table(measured: Sequence[Measured], most: int) -> str:
    """The words lost of each file, how often, those most often lost first."""
    lines = ["| file | lost |", "|---|---|"]
    for file in measured:
        lost = ", ".join(f"{word} ×{count}" if count > 1 else word for word, count in file.missing[:most])
        lines.append(f"| {as_markdown(file.file)} | {as_markdown(lost) or NONE} |")
    return "\n".join(lines) + "\n"


def _rows(measured: Sequence[Measured]) -> Iterator[str]:
    yield "| file | words of the reference | precision | recall | in order |"
    yield "|---|---:|---:|---:|---:|"
    for file in measured:
        found = file.overlap
        figures = (found.precision, found.recall, found.in_order)
        cells = (decimal(value) if not file.refused else NONE for value in figures)
        yield f"| {as_markdown(file.file)} | {found.reference:,} | {' | '.join(cells)} |"
    yield from map(_mean_row, means(measured))
    refused = [file for file in measured if file.refused]
    if refused:
        yield ""
        yield from (f"- Refused: {as_markdown(file.refused)}" for file in refused)


def _mean_row(group: Means) -> str:
    figures = " | ".join(map(decimal, (group.precision, group.recall, group.in_order)))
    return f"| **mean of {group.files}: {group.title}** | | {figures} |"
