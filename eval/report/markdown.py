"""A report as Markdown: CommonMark with GitHub's tables, readable as it stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from eval.report.blocks import (
    Block,
    Bullets,
    Definitions,
    Figure,
    Heading,
    Paragraph,
    QuestionDetails,
    Ranked,
    Report,
    Section,
    Table,
)
from eval.wording.escape import as_html, as_markdown

GOLD: Final = "**★ gold**"


def to_markdown(report: Report) -> str:
    """The report. Drawings are left out, since tables say the same."""
    parts = [f"# {as_markdown(report.title)}"]
    for section in report.sections:
        parts += _section(section)
    return "\n\n".join(parts) + "\n"


def _section(section: Section) -> list[str]:
    written = (_block(block) for block in section.blocks if not isinstance(block, Figure))
    return [f"## {as_markdown(section.title)}", *written]


def _block(block: Block) -> str:
    match block:
        case Paragraph(text, is_warning):
            return f"> **Note.** {as_markdown(text)}" if is_warning else as_markdown(text)
        case Heading(text):
            return f"### {as_markdown(text)}"
        case Bullets(items):
            return "\n".join(f"- {as_markdown(item)}" for item in items)
        case Definitions(items):
            return "\n".join(f"- **{as_markdown(term)}**: {as_markdown(meaning)}" for term, meaning in items)
        case Table():
            return _table(block)
        case QuestionDetails():
            return _details(block)
        case Figure():
            return ""


def _table(table: Table) -> str:
    columns = len(table.head)
    rule = ["---"] * table.text_columns + ["---:"] * (columns - table.text_columns)
    lines = [_row(table.head), f"|{'|'.join(rule)}|", *map(_row, table.rows)]
    return f"**{as_markdown(table.caption)}**\n\n" + "\n".join(lines)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(as_markdown(cell) for cell in cells)} |"


def _details(block: QuestionDetails) -> str:
    # Markdown reads what follows a blank line; the summary before it is HTML.
    lines = [f"- **{as_markdown(label)}**: {as_markdown(value)}" for label, value in block.facts]
    ranking = [f"{rank}. {_ranked(item)}" for rank, item in enumerate(block.ranking, 1)]
    body = "\n\n".join(("\n".join(lines), "\n".join(ranking) or "Nothing was found."))
    summary = f"{as_html(block.value)} {as_html(block.question)}"
    return f"<details><summary>{summary}</summary>\n\n{body}\n\n</details>"


def _ranked(item: Ranked) -> str:
    return f"{as_markdown(item.unit)} {GOLD}" if item.is_gold else as_markdown(item.unit)
